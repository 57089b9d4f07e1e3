/** The process as its operator sees it: settings, the first key, and the end by a signal. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import {
  createTestDatabase,
  startService,
  stopInFlight,
  type TestDatabase,
} from '@gatehouse/testing';
import { type Gate, openSmall, SETTINGS, type SmallGate } from './gate.js';
import { Administrator } from './visitor.js';

const PRINTED_KEY = /^ {4}(\S+)$/m;
const ADMIN_PATHS = ['/v2alpha1/admin/issuedApiKeys', '/api/v1/dsync', '/v1/schemas'];

let database: TestDatabase;
let gate: SmallGate | undefined;

beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(async () => {
  await gate?.close();
  gate = undefined;
  await database.drop();
});

const statusesOf = ({ adminSurface }: Gate, key?: string) => {
  const headers = key === undefined ? undefined : { authorization: `Bearer ${key}` };
  return Promise.all(
    ADMIN_PATHS.map(async (path) => (await adminSurface.send('GET', path, { headers })).status),
  );
};

it('names all faults of its settings at once, by the names of this layout, and ends with 78', async () => {
  const settings = { KEYS_ENCRYPTION_KEYS: 'short', ADMIN_PORT: 'none', REDIS_URL: 'http://redis' };
  const message = await startService('gatehouse', settings).then(
    () => 'started',
    (error: Error) => error.message,
  );
  expect(message).toContain('ended with code 78');
  const faults = [...message.matchAll(/^ {2}(\w+): (.*)$/gm)];
  expect(faults.map(([, name]) => name)).toEqual(
    expect.arrayContaining(['DATABASE_URL', 'ADMIN_PORT', 'REDIS_URL', 'KEYS_ENCRYPTION_KEYS']),
  );
  expect(faults.map(([, , fault]) => fault)).toContainEqual(
    expect.stringContaining('or set GATEHOUSE_SECRET'),
  );
});

it('the first start prints a key that opens all admin APIs, no later one does, and no log line has it', async () => {
  const settings = { ADMIN_API_KEYS: '' };
  gate = await openSmall(database, settings);
  const [, key = ''] = PRINTED_KEY.exec(gate.process.logs()) ?? [];
  expect(await statusesOf(gate, key)).toEqual([200, 200, 200]);
  const logLines = gate.process
    .logs()
    .split('\n')
    .filter((line) => line.startsWith('{'));
  expect(logLines.filter((line) => line.includes(key))).toEqual([]);
  // A caller on this machine, as this test is one, needs the key too.
  expect(await statusesOf(gate)).toEqual([401, 401, 401]);
  await gate.close();
  gate = await openSmall(database, settings);
  expect(gate.process.logs()).not.toMatch(PRINTED_KEY);
  expect(await statusesOf(gate, key)).toEqual([200, 200, 200]);
});

/** Runs a command with the settings of the process. @returns what it prints */
async function command(...args: string[]): Promise<string> {
  const program = 'dist/bundles/gatehouse/main.js';
  const env = { ...SETTINGS, DATABASE_URL: database.url };
  return (await promisify(execFile)(process.execPath, [program, ...args], { env })).stdout;
}

it('prints no key where ADMIN_API_KEYS are set, and `gatehouse admin-key` issues one', async () => {
  gate = await openSmall(database);
  expect(gate.process.logs()).not.toMatch(PRINTED_KEY);
  const key = (await command('admin-key')).trimEnd();
  expect(await statusesOf(gate, key)).toEqual([200, 200, 200]);
  expect(gate.process.logs()).not.toContain(key);
});

it('`gatehouse rotate-signing-key` adds a signing key, which the process finds within a minute', async () => {
  gate = await openSmall(database);
  expect(await command('rotate-signing-key', '--at-once')).toMatch(
    /^Signing key \S+ added; the running replicas will see it within a minute\.\n$/,
  );
  expect(await database.query('SELECT FROM keys.signing_keys')).toHaveLength(2);
});

it('without the console, its paths are not found', async () => {
  gate = await openSmall(database, { CONSOLE: 'off' });
  for (const path of ['/console', '/console/sign-in']) {
    expect((await gate.adminSurface.send('GET', path)).status).toBe(404);
  }
  expect(await gate.process.metrics()).not.toContain('service="console"');
});

it('serves the metrics of each service with its name, and those of the process once', async () => {
  gate = await openSmall(database);
  await new Administrator(gate).ask('GET', '/v1/schemas');
  const metrics = await gate.process.metrics();
  const series = metrics.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  expect(series.filter((line) => !/[{,]service="[a-z-]+"/.test(line))).toEqual([]);
  expect(metrics).toMatch(/^http_request\w*_count\{.*service="identity-forms".*\} [1-9]/m);
  expect(metrics.match(/^process_resident_memory_bytes.*/gm)).toEqual([
    expect.stringContaining('{service="gatehouse"}'),
  ]);
});

it('answers the requests in flight before it ends', async () => {
  const ending = await openSmall(database);
  const administrator = new Administrator(ending);
  const key = { name: 'Key', actor_id: 'alice' };
  const { outcomes, exitCode } = await stopInFlight(ending.process, {
    databaseUrl: database.url,
    table: 'keys.api_keys',
    send: () => administrator.ask('POST', '/v2alpha1/admin/issuedApiKeys', key),
  });
  expect(outcomes).toEqual(Array.from({ length: 10 }, () => 201));
  expect(exitCode).toBe(0);
});
