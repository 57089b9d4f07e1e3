import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { StackFault } from '#local-stack/fault.mjs';
import { layoutAt, makeFolders, workspace } from '#local-stack/layout.mjs';
import { takeLock } from '#local-stack/lock.mjs';
import { freeStorePort } from '#local-stack/ports.mjs';
import { startPostgres } from '#local-stack/postgres.mjs';
import { startRedis } from '#local-stack/redis.mjs';
import { stackSecrets } from '#local-stack/secrets.mjs';
import { stopRecorded } from '#local-stack/stopping.mjs';
import { startWatchdog } from '#local-stack/watching.mjs';
import { type Benchmark } from './types.js';

interface Stores {
  postgresUrl?: string;
  redisUrl?: string;
  close: () => Promise<void>;
}

/**
 * PostgreSQL and Redis for a run: the servers of TEST_DATABASE_URL and TEST_REDIS_URL if set,
 * otherwise own ones with their data in `.local/bench-stores/`, on the core of the load.
 */
export async function provideStores(
  benchmark: Benchmark,
  { core, signal }: { core?: number; signal: AbortSignal },
): Promise<Stores> {
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
      `Another benchmark is running (process ${lock.holder.pid})`,
      'Wait until it ends: two at the same time would distort each other.',
    );
  }
  const watchdog = startWatchdog(layout);
  const close = async () => {
    await stopRecorded(layout);
    await watchdog.release();
    lock.release();
  };
  const start = async (
    isNeeded: boolean,
    launch: typeof startPostgres | typeof startRedis,
    password: string,
  ) => {
    if (!isNeeded) return undefined;
    const { url, running } = await launch({
      layout,
      port: await freeStorePort(),
      password,
      signal,
      countsStatements: benchmark.isSystem,
    });
    if (core !== undefined) {
      const args = ['--all-tasks', '--cpu-list', '--pid', String(core), String(running.record.pid)];
      spawnSync('taskset', args);
    }
    return url;
  };
  try {
    await stopRecorded(layout);
    const secrets = stackSecrets(layout.secrets);
    return {
      postgresUrl:
        postgresUrl ?? (await start(needsPostgres, startPostgres, secrets.postgresPassword)),
      redisUrl: redisUrl ?? (await start(needsRedis, startRedis, secrets.redisPassword)),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
