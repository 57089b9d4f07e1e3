/** The primary of a Redis group is killed while keys are verified. */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  eventually,
  type RedisGroup,
  startRedisCluster,
  startSentinelGroup,
} from '@gatehouse/testing';
import { type KeyServiceStack, startKeyService } from './key-stack.js';

/** Enough for each primary of a Cluster to have some. */
const KEYS = 24;
/** Until another server is promoted and all connections lead to it. */
const FAILOVER_LIMIT_MS = 15_000;
/** In one slot each: with limits of the actor, that of the actor. */
const limited = (n: number) => ({
  actor_id: `actor-${n}`,
  rate_limit_policy: { quota: 1_000_000, window: '1h' },
  ...(n % 2 === 1 && {
    rate_limits: [
      { name: 'all', quota: 1_000_000, window: '1h', scope: 'actor' },
      { name: 'team', quota: 1_000_000, window: '1h', scope: 'tag', tag: 'team', strict: true },
    ],
  }),
});

let group: RedisGroup | undefined;
let service: KeyServiceStack | undefined;
afterEach(async () => {
  await service?.close();
  await group?.remove();
  [service, group] = [undefined, undefined];
});

it.each([
  ['Redis under Sentinel', startSentinelGroup],
  ['a Redis Cluster', startRedisCluster],
])('with %s, keys are verified and counted when the primary is killed', async (_kind, start) => {
  group = await start();
  const settings = { REDIS_URL: group.url, ...group.settings, CACHE_TTL: '1h', LOG_LEVEL: 'info' };
  const { issue, verify, admin, errorOf, redis } = (service = await startKeyService(settings, 2));
  const keys = await Promise.all(Array.from({ length: KEYS }, (_, n) => issue(limited(n))));

  const statuses = new Set<number>();
  let slowestMs = 0;
  let uncounted = 0;
  let isOver = false;
  const load = keys.map(async ({ secret }, index) => {
    while (!isOver) {
      const startMs = performance.now();
      const { status, body } = await verify(secret, {}, { replica: index % 2 });
      slowestMs = Math.max(slowestMs, performance.now() - startMs);
      statuses.add(status);
      if (body.is_valid !== true) throw new Error(JSON.stringify(body));
      if (body.rate_limit_reset_time === null) uncounted += 1;
      await sleep(10);
    }
  });
  const areCounted = async () => {
    for (const { secret } of keys) {
      expect((await verify(secret)).body.rate_limit_reset_time).toEqual(expect.any(String));
    }
  };
  await eventually(areCounted);

  uncounted = 0;
  const [{ key, secret } = { key: { key_id: '' }, secret: '' }] = keys;
  await group.killPrimary(`${redis.namespace}keys:rate:{${key.key_id}}`);
  await eventually(() => expect(uncounted).toBeGreaterThan(0));
  await eventually(areCounted, { timeoutMs: FAILOVER_LIMIT_MS });
  isOver = true;
  await Promise.all(load);
  expect([...statuses]).toEqual([200]);
  expect(slowestMs).toBeLessThan(2_500);

  // Revocations reach the other replica again, whose cache keeps entries for an hour.
  await eventually(
    async () => {
      const other = await issue();
      expect((await verify(other.secret, {}, { replica: 1 })).body.is_valid).toBe(true);
      await admin('POST', `/apiKeys/${other.key.key_id}:revoke`, {});
      await sleep(200);
      const { body } = await verify(other.secret, {}, { replica: 1 });
      expect(body.error_code).toBe('VERIFICATION_ERROR_REVOKED');
    },
    { timeoutMs: FAILOVER_LIMIT_MS },
  );
  expect(await errorOf(secret)).toBeUndefined();
});
