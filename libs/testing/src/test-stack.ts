import { AnswerChecks } from './answer-checks.js';
import { CONTROL_PLANE } from './control-plane.js';
import { HttpClient } from './http-client.js';
import { createMigratedDatabase } from './migrated-database.js';
import {
  type AppName,
  type MigratedApp,
  runMigrations,
  type ServiceProcess,
  startService,
} from './running-service.js';
import { SecretRecorder } from './secret-recorder.js';
import { type TestDatabase } from './test-database.js';
import { type TestRedis, testRedis } from './test-redis.js';

type Settings = Readonly<Record<string, string>>;

export interface TestStackOptions {
  /** Settings of every process, besides the addresses of the stores. */
  settings?: Settings;
  /** Paths whose answers the OpenAPI description leaves open. */
  undescribed?: RegExp;
  /** The lowest status that a `default` response describes, 500 by default. */
  defaultFrom?: number;
  /** The PostgreSQL server, if not that of TEST_DATABASE_URL. */
  databaseServerUrl?: string;
  /** The pooler of that server, through which the services reach it. */
  databasePoolerUrl?: string;
}

export interface TestStack {
  readonly database: TestDatabase;
  readonly redis: TestRedis;
  /** Secrets that must not occur in any log; those in requests and answers are added by `checks`. */
  readonly secrets: SecretRecorder;
  /** For clients of the processes of this stack. */
  readonly checks: AnswerChecks;
  /** Every process that was started, in order. */
  readonly services: readonly ServiceProcess[];
  /** Starts a built app on the stores of this stack; `settings` override those of the stack. */
  start(app: AppName, settings?: Settings): Promise<ServiceProcess & { http: HttpClient }>;
  /**
   * Stops the processes and removes the data.
   * @throws when a log contains a secret or a process ended with an exit code other than 0
   */
  close(): Promise<void>;
}

/** Log lines shown of a process that failed. */
const LINES_SHOWN = 20;

/** A fresh database with the tables of an app, a Redis namespace, and the processes on them. */
export async function openTestStack(
  app: MigratedApp,
  {
    settings = {},
    undescribed,
    defaultFrom,
    databaseServerUrl,
    databasePoolerUrl,
  }: TestStackOptions = {},
): Promise<TestStack> {
  const migrate = (url: string) => runMigrations(app, url);
  const database = await createMigratedDatabase(app, migrate, databaseServerUrl, databasePoolerUrl);
  const redis = testRedis();
  const secrets = new SecretRecorder();
  const checks = new AnswerChecks(secrets, undescribed, defaultFrom);
  const services: ServiceProcess[] = [];
  const starting: Promise<unknown>[] = [];

  const start: TestStack['start'] = async (name, more = {}) => {
    const environment = {
      DATABASE_URL: database.serviceUrl,
      ...(database.serviceUrl !== database.url && { DATABASE_DIRECT_URL: database.url }),
      REDIS_URL: redis.urlOf(name),
      REDIS_NAMESPACE: redis.namespace,
      ...CONTROL_PLANE,
      ...settings,
      ...more,
    };
    secrets.addSettings(environment);
    const service = await startService(name, environment);
    services.push(service);
    return { ...service, http: new HttpClient(service.adminUrl, checks) };
  };

  const close = async () => {
    let codes: (number | null)[];
    try {
      await Promise.allSettled(starting);
      codes = await Promise.all(services.map((service) => service.stop()));
    } finally {
      await redis.cleanup();
      await database.drop();
    }
    const leaked = secrets.findIn(services.map((service) => service.logs()).join(''));
    if (leaked.length > 0) throw new Error(`the logs contain ${leaked.length} secrets`);
    const failed = services.filter((_, index) => (codes[index] ?? 0) !== 0);
    if (failed.length > 0) {
      const ends = failed.map((service) =>
        service.logs().split('\n').slice(-LINES_SHOWN).join('\n'),
      );
      throw new Error(`processes ended with ${codes.join(', ')}:\n${ends.join('\n')}`);
    }
  };

  return {
    database,
    redis,
    secrets,
    checks,
    services,
    start: (name, more) => {
      const started = start(name, more);
      starting.push(started);
      return started;
    },
    close,
  };
}
