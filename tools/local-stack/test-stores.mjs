// @ts-check
import { delimiter } from 'node:path';
import { freeStorePort } from './ports.mjs';
import { startPostgres } from './postgres.mjs';
import { programsFolder } from './programs.mjs';
import { startRedis } from './redis.mjs';
import { together } from './together.mjs';

/** The databases listen on loopback for a few minutes. */
const PASSWORD = 'test';

/**
 * Starts a PostgreSQL and a Redis for tests, or uses those of TEST_DATABASE_URL and TEST_REDIS_URL.
 * @param {import('./layout.mjs').Layout} layout
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
 * @param {import('./layout.mjs').Layout} layout
 * @param {AbortSignal} signal
 * @returns {Promise<{ url: string, label: string }>}
 */
async function testPostgres(layout, signal) {
  const url = process.env['TEST_DATABASE_URL'];
  if (url) return { url, label: 'PostgreSQL of TEST_DATABASE_URL' };
  return startPostgres({
    layout,
    port: await freeStorePort(),
    password: PASSWORD,
    signal,
    disposable: true,
  });
}

/**
 * @param {import('./layout.mjs').Layout} layout
 * @param {AbortSignal} signal
 * @returns {Promise<{ url: string, label: string }>}
 */
async function testRedis(layout, signal) {
  const url = process.env['TEST_REDIS_URL'];
  if (url) return { url, label: 'Redis of TEST_REDIS_URL' };
  return startRedis({ layout, port: await freeStorePort(), password: PASSWORD, signal });
}

/**
 * The environment of test processes: their own stores, and no DATABASE_URL or REDIS_URL of the user.
 * @param {{ databaseUrl: string, redisUrl: string }} stores
 * @param {number} [seed] of the property tests' samples
 * @returns {NodeJS.ProcessEnv}
 */
export function testEnvironment({ databaseUrl, redisUrl }, seed) {
  const foreign = new Set(['DATABASE_URL', 'REDIS_URL', 'DATABASE_URL_FILE', 'REDIS_URL_FILE']);
  const inherited = Object.entries(process.env).filter(
    ([name]) => !foreign.has(name) && !name.startsWith('npm_'),
  );
  return {
    ...Object.fromEntries(inherited),
    PATH: [process.env['PATH'], '/usr/sbin', programsFolder].join(delimiter),
    TEST_DATABASE_URL: databaseUrl,
    // They would be left behind on a server that outlives the run.
    TEST_TEMPLATES: String(!process.env['TEST_DATABASE_URL']),
    TEST_REDIS_URL: redisUrl,
    ...(seed === undefined ? {} : { PROPERTY_SEED: String(seed) }),
  };
}
