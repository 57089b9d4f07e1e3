import { once } from 'node:events';
import { eventually, type TcpProxy, tcpProxy, type TestRedis, testRedis } from '@gatehouse/testing';
import { createLogger } from '../src/logging/logger.js';
import {
  closeRedis,
  type RedisClient,
  redisConnection,
  type RedisPurpose,
} from '@gatehouse/kit/redis';
import { fakeIntervals } from './fake-intervals.js';

let redis: TestRedis;
let way: TcpProxy;
let connection: RedisClient;

const open = async (purpose: RedisPurpose) => {
  connection = redisConnection({ url: way.url }, purpose, createLogger('test', 'silent'));
  await once(connection, 'ready');
};
/** The time of four checks. */
const wait = () => jest.advanceTimersByTime(20_000);

beforeEach(async () => {
  redis = testRedis();
  way = await tcpProxy(redis.url);
  fakeIntervals();
});
afterEach(async () => {
  jest.useRealTimers();
  await closeRedis(connection);
  await way.close();
  await redis.cleanup();
});

describe('a connection to a Redis that fell silent', () => {
  it('is opened anew for commands, which are not left to wait', async () => {
    await open('producer');
    way.silence();
    // The limits of rates know a silent Redis by this message of ioredis.
    await expect(connection.ping()).rejects.toThrow(/^Command timed out$/);
    const back = once(connection, 'ready');
    wait();
    await back;
    await expect(connection.ping()).resolves.toBe('PONG');
  });

  it('is reopened for messages, where no request would fail', async () => {
    await open('subscriber');
    const channel = `${redis.namespace}channel`;
    await connection.subscribe(channel);
    way.silence();
    const heard: string[] = [];
    connection.on('message', (_channel, text) => heard.push(text));
    const back = once(connection, 'ready');
    wait();
    await back;
    await eventually(async () => {
      await redis.client.publish(channel, 'news');
      expect(heard).toContain('news');
    });
  });

  it('does not keep the process running', async () => {
    await open('subscriber');
    way.silence();
    await expect(closeRedis(connection)).resolves.toBeUndefined();
    expect(connection.status).toBe('end');
  });
});

describe('a connection to a Redis that answers', () => {
  it.each(['producer', 'subscriber'] as const)('stays (%s)', async (purpose) => {
    await open(purpose);
    if (purpose === 'subscriber') await connection.subscribe(`${redis.namespace}channel`);
    let isLost = false;
    connection.on('close', () => (isLost = true));
    for (let time = 0; time < 8; time += 1) {
      jest.advanceTimersByTime(5_000);
      await connection.ping();
    }
    expect(isLost).toBe(false);
  });
});
