/**
 * The import from the real Ory Polis, installed from npm, on PostgreSQL. UPDATE_SNAPSHOTS=1 records what
 * it stores and answers, for the tests that run without it.
 */
import { createTestDatabase, type TestDatabase } from '@gatehouse/testing';
import { openPolisApi } from '../src/polis/api-source.js';
import { openPolisDatabase } from '../src/polis/database-source.js';
import { continueTraffic, type ImportTarget, openImportTarget } from './imported-polis.js';
import { type PolisSource } from '../src/polis/polis-records.js';
import { entraTraffic, type Memory, oktaTraffic, type Traffic } from './provider-traffic.js';
import { installPolis } from './real-polis/install.js';
import { POLIS_API_KEY, type PolisConnection, RealPolis } from './real-polis/run.js';
import { type RecordedPolis, recordPolis, type Row, serveAnswers } from './recorded-polis.js';

const TRAFFIC: Record<string, Traffic> = { okta: oktaTraffic, entra: entraTraffic };
const ENCRYPTION_KEY = '0123456789abcdef0123456789abcdef';
/** Polis takes most of the time, because it stores one user after the other. */
const USERS = Number(process.env['POLIS_USERS'] ?? 1_000);
/** 60 s for 10,000. */
const SECONDS_MAX = (60 * USERS) / 10_000;

let folder: string;
let database: TestDatabase;
let polis: RealPolis;
let target: ImportTarget;
beforeAll(() => {
  folder = installPolis();
}, 600_000);
afterEach(async () => {
  await polis?.stop();
  await target?.close();
  await database?.drop();
});

async function start(encryptionKey: string): Promise<void> {
  database = await createTestDatabase();
  polis = await RealPolis.start(folder, database.url, encryptionKey);
  target = await openImportTarget();
}

async function provisionAll(): Promise<RecordedPolis['connections']> {
  const connections: RecordedPolis['connections'] = {};
  for (const [name, traffic] of Object.entries(TRAFFIC)) {
    const connection = await polis.create(name, traffic.type);
    const memory = await traffic.before(polis.provider(connection));
    connections[name] = { connection, memory };
  }
  return connections;
}

async function continueAll(connections: RecordedPolis['connections']): Promise<void> {
  for (const [name, { connection, memory }] of Object.entries(connections)) {
    await continueOne(name, connection, memory);
  }
}

function continueOne(name: string, { id, scim }: PolisConnection, memory: Memory): Promise<void> {
  return continueTraffic(target, TRAFFIC[name]!, { id, secret: scim.secret }, memory);
}

const noSignal = () => new AbortController().signal;

it('is not noticed by providers when the database is read, encrypted', async () => {
  await start(ENCRYPTION_KEY);
  const connections = await provisionAll();
  const source = await openPolisDatabase(database.url, ENCRYPTION_KEY);
  const imported = await target.importAll(source);
  await source.close();
  expect(imported.map(({ report }) => report.conflictCount)).toEqual([0, 0]);
  if (process.env['UPDATE_SNAPSHOTS'] === '1') await record(connections);
  await continueAll(connections);
});

it('is not noticed by providers when the API is read', async () => {
  await start('');
  const connections = await provisionAll();
  const source = openPolisApi(polis.url, POLIS_API_KEY, ['shop'], noSignal());
  const imported = await target.importAll(source);
  expect(imported.map(({ report }) => report.conflictCount)).toEqual([0, 0]);
  await continueAll(connections);
});

it(`imports ${USERS} users in ${SECONDS_MAX} s by either way`, async () => {
  await start('');
  const connection = await polis.create('large', 'okta-scim-v2');
  const send = polis.provider(connection);
  let next = 0;
  const provision = async () => {
    while (next < USERS) {
      const userName = `user-${next++}@acme.example`;
      const emails = [{ primary: true, value: userName, type: 'work' }];
      const { status } = await send('POST', '/Users', { userName, emails, active: true });
      expect(status).toBe(201);
    }
  };
  await Promise.all(Array.from({ length: 8 }, provision));
  const seconds: Record<string, number> = {};
  const byApi = openPolisApi(polis.url, POLIS_API_KEY, ['shop'], noSignal());
  seconds.api = await secondsOf(() => importLarge(byApi));
  await target.close();
  target = await openImportTarget();
  const byDatabase = await openPolisDatabase(database.url, '');
  seconds.database = await secondsOf(() => importLarge(byDatabase));
  await byDatabase.close();
  process.stdout.write(`${USERS} users: ${JSON.stringify(seconds)}\n`);
  expect(Math.max(...Object.values(seconds))).toBeLessThan(SECONDS_MAX);
});

async function importLarge(source: PolisSource): Promise<void> {
  const [imported] = await target.importAll(source);
  expect(imported?.report.users.created).toBe(USERS);
}

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return Math.round((performance.now() - startedAt) / 100) / 10;
}

async function record(connections: RecordedPolis['connections']): Promise<void> {
  const answers: RecordedPolis['answers'] = {};
  const proxy = await serveAnswers(async (path) => {
    const headers = { Authorization: `Api-Key ${POLIS_API_KEY}` };
    const response = await fetch(polis.url + path, { headers });
    return (answers[path] = { status: response.status, body: await response.json() });
  });
  const other = await openImportTarget();
  await other.importAll(openPolisApi(proxy.url, POLIS_API_KEY, ['shop'], noSignal()));
  await other.close();
  await proxy.close();
  // Polis stores other things too, among them a private key.
  const store = await database.query<Row>(
    `SELECT key, value, iv, tag, namespace FROM jackson_store WHERE namespace LIKE 'dsync:%'
      ORDER BY "createdAt", key`,
  );
  const index = await database.query<Row>(
    `SELECT id, key, "storeKey" FROM jackson_index WHERE key LIKE 'dsync:%' ORDER BY id`,
  );
  const version = '26.2.0';
  recordPolis({ version, encryptionKey: ENCRYPTION_KEY, connections, answers, store, index });
}
