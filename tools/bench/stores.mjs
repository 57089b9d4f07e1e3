// @ts-check
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { StackFault } from '../local-stack/fault.mjs';
import { layoutAt, makeFolders, workspace } from '../local-stack/layout.mjs';
import { takeLock } from '../local-stack/lock.mjs';
import { startPostgres } from '../local-stack/postgres.mjs';
import { startRedis } from '../local-stack/redis.mjs';
import { stackSecrets } from '../local-stack/secrets.mjs';
import { stopRecorded } from '../local-stack/stopping.mjs';
import { startWatchdog } from '../local-stack/watching.mjs';
import { freePort } from './servers.mjs';

/**
 * PostgreSQL and Redis for a run: the servers of TEST_DATABASE_URL and TEST_REDIS_URL when set,
 * otherwise our own with their data in `.local/bench-stores/`, on the core that makes the load.
 *
 * @param {import('./types.mjs').Benchmark} benchmark
 * @param {{ core: number | undefined, signal: AbortSignal }} options
 * @returns {Promise<{ postgresUrl?: string, redisUrl?: string, close: () => Promise<void> }>}
 */
export async function provideStores(benchmark, { core, signal }) {
  const postgresUrl = process.env['TEST_DATABASE_URL'];
  const redisUrl = process.env['TEST_REDIS_URL'];
  const needsPostgres = benchmark.postgres === true && !postgresUrl;
  const needsRedis = benchmark.redis === true && !redisUrl;
  if (!needsPostgres && !needsRedis) return { postgresUrl, redisUrl, close: async () => {} };

  const layout = layoutAt(join(workspace, '.local', 'bench-stores'));
  makeFolders(layout);
  const lock = takeLock(layout.lock);
  if ('holder' in lock) {
    throw new StackFault(
      `Another benchmark runs (process ${lock.holder.pid})`,
      'Wait for it: two at once would measure each other.',
    );
  }
  const watchdog = startWatchdog(layout);
  const close = async () => {
    await stopRecorded(layout);
    await watchdog.release();
    lock.release();
  };
  try {
    await stopRecorded(layout);
    const secrets = stackSecrets(layout.secrets);
    const postgres = needsPostgres
      ? await startPostgres({
          layout,
          port: await freePort(),
          password: secrets.postgresPassword,
          signal,
        })
      : undefined;
    const redis = needsRedis
      ? await startRedis({
          layout,
          port: await freePort(),
          password: secrets.redisPassword,
          signal,
        })
      : undefined;
    for (const store of [postgres, redis]) moveToCore(store?.running.record.pid, core);
    return { postgresUrl: postgresUrl ?? postgres?.url, redisUrl: redisUrl ?? redis?.url, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * @param {number | undefined} pid
 * @param {number | undefined} core
 */
function moveToCore(pid, core) {
  if (pid === undefined || core === undefined) return;
  spawnSync('taskset', ['--all-tasks', '--cpu-list', '--pid', String(core), String(pid)]);
}
