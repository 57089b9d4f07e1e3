/** A Redis that answers at once, and with nothing of use, does not keep a worker busy. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { LaneQueue } from '@gatehouse/delivery';
import { type Exchange, redisExchange } from '@gatehouse/kit/exchange';
import { createLogger } from '@gatehouse/nest-kit/logging';
import { type LaneJob, Queues } from '@gatehouse/schemas';
import { eventually, type TcpProxy, tcpProxy, type TestRedis, testRedis } from '@gatehouse/testing';
import { QueueWorker } from '../src/queue-worker.js';

const ASKED = 1_000;
/** A worker without pauses sends as many as the connection beside it. */
const SENT_MAX = ASKED / 2;

const silent = createLogger('test', 'silent');

let redis: TestRedis;
let way: TcpProxy;
let sender: Exchange;
let receiver: Exchange;
let lanes: LaneQueue;
let worker: QueueWorker<LaneJob>;
let taken: string[];
let warnings: string[];

beforeAll(async () => {
  redis = testRedis();
  way = await tcpProxy(redis.url);
  taken = [];
  warnings = [];
  sender = redisExchange({ redis, service: 'tests', logger: silent });
  await eventually(() => expect(sender.queues.isReady).toBe(true));
  lanes = new LaneQueue(sender.queues, 'dsync', silent);
  const logger = createLogger('test', 'silent');
  logger.warn = (_fields: object, message?: string) => warnings.push(String(message));
  const { namespace } = redis;
  receiver = redisExchange({ redis: { url: way.url, namespace }, service: 'tests', logger });
  worker = new QueueWorker<LaneJob>({
    queue: Queues.deliveryLane,
    queues: receiver.queues,
    concurrency: 5,
    work: ({ sourceId }) => Promise.resolve(void taken.push(sourceId)),
  });
  await worker.start();
});
afterAll(async () => {
  await worker.close();
  await Promise.all([sender.close(), receiver.close()]);
  await way.close();
  await redis.cleanup();
});

async function answerWith(reply: string | undefined): Promise<void> {
  await way.cut();
  way.answerWith(reply);
  await way.mend();
}

async function expectTaken(sourceId: string): Promise<void> {
  lanes.wake(sourceId);
  await eventually(() => expect(taken).toContain(sourceId));
}

it.each([
  ['null', '$-1\r\n'],
  ['a large number', `:${2 ** 53}\r\n`],
  ['a number below zero', ':-1\r\n'],
  ['a text', '$5\r\nhello\r\n'],
  ['an error', '-ERR no\r\n'],
  ['zeros', '*4\r\n:0\r\n:0\r\n:0\r\n:0\r\n'],
  ['an array of many things', '*4\r\n$1\r\na\r\n:1\r\n$-1\r\n*1\r\n$1\r\nb\r\n'],
  ['arrays in an array', '*2\r\n*2\r\n$1\r\na\r\n$1\r\nb\r\n*0\r\n'],
  ['a wake-up', '*3\r\n$6\r\nmarker\r\n$1\r\n0\r\n$1\r\n0\r\n'],
])('a server that answers every command with %s', async (_, reply) => {
  await expectTaken(randomUUID());
  await answerWith(reply);
  const sent = await sentMeanwhile();
  await answerWith(undefined);
  expect(sent).toBeLessThan(SENT_MAX);
  await expectTaken(randomUUID());
});

/** How many commands the worker sends while another connection asks many questions, one after another. */
async function sentMeanwhile(): Promise<number> {
  const began = way.answered();
  // The connections of the worker, and that of its exchange, are made again.
  await eventually(() => expect(way.answered()).toBeGreaterThan(began + 2));
  const other = connect(Number(new URL(way.url).port), '127.0.0.1');
  const before = way.answered();
  for (let asked = 0; asked < ASKED; asked += 1) {
    other.write('*1\r\n$4\r\nPING\r\n');
    await once(other, 'data');
  }
  other.destroy();
  return way.answered() - before - ASKED;
}

it('takes a full queue without pauses', async () => {
  const queue = await lanes.open();
  const ids = Array.from({ length: 500 }, () => randomUUID());
  await queue.addBulk(
    ids.map((sourceId) => ({ name: 'deliver', data: { system: 'dsync', sourceId } })),
  );
  await eventually(() => expect(taken).toEqual(expect.arrayContaining(ids)), {
    progress: () => taken.length,
  });
});

it('warns that the queue hands out nothing', async () => {
  await answerWith('$-1\r\n');
  const warning = 'the queue answers at once, but has no jobs; the sweep finds the work';
  await eventually(() => expect(warnings).toContain(warning), { progress: way.answered });
  await answerWith(undefined);
  await expectTaken(randomUUID());
});
