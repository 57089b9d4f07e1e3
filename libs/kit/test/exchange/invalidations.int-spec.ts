/** Invalidations between replicas of this version and of the one before, which has no envelope around them. */
import { once } from 'node:events';
import { KeyRing } from '@gatehouse/crypto';
import { Channels } from '@gatehouse/schemas';
import { eventually, type TestRedis, testRedis } from '@gatehouse/testing';
import { pino } from 'pino';
import { type Exchange, redisExchange, SealedMessages } from '../../src/exchange/index.js';

const KEYS = ['m'.repeat(32)];
const PATTERN = Channels.keysInvalidate;

let redis: TestRedis;
let exchange: Exchange;
/** Of a replica of the version before. */
const former = new SealedMessages(KeyRing.fromTexts(KEYS), 'key-service');

beforeAll(() => {
  redis = testRedis();
  exchange = redisExchange({
    redis: { url: redis.url, namespace: redis.namespace },
    service: 'key-service',
    messageKeys: KEYS,
    logger: pino({ level: 'silent' }),
  });
});
afterAll(async () => {
  await exchange.close();
  await redis.cleanup();
});

it('of the version before are heard', async () => {
  const heard: unknown[] = [];
  let isListening = false;
  exchange.messages.listen(PATTERN, {
    receive: (keyId) => heard.push(keyId),
    restored: () => (isListening = true),
  });
  await eventually(() => expect(isListening).toBe(true));
  await redis.client.publish(redis.namespace + PATTERN, former.sealEvents(PATTERN, ['a', 'b']));
  await eventually(() => expect(heard).toEqual(['a', 'b']));
});

it('are read by the version before', async () => {
  const subscriber = redis.client.duplicate();
  await subscriber.subscribe(redis.namespace + PATTERN);
  const arrived = once(subscriber, 'message') as Promise<[channel: string, text: string]>;
  await exchange.messages.publish([{ pattern: PATTERN, payload: 'a' }]);
  const [, text] = await arrived;
  expect(former.openEvents(PATTERN, text).map(({ data }) => data)).toEqual(['a']);
  subscriber.disconnect();
});
