/** One database, one corner of Redis, and as many replicas of the service as a test wants. */
import { type Redis } from 'ioredis';
import { ADMIN_KEY, FormsClient } from './forms-client.js';

/** The part of @gatehouse/testing that is used here; only test files themselves may import it. */
interface Testing {
  createTestDatabase(): Promise<TestDatabase>;
  testRedis(): TestRedis;
  runMigrations(app: 'identity-forms', databaseUrl: string): Promise<void>;
  startService(
    app: 'identity-forms',
    environment: Readonly<Record<string, string>>,
  ): Promise<ServiceProcess>;
}

interface TestDatabase {
  url: string;
  query<Row extends object>(sql: string, values?: unknown[]): Promise<Row[]>;
  drop(): Promise<void>;
}

interface TestRedis {
  url: string;
  namespace: string;
  client: Redis;
  cleanup(): Promise<void>;
}

interface ServiceProcess {
  url: string;
  metricsUrl: string;
  logs(): string;
  stop(): Promise<number | null>;
}

export interface FormsStand {
  database: TestDatabase;
  redis: TestRedis;
  environment: Record<string, string>;
  /** Starts a replica with these settings beside or instead of the usual ones. */
  start(settings?: Record<string, string>): Promise<ServiceProcess & { client: FormsClient }>;
  close(): Promise<void>;
}

export async function formsStand(testing: Testing): Promise<FormsStand> {
  const database = await testing.createTestDatabase();
  const redis = testing.testRedis();
  await testing.runMigrations('identity-forms', database.url);
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
      const service = await testing.startService('identity-forms', Object.fromEntries(given));
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
