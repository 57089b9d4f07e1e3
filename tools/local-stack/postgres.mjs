// @ts-check
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { mustRun } from './commands.mjs';
import { StackFault, reasonOf } from './fault.mjs';
import { postgresUser } from './postgres-owner.mjs';
import { providePostgres } from './postgres-programs.mjs';
import { canConnect, LOOPBACK } from './ports.mjs';
import { commandLineOf } from './process-table.mjs';
import { launch } from './processes.mjs';
import { waitUntilReady } from './readiness.mjs';

const SUPERUSER = 'postgres';

/**
 * @typedef {object} PostgresPlan
 * @property {import('./layout.mjs').Layout} layout
 * @property {number} port
 * @property {string} password of the superuser
 * @property {AbortSignal} signal
 * @property {number} [major] of a new server; data that is there decides by itself
 * @property {boolean} [disposable] trades durability for speed
 * @property {boolean} [countsStatements] loads pg_stat_statements
 */

/**
 * Starts the stack's own PostgreSQL, making its data folder on the first run.
 * @param {PostgresPlan} plan
 * @returns {Promise<{ url: string, label: string,
 *   running: import('./processes.mjs').RunningProcess }>} `url` is the superuser's
 */
export async function startPostgres(plan) {
  const { layout, port, password, signal } = plan;
  mkdirSync(layout.postgres, { recursive: true });
  const dataFolder = join(layout.postgres, 'data');
  const major = dataMajor(dataFolder) ?? plan.major;
  const programs = await providePostgres({ layout, signal, major });
  const user = postgresUser(layout.postgres, dataFolder, programs.folder);
  if (!existsSync(dataFolder)) await initialize(plan, programs.folder, user);
  clearStaleLock(dataFolder);

  const running = launch(layout, {
    name: 'postgres',
    role: 'store',
    program: join(programs.folder, 'postgres'),
    args: ['-D', dataFolder, ...settings(plan)],
    ...user,
    cwd: '/',
    env: postgresEnvironment(),
    stopSignal: 'SIGINT',
  });
  const url = `postgres://${SUPERUSER}:${password}@${LOOPBACK}:${port}/postgres`;
  await waitUntilReady(running, () => withDatabase(url, async () => {}), { signal });
  return { url, label: `PostgreSQL ${programs.major} ${programs.origin}`, running };
}

/**
 * Opens one connection for the time of `work`.
 * @template T
 * @param {string} url
 * @param {(client: import('pg').Client) => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withDatabase(url, work) {
  // From node_modules, which may not have been there when this process began.
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}

/**
 * Checks that a server listens at the address of DATABASE_URL, before packages are installed.
 * @param {string} url
 */
export async function requireReachable(url) {
  const { hostname, port } = new URL(url);
  // A database may be named without a host: its library then finds a socket.
  if (hostname === '') return;
  try {
    await canConnect(hostname.replace(/^\[|\]$/g, ''), Number(port || 5432));
  } catch (error) {
    throw outsideFault(url, error);
  }
}

/**
 * Checks that DATABASE_URL can be used to log in.
 * @param {string} url
 */
export async function checkOutsideDatabase(url) {
  try {
    await withDatabase(url, (client) => client.query('SELECT 1'));
  } catch (error) {
    throw outsideFault(url, error);
  }
}

/**
 * @param {string} url
 * @param {unknown} error
 */
function outsideFault(url, error) {
  const { hostname, port, pathname } = new URL(url);
  return new StackFault(
    `DATABASE_URL: cannot use PostgreSQL at ${hostname}:${port || 5432}${pathname}: ${reasonOf(error)}`,
    'Start that server or correct DATABASE_URL; or unset it, and npm start brings its own.',
  );
}

/**
 * @param {PostgresPlan} plan
 * @param {string} programFolder
 * @param {Partial<import('./postgres-owner.mjs').User>} user
 */
async function initialize({ layout, password, signal }, programFolder, user) {
  // Made beside its place and moved there when whole: a run that was cut off leaves no half.
  const draft = join(layout.postgres, 'data.new');
  const passwordFile = join(layout.postgres, 'password');
  rmSync(draft, { recursive: true, force: true });
  writeFileSync(passwordFile, password, { mode: 0o600 });
  chmodSync(passwordFile, 0o600);
  if (user.uid !== undefined) chownSync(passwordFile, user.uid, user.gid ?? user.uid);
  try {
    const args = [
      `--pgdata=${draft}`,
      `--username=${SUPERUSER}`,
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale=C',
      '--no-sync',
      '--no-instructions',
    ];
    const program = join(programFolder, 'initdb');
    const command = { program, args, ...user, cwd: '/', env: postgresEnvironment() };
    await mustRun(layout, 'initdb', command, { signal });
    renameSync(draft, join(layout.postgres, 'data'));
  } finally {
    rmSync(passwordFile, { force: true });
    rmSync(draft, { recursive: true, force: true });
  }
}

/** @param {PostgresPlan} plan */
function settings({ port, disposable, countsStatements }) {
  const values = {
    listen_addresses: LOOPBACK,
    port: String(port),
    // Loopback with a password is the only door; a socket's path might also be too long.
    unix_socket_directories: '',
    max_connections: '200',
    timezone: 'UTC',
    log_timezone: 'UTC',
    ...(countsStatements ? { shared_preload_libraries: 'pg_stat_statements' } : {}),
    ...(disposable ? { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' } : {}),
  };
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

function postgresEnvironment() {
  return { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' };
}

/**
 * @param {string} dataFolder
 * @returns {number | undefined}
 */
function dataMajor(dataFolder) {
  const file = join(dataFolder, 'PG_VERSION');
  return existsSync(file) ? Number(readFileSync(file, 'utf8').trim().split('.')[0]) : undefined;
}

/**
 * After a crash the lock file may name a process number that another process has now; PostgreSQL
 * would refuse to start.
 * @param {string} dataFolder
 */
function clearStaleLock(dataFolder) {
  const file = join(dataFolder, 'postmaster.pid');
  if (!existsSync(file)) return;
  const pid = Number(readFileSync(file, 'utf8').split('\n')[0]);
  if (!commandLineOf(pid).includes(dataFolder)) rmSync(file, { force: true });
}
