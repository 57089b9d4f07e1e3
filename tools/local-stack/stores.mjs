// @ts-check
import { provisionOutsideDatabase, provisionOwnDatabase } from './database-roles.mjs';
import { addressFromEnvironment } from './options.mjs';
import { checkOutsideDatabase, requireReachable, startPostgres } from './postgres.mjs';
import { checkOutsideRedis, startRedis } from './redis.mjs';

/**
 * @typedef {object} StoreContext
 * @property {import('./layout.mjs').Layout} layout
 * @property {import('./ports.mjs').PortPlan} plan
 * @property {import('./secrets.mjs').Secrets} secrets
 * @property {AbortSignal} signal
 * @property {(text: string) => void} note
 */

/** @returns {{ databaseUrl: string | undefined, redisUrl: string | undefined }} */
export function outsideStores() {
  return {
    databaseUrl: addressFromEnvironment('DATABASE_URL', ['postgres:', 'postgresql:']),
    redisUrl: addressFromEnvironment('REDIS_URL', ['redis:', 'rediss:']),
  };
}

/**
 * Fails early, before anything is installed, if a configured server cannot be reached.
 * @param {ReturnType<typeof outsideStores>} outside
 */
export async function requireOutsideStores({ databaseUrl, redisUrl }) {
  if (databaseUrl !== undefined) await requireReachable(databaseUrl);
  if (redisUrl !== undefined) await checkOutsideRedis(redisUrl, { isInstalled: false });
}

/**
 * Uses the PostgreSQL of DATABASE_URL or starts one; creates a role for each service.
 * @param {string | undefined} outsideUrl
 * @param {StoreContext} context
 * @returns {Promise<{ url: string, services: import('./database-roles.mjs').ServiceDatabases,
 *   running: import('./processes.mjs').RunningProcess[] }>}
 */
export async function provideDatabase(outsideUrl, { layout, plan, secrets, signal, note }) {
  if (outsideUrl !== undefined) {
    await checkOutsideDatabase(outsideUrl);
    const { oneRoleBecause, ...outside } = await provisionOutsideDatabase(outsideUrl, secrets);
    note(
      oneRoleBecause === undefined
        ? 'of DATABASE_URL'
        : `of DATABASE_URL; all services use its one role (${oneRoleBecause})`,
    );
    return { ...outside, running: [] };
  }
  const password = secrets.postgresPassword;
  const server = await startPostgres({ layout, port: plan.postgres, password, signal });
  const own = await provisionOwnDatabase(server.url, secrets);
  note(`${server.label}, port ${plan.postgres}`);
  return { ...own, running: [server.running] };
}

/**
 * Uses the Redis of REDIS_URL or starts one.
 * @param {string | undefined} outsideUrl
 * @param {StoreContext} context
 * @returns {Promise<{ url: string, running: import('./processes.mjs').RunningProcess[] }>}
 */
export async function provideRedisServer(outsideUrl, { layout, plan, secrets, signal, note }) {
  if (outsideUrl !== undefined) {
    await checkOutsideRedis(outsideUrl, { isInstalled: true });
    note('of REDIS_URL');
    return { url: outsideUrl, running: [] };
  }
  const password = secrets.redisPassword;
  const server = await startRedis({ layout, port: plan.redis, password, signal });
  note(`${server.label}, port ${plan.redis}`);
  return { url: server.url, running: [server.running] };
}
