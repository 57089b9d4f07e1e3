/** Once a Redis answers rightly again, each command gets its own reply, and each subscription works. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { closeRedis, type RedisClient, redisConnection } from '@gatehouse/kit/redis';
import {
  eventually,
  mixedReplies,
  type TcpProxy,
  tcpProxy,
  type TestRedis,
  testRedis,
} from '@gatehouse/testing';
import { createLogger } from '../src/logging/logger.js';
import { fakeIntervals } from './fake-intervals.js';

const PURPOSES = ['producer', 'publisher', 'worker', 'subscriber', 'subscriber'] as const;
const CHANGED_MIN = 150;
const CHECK_MS = 5_000;
/** So that a check is answered before the next. */
const REAL_CHECK_MS = 200;

const logger = createLogger('test', 'silent');

let redis: TestRedis;
let way: TcpProxy;
let connections: RedisClient[];
let heard: Set<string>;

beforeEach(async () => {
  redis = testRedis();
  way = await tcpProxy(redis.url);
  fakeIntervals();
  heard = new Set();
  connections = PURPOSES.map((purpose, index) =>
    // The last subscribes itself.
    redisConnection({ url: way.url }, purpose, logger, { autoResubscribe: index < 4 }),
  );
  const [, , , first, second] = connections;
  for (const [index, subscriber] of [first, second].entries()) {
    subscriber?.on('message', (channel: string) => heard.add(`${index} ${channel}`));
  }
  second?.on('ready', () => void second.subscribe(channelOf('c')).catch(() => undefined));
  await Promise.all(connections.map((connection) => once(connection, 'ready')));
  await first?.subscribe(channelOf('a'));
  await first?.subscribe(channelOf('b'));
});
afterEach(async () => {
  jest.useRealTimers();
  await Promise.all(connections.map(closeRedis));
  await way.close();
  await redis.cleanup();
});

const channelOf = (name: string) => redis.namespace + name;

it.each([2, 4, 6])('after replies of all kinds (seed %i)', async (seed) => {
  const mixed = mixedReplies(seed);
  way.alter(mixed.change);
  await eventually(
    () => {
      for (const connection of connections) void connection.ping().catch(() => undefined);
      jest.advanceTimersByTime(CHECK_MS);
      expect(mixed.changed()).toBeGreaterThan(CHANGED_MIN);
    },
    { intervalMs: REAL_CHECK_MS, progress: mixed.changed },
  );
  way.alter(undefined);
  await expectAllRight();
});

async function expectAllRight(): Promise<void> {
  heard.clear();
  const isRight = connections.map(() => false);
  const ask = (connection: RedisClient, index: number) => {
    const text = randomUUID();
    (connection.ping(text as never) as Promise<unknown>).then(
      (answer) => (isRight[index] = [answer].flat().at(-1) === text),
      () => (isRight[index] = false),
    );
  };
  await eventually(
    async () => {
      connections.forEach(ask);
      jest.advanceTimersByTime(CHECK_MS);
      for (const name of ['a', 'b', 'c']) await redis.client.publish(channelOf(name), 'news');
      expect(isRight).not.toContain(false);
      expect([...heard].sort()).toEqual([
        `0 ${channelOf('a')}`,
        `0 ${channelOf('b')}`,
        `1 ${channelOf('c')}`,
      ]);
    },
    { intervalMs: REAL_CHECK_MS },
  );
}
