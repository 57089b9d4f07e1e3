import {
  type AppName,
  runMigrations,
  type ServiceProcess,
  startService,
} from './running-service.js';
import { createTestDatabase, type TestDatabase } from './test-database.js';
import { type TestRedis, testRedis } from './test-redis.js';

export interface ServiceStand {
  database: TestDatabase;
  redis: TestRedis;
  /** Starts a built app on the stores of this stand, with these settings beside the addresses. */
  start(app: AppName, environment?: Readonly<Record<string, string>>): Promise<ServiceProcess>;
  /** Stops the processes and takes the data away; resolves to the exit codes. */
  close(): Promise<(number | null)[]>;
}

/** A database with the tables of an app, a corner of Redis, and the processes that run on them. */
export async function openServiceStand(
  app: Exclude<AppName, 'dsync-worker'>,
): Promise<ServiceStand> {
  const database = await createTestDatabase();
  const redis = testRedis();
  const started: Promise<ServiceProcess>[] = [];
  const close = async () => {
    try {
      const settled = await Promise.allSettled(started);
      const running = settled.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
      return await Promise.all(running.map((service) => service.stop()));
    } finally {
      await redis.cleanup();
      await database.drop();
    }
  };
  await orClose(close, () => runMigrations(app, database.url));
  return {
    database,
    redis,
    start: (name, environment = {}) => {
      const service = startService(name, {
        DATABASE_URL: database.url,
        REDIS_URL: redis.url,
        REDIS_NAMESPACE: redis.namespace,
        ...environment,
      });
      started.push(service);
      return service;
    },
    close,
  };
}

/**
 * Sets up what stands on something that is open already, and closes that when it fails: a set-up
 * that throws has nothing yet that a test could close.
 */
export async function orClose<T>(
  close: () => Promise<unknown>,
  setUp: () => Promise<T>,
): Promise<T> {
  try {
    return await setUp();
  } catch (error) {
    await close();
    throw error;
  }
}
