/** Jobs of a bucket that a worker attends to come to its inbox, and those that it cannot do to any worker. */
import { randomUUID } from 'node:crypto';
import { jobsOf, LaneInboxes, LaneQueue } from '@gatehouse/delivery';
import { type Exchange, queuePrefix, redisExchange } from '@gatehouse/kit/exchange';
import { Semaphore } from '@gatehouse/kit/tasks';
import { createLogger } from '@gatehouse/nest-kit/logging';
import { type LaneJob, Queues } from '@gatehouse/schemas';
import { eventually, type TestRedis, testRedis } from '@gatehouse/testing';
import { LaneInbox } from '../src/delivery/lane-inbox.js';

const silent = createLogger('test', 'silent');

let redis: TestRedis;
let exchange: Exchange;
let inboxes: LaneInboxes;
let inbox: LaneInbox;
let places: Semaphore;
let begun: string[];
let woken: string[];
/** Jobs that begin from now on do not end. */
let holdJobs: () => void;
let endJobs: () => void;

beforeEach(async () => {
  redis = testRedis();
  exchange = redisExchange({ redis, service: 'tests', logger: silent });
  await eventually(() => expect(exchange.queues.isReady).toBe(true));
  inboxes = new LaneInboxes(exchange.queues.inboxes);
  places = new Semaphore({ max: 2 });
  begun = [];
  woken = [];
  let ended = Promise.resolve();
  endJobs = () => undefined;
  inbox = new LaneInbox({
    inboxes: exchange.queues.inboxes,
    places,
    work: ({ sourceId }) => {
      begun.push(sourceId);
      return ended;
    },
    wake: ({ sourceId }) => void woken.push(sourceId),
  });
  holdJobs = () => {
    ended = new Promise((resolve) => (endJobs = resolve));
  };
});

afterEach(async () => {
  endJobs();
  await inbox.close();
  await exchange.close();
  await redis.cleanup();
});

/** A source of the bucket 0. */
const newSource = () => `${randomUUID().slice(0, -1)}0`;
const jobOf = (sourceId: string): LaneJob => ({ system: 'dsync', sourceId });
const hand = (sourceId: string) => inboxes.hand(jobOf(sourceId));

const key = (name: string) => `${queuePrefix(redis.namespace)}:${name}`;

async function inboxKey(): Promise<string> {
  return key(`inbox:${await redis.client.get(key('attended:dsync.0'))}`);
}

async function attend(): Promise<void> {
  inbox.attend(jobOf(newSource()));
  await eventually(async () =>
    expect(await redis.client.exists(`${await inboxKey()}:open`)).toBe(1),
  );
}

it('reads jobs of a bucket that it attends to, in their order', async () => {
  const sources = Array.from({ length: 20 }, newSource);
  expect(await hand(sources[0] as string)).toBe(false);
  await attend();
  for (const source of sources) expect(await hand(source)).toBe(true);
  await eventually(() => expect(begun).toEqual(sources));
});

it('reads as many jobs at once as it is asked for', async () => {
  const [worker, bucket] = [randomUUID(), 'dsync.0'];
  const { inboxes: stored } = exchange.queues;
  await Promise.all([stored.attend(worker, bucket, 10_000), stored.open(worker)]);
  const sources = Array.from({ length: 5 }, newSource);
  for (const source of sources) await hand(source);
  const reader = stored.reader(worker);
  const read = async (most: number) =>
    jobsOf(await reader.read(1, most)).map(({ sourceId }) => sourceId);
  expect(await read(3)).toEqual(sources.slice(0, 3));
  expect(await read(1)).toEqual(sources.slice(3, 4));
  expect(await read(9)).toEqual(sources.slice(4));
  reader.close();
});

it('leaves jobs of other buckets and systems to the queue', async () => {
  await attend();
  expect(await inboxes.hand({ system: 'keys', sourceId: newSource() })).toBe(false);
  expect(await inboxes.hand(jobOf(newSource().replace(/.$/, '1')))).toBe(false);
});

it('hands jobs that come together, each to the worker of its bucket or to the queue', async () => {
  await attend();
  holdJobs();
  const jobs = Array.from({ length: 9 }, (_, n) => {
    const source = newSource();
    return jobOf(n % 3 === 2 ? source.replace(/.$/, '1') : source);
  });
  const handed = await Promise.all(jobs.map((job) => inboxes.hand(job)));
  expect(handed).toEqual(jobs.map((_, n) => n % 3 !== 2));
  endJobs();
  const ours = jobs.filter((_, n) => n % 3 !== 2).map(({ sourceId }) => sourceId);
  await eventually(() => expect(begun).toEqual(ours));
});

it('begins no job without a place, and accepts none once it has had no place for three seconds', async () => {
  await attend();
  holdJobs();
  const sources = Array.from({ length: 4 }, newSource);
  for (const source of sources) await hand(source);
  await eventually(() => expect(begun).toEqual(sources.slice(0, 2)));
  // One more waits in the process.
  await eventually(async () =>
    expect(await redis.client.lrange(await inboxKey(), 0, -1)).toHaveLength(1),
  );
  await eventually(async () => expect(await hand(newSource())).toBe(false));
  endJobs();
  await eventually(() => expect(begun.slice(0, 4)).toEqual(sources));
});

it('keeps no more than ten thousand jobs, and leaves the others to the queue', async () => {
  await attend();
  holdJobs();
  for (const source of Array.from({ length: 3 }, newSource)) await hand(source);
  await eventually(() => expect(begun).toHaveLength(2));
  const name = await inboxKey();
  await eventually(async () => expect(await redis.client.exists(name)).toBe(0));
  await redis.client.rpush(name, ...Array.from({ length: 9_999 }, () => 'x'));
  await redis.client.set(`${name}:open`, '');
  expect([await hand(newSource()), await hand(newSource())]).toEqual([true, false]);
  expect(await redis.client.llen(name)).toBe(10_000);
  await redis.client.del(name, `${name}:open`);
});

it('hands what it has not read to any worker when it closes', async () => {
  await attend();
  holdJobs();
  const sources = Array.from({ length: 5 }, newSource);
  for (const source of sources) await hand(source);
  await eventually(() => expect(begun).toHaveLength(2));
  const closed = inbox.close();
  await eventually(() => expect(woken).toEqual(sources.slice(3)));
  expect(await hand(newSource())).toBe(false);
  endJobs();
  await closed;
  expect(woken).toEqual([...sources.slice(3), sources[2]]);
  expect(begun).toHaveLength(2);
});

it('passes over what is no job', async () => {
  await attend();
  const source = newSource();
  await redis.client.rpush(
    await inboxKey(),
    '{"system":"dsync","sourceId":"x"}',
    'null',
    '[',
    '{}',
  );
  expect(await hand(source)).toBe(true);
  await eventually(() => expect(begun).toEqual([source]));
});

it('stops reading an inbox of nonsense, hands on what is left of it, and begins again with the next job', async () => {
  await attend();
  const name = await inboxKey();
  const [left, source] = [newSource(), newSource()];
  // Twenty reads for two places.
  const nonsense = Array.from({ length: 40 }, () => 'x');
  await redis.client.rpush(name, ...nonsense, JSON.stringify(jobOf(left)), 'x');
  await eventually(() => expect(woken).toEqual([left]));
  expect(await redis.client.exists(name, `${name}:open`)).toBe(0);
  await attend();
  await hand(source);
  await eventually(() => expect(begun).toEqual([source]));
});

it('wakes without a job in the queue where a bucket is attended to, and with one elsewhere', async () => {
  const lanes = new LaneQueue(exchange.queues, 'dsync', silent);
  const lastJob = () => redis.client.get(key(`${Queues.deliveryLane}:id`));
  await attend();
  const source = newSource();
  lanes.wake(source);
  await eventually(() => expect(begun).toEqual([source]));
  expect(await lastJob()).toBeNull();
  await inbox.close();
  lanes.wake(source);
  await eventually(async () => expect(await lastJob()).toBe('1'));
});
