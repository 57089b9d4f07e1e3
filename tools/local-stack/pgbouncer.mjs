// @ts-check
import { chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StackFault } from './fault.mjs';
import { LOOPBACK } from './ports.mjs';
import { ownerOf } from './postgres-owner.mjs';
import { withDatabase } from './postgres.mjs';
import { launch } from './processes.mjs';
import { unpackProgram } from './programs.mjs';
import { waitUntilReady } from './readiness.mjs';

/**
 * Versions before 1.21 keep no prepared statements in transaction mode.
 * @type {import('./programs.mjs').ProgramSource}
 */
export const PGBOUNCER_SOURCE = { names: ['pgbouncer'], debian: 'pgbouncer', suite: 'trixie' };

/**
 * Starts PgBouncer in transaction mode in front of a PostgreSQL server, for all of its databases.
 * @param {object} plan
 * @param {import('./layout.mjs').Layout} plan.layout
 * @param {number} plan.port
 * @param {string} plan.serverUrl of a superuser
 * @param {Record<string, string>} [plan.settings] of PgBouncer
 * @param {AbortSignal} plan.signal
 * @returns {Promise<{ url: string, label: string,
 *   running: import('./processes.mjs').RunningProcess }>} `url` leads to the database of `serverUrl`
 */
export async function startPgBouncer({ layout, port, serverUrl, settings, signal }) {
  const program = await unpackProgram(PGBOUNCER_SOURCE, { layout, signal });
  if ('missing' in program) throw new StackFault('There is no PgBouncer here', program.missing);
  const server = new URL(serverUrl);
  const folder = join(layout.root, 'pgbouncer');
  mkdirSync(folder, { recursive: true });
  const configuration = join(folder, 'pgbouncer.ini');
  const users = join(folder, 'users.txt');
  const values = {
    listen_addr: LOOPBACK,
    listen_port: String(port),
    unix_socket_dir: '',
    auth_type: 'scram-sha-256',
    auth_file: users,
    pool_mode: 'transaction',
    max_prepared_statements: '200',
    max_client_conn: '2000',
    // Each test has databases of its own, which no later one uses.
    default_pool_size: '20',
    max_db_connections: '20',
    server_idle_timeout: '5',
    ...settings,
  };
  const lines = Object.entries(values).map(([name, value]) => `${name} = ${value}`);
  const target = `host=${server.hostname} port=${server.port || 5432}`;
  // As deploy/postgres/provision.sql sets them for the roles of the services.
  const limits = `SET statement_timeout = '15s'; SET idle_in_transaction_session_timeout = '15s'`;
  const database = `* = ${target} connect_query='${limits.replaceAll("'", "''")}'`;
  const login = `"${decodeURIComponent(server.username)}" "${decodeURIComponent(server.password)}"\n`;
  writeFileSync(configuration, ['[databases]', database, '[pgbouncer]', ...lines, ''].join('\n'));
  writeFileSync(users, login, { mode: 0o600 });
  const user = ownerOf(folder);
  for (const path of [configuration, users]) {
    if (user.uid !== undefined) chownSync(path, user.uid, user.gid ?? user.uid);
  }
  const running = launch(layout, {
    name: 'pgbouncer',
    role: 'store',
    program: program.path,
    args: ['--quiet', configuration],
    mark: 'pgbouncer',
    ...user,
    cwd: '/',
    env: { PATH: process.env['PATH'], LC_ALL: 'C' },
  });
  const url = new URL(serverUrl);
  url.host = `${LOOPBACK}:${port}`;
  await waitUntilReady(running, () => withDatabase(url.href, async () => {}), { signal });
  return { url: url.href, label: 'PgBouncer in front of it', running };
}
