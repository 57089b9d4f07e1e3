/** Delivery goes on whatever Redis does: what is due is a row, and the queue only a hint. */
import { bucketOf } from '@gatehouse/delivery';
import { queuePrefix } from '@gatehouse/kit/exchange';
import { type LaneJob, Queues } from '@gatehouse/schemas';
import * as testing from '@gatehouse/testing';
import { newDirectory, openSyncStack, type Service, user } from './sync-stack.js';

let stack: testing.TestStack;
let api: Service;
let receiver: testing.WebhookReceiver;

beforeAll(async () => {
  stack = await openSyncStack({ settings: { DSYNC_SWEEP_INTERVAL: '1' } });
  api = await stack.start('dsync-api');
});

beforeEach(async () => {
  receiver = await testing.startWebhookReceiver();
});

afterEach(() => receiver.close());

afterAll(() => stack.close());

const namesAt = () =>
  receiver.received.map(({ body }) => JSON.parse(body).data.raw.userName as string);

it.each<[string, (job: LaneJob, prefix: string) => Promise<unknown>]>([
  [
    'each wake-up is already in the queue',
    ({ system, sourceId }, prefix) =>
      stack.redis.client.set(`${prefix}:${Queues.deliveryLane}:de:${system}.${sourceId}`, 'forged'),
  ],
  [
    'a worker that does not exist reads each wake-up',
    async (job, prefix) => {
      await stack.redis.client.set(`${prefix}:attended:${bucketOf(job)}`, 'forged');
      await stack.redis.client.set(`${prefix}:inbox:forged:open`, '');
    },
  ],
])('delivers in order although Redis says that %s', async (_, forge) => {
  const directory = await newDirectory(api, { webhook_url: receiver.url });
  await forge({ system: 'dsync', sourceId: directory.id }, queuePrefix(stack.redis.namespace));
  const names = ['a', 'b', 'c'];
  for (const name of names) await directory.scim('POST', '/Users', user(name));
  const worker = await stack.start('dsync-worker');
  await receiver.waitFor(3);
  expect(namesAt()).toEqual(names);
  await worker.stop();
});

it.each<[string, (proxy: testing.TcpProxy) => Promise<void>]>([
  ['is away', (proxy) => proxy.cut()],
  [
    'answers every command with null',
    async (proxy) => {
      await proxy.cut();
      proxy.answerWith('$-1\r\n');
      await proxy.mend();
    },
  ],
])('delivers in order while Redis %s', async (_, spoil) => {
  const proxy = await testing.tcpProxy(stack.redis.url);
  const directory = await newDirectory(api, { webhook_url: receiver.url });
  const worker = await stack.start('dsync-worker', { REDIS_URL: proxy.url });
  await spoil(proxy);
  const names = ['a', 'b', 'c'];
  for (const name of names) await directory.scim('POST', '/Users', user(name));
  await receiver.waitFor(3);
  expect(namesAt()).toEqual(names);
  await worker.stop();
  await proxy.close();
});
