/** An installation as its users see it, in either layout, on a database and a secret. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type AppName,
  freePort,
  HttpClient,
  orClose,
  runMigrations,
  type ServiceProcess,
  startService,
  type TestDatabase,
  testRedis,
} from '@gatehouse/testing';
import { startTestGateway } from '../../../deploy/test/test-gateway.js';

export const ADMIN_KEY = 'an-admin-key-of-the-tests-0123456789';
const SECRET = 'a-gatehouse-secret-of-the-tests-0123456789';

export interface Gate {
  /** What the internet reaches. */
  readonly publicSurface: HttpClient;
  /** What administrators and programs of the application reach. */
  readonly adminSurface: HttpClient;
  readonly processes: readonly ServiceProcess[];
  /** Ends all processes as an operator does. @throws if one does not end with 0 */
  close(): Promise<void>;
}

export interface SmallGate extends Gate {
  readonly process: ServiceProcess;
}

export type OpenGate = (database: TestDatabase) => Promise<Gate>;

export const SETTINGS = {
  GATEHOUSE_SECRET: SECRET,
  ADMIN_API_KEYS: ADMIN_KEY,
  EXTERNAL_URL: 'https://gate.example.com',
  WEBHOOK_ALLOW_PRIVATE: 'true',
  WORKSPACE_PUSH: 'false',
  DSYNC_SWEEP_INTERVAL: '1',
  DSYNC_WEBHOOK_RETRY_SCHEDULE: Array.from({ length: 50 }, () => '1').join(),
};

/**
 * One process, on PostgreSQL alone unless `settings` name a Redis.
 * @throws with its output when it ends before it is ready
 */
export async function openSmall(
  database: DatabaseAddress,
  settings: Readonly<Record<string, string>> = {},
): Promise<SmallGate> {
  const process = await startService('gatehouse', {
    ...SETTINGS,
    ...databaseSettings(database),
    ...settings,
  });
  return {
    publicSurface: new HttpClient(process.url),
    adminSurface: new HttpClient(process.adminUrl),
    process,
    processes: [process],
    close: () => closeAll([process]),
  };
}

/** A process for each service and the console, on PostgreSQL and Redis, behind the gateway. */
export const openSplit: OpenGate = async (database) => {
  const { url } = database;
  const redis = testRedis();
  const folder = mkdtempSync(join(tmpdir(), 'gate-'));
  const processes: ServiceProcess[] = [];
  const closing: (() => Promise<void>)[] = [
    redis.cleanup,
    () => Promise.resolve(rmSync(folder, { recursive: true, force: true })),
  ];
  const close = async () => {
    for (const part of closing.splice(0).reverse()) await part();
  };
  const start = async (app: AppName, more: Record<string, string> = {}) => {
    const process = await startService(app, {
      ...SETTINGS,
      API_KEYS: ADMIN_KEY,
      PUBLIC_URL: SETTINGS.EXTERNAL_URL,
      ...databaseSettings(database),
      REDIS_URL: redis.urlOf(app),
      REDIS_NAMESPACE: redis.namespace,
      ...more,
    });
    processes.push(process);
    closing.push(() => closeAll([process]));
    return new URL(process.url).host;
  };
  return orClose(close, async () => {
    for (const app of ['key-service', 'dsync-api', 'identity-forms', 'console'] as const) {
      await runMigrations(app, url);
    }
    const consolePort = String(await freePort());
    const gateway = await startTestGateway(folder, {
      KEY_SERVICE: [await start('key-service')],
      DSYNC_API: [await start('dsync-api')],
      IDENTITY_FORMS: [await start('identity-forms')],
      CONSOLE: [`127.0.0.1:${consolePort}`],
    });
    closing.push(gateway.close);
    await start('console', { PORT: consolePort, GATEHOUSE_URL: gateway.adminUrl });
    const { serviceUrl } = database;
    await start('dsync-worker', { KEYS_DATABASE_URL: serviceUrl, FORMS_DATABASE_URL: serviceUrl });
    return {
      publicSurface: new HttpClient(gateway.url),
      adminSurface: new HttpClient(gateway.adminUrl),
      processes,
      close,
    };
  });
};

type DatabaseAddress = Pick<TestDatabase, 'url'> & Partial<Pick<TestDatabase, 'serviceUrl'>>;

function databaseSettings({ url, serviceUrl = url }: DatabaseAddress): Record<string, string> {
  return { DATABASE_URL: serviceUrl, ...(serviceUrl !== url && { DATABASE_DIRECT_URL: url }) };
}

async function closeAll(processes: readonly ServiceProcess[]): Promise<void> {
  const codes = await Promise.all(processes.map((process) => process.stop()));
  const failed = processes.filter((_, index) => codes[index] !== 0);
  if (failed.length === 0) return;
  throw new Error(
    `processes ended with ${codes.join()}:\n${failed.map((each) => each.logs()).join('\n')}`,
  );
}
