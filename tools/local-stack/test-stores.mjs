// @ts-check
import { delimiter } from 'node:path';
import { StackFault } from './fault.mjs';
import { startPgBouncer } from './pgbouncer.mjs';
import { freeStorePort } from './ports.mjs';
import { startPostgres } from './postgres.mjs';
import { programsFolder, unpackProgram } from './programs.mjs';
import { startRedis, VALKEY_SOURCE } from './redis.mjs';
import { together } from './together.mjs';

/**
 * Other stores than the usual ones, for `npm test -- --stores`: PgBouncer between the services and
 * PostgreSQL, and Valkey in place of Redis.
 */
export const OTHER_STORES = /** @type {const} */ (['pgbouncer', 'valkey']);

/** @typedef {typeof OTHER_STORES[number]} OtherStore */

/** @typedef {{ databaseUrl: string, poolerUrl?: string, redisUrl: string }} TestStores */

/** The databases listen on loopback for a few minutes. */
const PASSWORD = 'test';

/**
 * Starts a PostgreSQL and a Redis for tests, or uses those of TEST_DATABASE_URL and TEST_REDIS_URL.
 * @param {import('./layout.mjs').Layout} layout
 * @param {{ signal: AbortSignal, note: (text: string) => void, others?: readonly OtherStore[] }} context
 * @returns {Promise<TestStores>}
 */
export async function startTestStores(layout, { signal, note, others = [] }) {
  const [postgres, redis] = await together(signal, (both) => [
    testPostgres(layout, both),
    testRedis(layout, both, others.includes('valkey')),
  ]);
  const stores = { databaseUrl: postgres.url, redisUrl: redis.url };
  if (!others.includes('pgbouncer')) {
    note(`${postgres.label}; ${redis.label}`);
    return stores;
  }
  const port = await freeStorePort();
  const pooler = await startPgBouncer({ layout, port, serverUrl: postgres.url, signal });
  note(`${postgres.label}, ${pooler.label}; ${redis.label}`);
  return { ...stores, poolerUrl: pooler.url };
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
 * @param {boolean} isValkey
 * @returns {Promise<{ url: string, label: string }>}
 */
async function testRedis(layout, signal, isValkey) {
  const url = process.env['TEST_REDIS_URL'];
  if (url) return { url, label: 'Redis of TEST_REDIS_URL' };
  const valkey = isValkey ? await unpackProgram(VALKEY_SOURCE, { layout, signal }) : undefined;
  if (valkey && 'missing' in valkey) throw new StackFault('There is no Valkey', valkey.missing);
  const plan = { layout, port: await freeStorePort(), password: PASSWORD, signal };
  return startRedis({ ...plan, program: valkey?.path });
}

/**
 * The environment of test processes: their own stores, and no DATABASE_URL or REDIS_URL of the user.
 * @param {TestStores} stores
 * @param {number} [seed] of the property tests' samples
 * @returns {NodeJS.ProcessEnv}
 */
export function testEnvironment({ databaseUrl, poolerUrl, redisUrl }, seed) {
  const foreign = new Set(['DATABASE_URL', 'REDIS_URL', 'DATABASE_URL_FILE', 'REDIS_URL_FILE']);
  const inherited = Object.entries(process.env).filter(
    ([name]) => !foreign.has(name) && !name.startsWith('npm_'),
  );
  return {
    ...Object.fromEntries(inherited),
    PATH: [process.env['PATH'], '/usr/sbin', programsFolder].join(delimiter),
    TEST_DATABASE_URL: databaseUrl,
    // Templates would be left behind on a server that outlives the run.
    TEST_TEMPLATES: String(!process.env['TEST_DATABASE_URL']),
    ...(poolerUrl === undefined ? {} : { TEST_DATABASE_POOLER_URL: poolerUrl }),
    TEST_REDIS_URL: redisUrl,
    ...(seed === undefined ? {} : { PROPERTY_SEED: String(seed) }),
  };
}
