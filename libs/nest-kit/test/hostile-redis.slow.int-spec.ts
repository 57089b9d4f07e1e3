/** Replies of a hostile Redis end a connection, which is opened anew, and never the process. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { closeRedis, type RedisClient, redisConnection } from '@gatehouse/kit/redis';
import {
  eventually,
  HOSTILE_REPLIES,
  type TcpProxy,
  tcpProxy,
  type TestRedis,
  testRedis,
} from '@gatehouse/testing';
import { createLogger } from '../src/logging/logger.js';

const PURPOSES = ['producer', 'publisher', 'subscriber', 'worker'] as const;

let redis: TestRedis;
let way: TcpProxy;
let connections: RedisClient[];
let faults: unknown[];

const logger = createLogger('test', 'silent');
const note = (fault: unknown) => faults.push(fault);

beforeAll(async () => {
  redis = testRedis();
  way = await tcpProxy(redis.url);
  faults = [];
  process.on('uncaughtException', note).on('unhandledRejection', note);
  connections = PURPOSES.map((purpose) => redisConnection({ url: way.url }, purpose, logger));
  await Promise.all(connections.map((connection) => once(connection, 'ready')));
  await connections[2]?.subscribe(`${redis.namespace}channel`);
});
afterAll(async () => {
  process.off('uncaughtException', note).off('unhandledRejection', note);
  await Promise.all(connections.map(closeRedis));
  await way.close();
  await redis.cleanup();
});

/** Every connection answers, and nothing was thrown outside of a handler. */
async function expectAllWell(): Promise<void> {
  await eventually(async () => {
    for (const [index, connection] of connections.entries()) {
      // A connection with subscriptions answers `pong` and the text of the ping.
      const answer = String(await connection.ping());
      expect([PURPOSES[index], answer]).toEqual([PURPOSES[index], expect.stringMatching(/^pong/i)]);
    }
  });
  expect(faults).toEqual([]);
}

describe.each(Object.entries(HOSTILE_REPLIES))('a Redis that sends %s', (_, text) => {
  it('loses the connection at most', async () => {
    way.inject(text);
    // A reply that is not complete ends with the next one, which makes it none.
    await Promise.allSettled(connections.map((connection) => connection.ping()));
    await expectAllWell();
  });

  it('loses it with the commands that wait', async () => {
    const waiting = connections.map((connection) => connection.ping());
    way.inject(text);
    await Promise.allSettled(waiting);
    await expectAllWell();
  });
});

it('tries again at intervals, while each connection begins with a reply that cannot be read', async () => {
  await way.cut();
  way.impersonate(HOSTILE_REPLIES['arrays that would take all memory'] as string);
  await way.mend();
  const [before, beganAtMs] = [way.accepted(), performance.now()];
  await eventually(() => expect(way.accepted() - before).toBeGreaterThanOrEqual(20));
  // The fifth attempt of each is at least 0.1 + 0.2 + 0.4 + 0.8 s after the first.
  expect(performance.now() - beganAtMs).toBeGreaterThan(1_000);
  await way.cut();
  way.impersonate('');
  await way.mend();
  await expectAllWell();
});

it('loses nothing when Redis refuses the subscription that a connection renews', async () => {
  const server = redis.client;
  const user = `subscriber-${randomUUID()}`;
  const channel = `${redis.namespace}renewed`;
  await server.call('ACL', 'SETUSER', user, 'on', '>secret', '+@all', `&${channel}`);
  const url = new URL(redis.url);
  Object.assign(url, { username: user, password: 'secret' });
  const connection = redisConnection({ url: url.href }, 'subscriber', logger);
  const isReady = once(connection, 'ready');
  await connection.subscribe(channel);
  await isReady;
  const isReadyAgain = once(connection, 'ready');
  // Redis closes the connections of a user whose channels it takes away.
  await server.call('ACL', 'SETUSER', user, 'resetchannels');
  await isReadyAgain;
  await expect(connection.subscribe(channel)).rejects.toThrow(/NOPERM/);
  expect(faults).toEqual([]);
  await server.call('ACL', 'DELUSER', user);
  await closeRedis(connection);
});
