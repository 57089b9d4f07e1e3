// @ts-check
import { freePort } from '../local-stack/ports.mjs';
import { startPostgres } from '../local-stack/postgres.mjs';
import { startRedis } from '../local-stack/redis.mjs';
import { together } from '../local-stack/together.mjs';

/** For databases that live a few minutes on loopback. */
const password = 'test';

/**
 * A PostgreSQL and a Redis for the tests alone, unless TEST_DATABASE_URL and TEST_REDIS_URL name
 * some.
 * @param {import('../local-stack/layout.mjs').Layout} layout
 * @param {{ signal: AbortSignal, note: (text: string) => void }} context
 * @returns {Promise<{ databaseUrl: string, redisUrl: string }>}
 */
export async function startTestStores(layout, { signal, note }) {
  const [postgres, redis] = await together(signal, (both) => [
    testPostgres(layout, both),
    testRedis(layout, both),
  ]);
  note(`${postgres.label}; ${redis.label}`);
  return { databaseUrl: postgres.url, redisUrl: redis.url };
}

/**
 * @param {import('../local-stack/layout.mjs').Layout} layout
 * @param {AbortSignal} signal
 * @returns {Promise<{ url: string, label: string }>}
 */
async function testPostgres(layout, signal) {
  const url = process.env['TEST_DATABASE_URL'];
  if (url) return { url, label: 'PostgreSQL of TEST_DATABASE_URL' };
  return startPostgres({ layout, port: await freePort(), password, signal, disposable: true });
}

/**
 * @param {import('../local-stack/layout.mjs').Layout} layout
 * @param {AbortSignal} signal
 * @returns {Promise<{ url: string, label: string }>}
 */
async function testRedis(layout, signal) {
  const url = process.env['TEST_REDIS_URL'];
  if (url) return { url, label: 'Redis of TEST_REDIS_URL' };
  return startRedis({ layout, port: await freePort(), password, signal });
}
