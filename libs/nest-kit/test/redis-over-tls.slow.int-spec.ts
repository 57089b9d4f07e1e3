/** Redis under Sentinel and a Redis Cluster over TLS, with an authority of one's own. */
import { execFileSync } from 'node:child_process';
import {
  closeRedis,
  type RedisClient,
  redisConnection,
  type RedisPurpose,
} from '@gatehouse/kit/redis';
import { loadConfig } from '@gatehouse/kit/settings';
import { ServiceConfig } from '../src/config/index.js';
import { createLogger } from '../src/logging/index.js';
import {
  eventually,
  type RedisGroup,
  startRedisCluster,
  startSentinelGroup,
  type TestAuthority,
  testAuthority,
} from '@gatehouse/testing';

const missing = (() => {
  try {
    execFileSync('openssl', ['version']);
    return undefined;
  } catch {
    return 'openssl is not there';
  }
})();

/** Enough for each primary of a Cluster to have some. */
const KEYS = Array.from({ length: 24 }, (_, index) => `key-${index}`);
/** Until another server is promoted and all connections lead to it. */
const FAILOVER_LIMIT_MS = 15_000;
const LIMIT_MS = 60_000;

if (missing !== undefined) it.skip(`TLS (not run: ${missing})`, () => undefined);
else {
  describe.each([
    // ioredis does not pass on why it cannot reach a sentinel.
    ['Redis under Sentinel', 'rediss-sentinel:', startSentinelGroup, /sentinels are unreachable/],
    ['a Redis Cluster', 'rediss-cluster:', startRedisCluster, /certificate|altnames/],
  ])('%s over TLS', (_kind, protocol, start, reason) => {
    let own: TestAuthority;
    let group: RedisGroup | undefined;
    let lines: string[];
    const opened: RedisClient[] = [];
    beforeAll(async () => {
      own = testAuthority();
      group = await start(own);
    }, LIMIT_MS);
    beforeEach(() => {
      lines = [];
    });
    afterEach(async () => {
      await Promise.all(opened.splice(0).map(closeRedis));
    });
    afterAll(() => group?.remove());

    /** As a service does, from its settings. */
    const open = (purpose: RedisPurpose, settings: object = {}): RedisClient => {
      const { redis } = loadConfig(ServiceConfig, {
        DATABASE_URL: 'postgres://localhost',
        REDIS_URL: group?.url ?? '',
        ...group?.settings,
        ...settings,
      });
      const destination = { write: (line: string) => void lines.push(line) };
      const connection = redisConnection(
        redis,
        purpose,
        createLogger('test', 'info', { destination }),
      );
      opened.push(connection);
      return connection;
    };

    it.each([
      ['another authority', () => testAuthority().ca],
      ['the authorities of Node.js', () => ''],
    ])('is refused with %s, and the log says so', async (_title, ca) => {
      const connection = open('subscriber', { REDIS_TLS_CA: ca() });
      await eventually(() => expect(lines.join('')).toMatch(reason));
      expect(connection.status).not.toBe('ready');
    });

    it('is refused under an address, which its certificate lacks', async () => {
      const url = (group?.url ?? '').replaceAll('localhost', '127.0.0.1');
      const connection = open('subscriber', { REDIS_URL: url });
      await eventually(() => expect(lines.join('')).toMatch(reason));
      expect(connection.status).not.toBe('ready');
    });

    it(
      'serves all purposes, also after its primary was killed',
      async () => {
        expect(group?.url).toMatch(new RegExp(`^${protocol}`));
        const [producer, publisher, worker] = (['producer', 'publisher', 'worker'] as const).map(
          (purpose) => open(purpose),
        ) as [RedisClient, RedisClient, RedisClient];
        const listener = open('subscriber');
        const heard: string[] = [];
        listener.on('message', (_channel, text) => heard.push(text));
        const serves = async () => {
          const word = String(performance.now());
          await Promise.all(KEYS.map((key) => producer.set(key, word)));
          expect(await Promise.all(KEYS.map((key) => producer.get(key)))).toEqual(
            KEYS.map(() => word),
          );
          await publisher.lpush('{list}:1', word);
          expect(await worker.brpop('{list}:1', 1)).toEqual(['{list}:1', word]);
          await publisher.publish('news', word);
          await eventually(() => expect(heard).toContain(word));
        };
        await listener.subscribe('news');
        await eventually(serves);

        await group?.killPrimary('{list}:1');
        await expect(Promise.all(KEYS.map((key) => producer.set(key, 'x')))).rejects.toThrow();
        await eventually(serves, { timeoutMs: FAILOVER_LIMIT_MS });
      },
      LIMIT_MS,
    );
  });
}
