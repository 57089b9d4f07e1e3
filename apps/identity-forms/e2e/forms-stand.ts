/** One database, one corner of Redis, and as many replicas of the service as a test wants. */
import {
  createTestDatabase,
  runMigrations,
  type ServiceProcess,
  startService,
  type TestDatabase,
  type TestRedis,
  testRedis,
} from '@gatehouse/testing';
import { ADMIN_KEY, FormsClient } from './forms-client.js';

export interface FormsStand {
  database: TestDatabase;
  redis: TestRedis;
  environment: Record<string, string>;
  /** Starts a replica with these settings beside or instead of the usual ones. */
  start(settings?: Record<string, string>): Promise<ServiceProcess & { client: FormsClient }>;
  close(): Promise<void>;
}

export async function formsStand(): Promise<FormsStand> {
  const database = await createTestDatabase();
  const redis = testRedis();
  await runMigrations('identity-forms', database.url);
  const running: ServiceProcess[] = [];
  const environment = {
    DATABASE_URL: database.url,
    REDIS_URL: redis.url,
    REDIS_NAMESPACE: redis.namespace,
    ADMIN_API_KEYS: ADMIN_KEY,
  };
  return {
    database,
    redis,
    environment,
    start: async (settings = {}) => {
      const all = { ...environment, ...settings };
      const given = Object.entries(all).filter(([, value]) => value !== '');
      const service = await startService('identity-forms', Object.fromEntries(given));
      running.push(service);
      return { ...service, client: new FormsClient(service.url) };
    },
    close: async () => {
      await Promise.all(running.map((service) => service.stop()));
      await redis.cleanup();
      await database.drop();
    },
  };
}
