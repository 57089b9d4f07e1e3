/** An installation as its users see it, in either layout, on a database and a secret. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createTestDatabase,
  freePort,
  HttpClient,
  orClose,
  runMigrations,
  type ServiceProcess,
  startService,
  type TestDatabase,
  testRedis,
} from '@gatehouse/testing';
import { ownPostgres } from '../../dsync-e2e/test/faults/own-stores.js';
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

/** A process for each service and the console, on one database and Redis, behind the gateway. */
export const openSplit: OpenGate = (database) =>
  openServices({ keys: database, dsync: database, forms: database, console: database });

/** The same with a PostgreSQL for each service. The given one is that of directory sync and the console. */
export const openApart: OpenGate = async (dsync) => {
  const closing: (() => Promise<void>)[] = [];
  const close = async () => {
    for (const part of closing.splice(0).reverse()) await part();
  };
  const newDatabase = async (serverUrl?: string) => {
    const database = await createTestDatabase(serverUrl);
    closing.push(database.drop);
    return database;
  };
  const newServer = async () => {
    const server = await ownPostgres();
    closing.push(server.remove);
    return newDatabase(server.url);
  };
  return orClose(close, async () => {
    const keys = await newServer();
    const forms = await newServer();
    const console = await newDatabase();
    const gate = await openServices({ keys, dsync, forms, console });
    closing.push(gate.close);
    return { ...gate, close };
  });
};

type Databases = Readonly<Record<'keys' | 'dsync' | 'forms' | 'console', TestDatabase>>;

async function openServices({ keys, dsync, forms, console }: Databases): Promise<Gate> {
  const databaseOf = {
    'key-service': keys,
    'dsync-api': dsync,
    'dsync-worker': dsync,
    'identity-forms': forms,
    console,
  };
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
  const start = async (app: keyof typeof databaseOf, more: Record<string, string> = {}) => {
    const process = await startService(app, {
      ...SETTINGS,
      API_KEYS: ADMIN_KEY,
      PUBLIC_URL: SETTINGS.EXTERNAL_URL,
      ...databaseSettings(databaseOf[app]),
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
      await runMigrations(app, databaseOf[app].url);
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
    await start('dsync-worker', {
      KEYS_DATABASE_URL: keys.serviceUrl,
      FORMS_DATABASE_URL: forms.serviceUrl,
    });
    return {
      publicSurface: new HttpClient(gateway.url),
      adminSurface: new HttpClient(gateway.adminUrl),
      processes,
      close,
    };
  });
}

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
