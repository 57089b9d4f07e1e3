// @ts-check
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ask } from './commands.mjs';
import { StackFault, reasonOf } from './fault.mjs';
import { canConnect, LOOPBACK } from './ports.mjs';
import { launch } from './processes.mjs';
import { findProgram, unpackProgram } from './programs.mjs';
import { waitUntilReady } from './readiness.mjs';

/** @type {import('./programs.mjs').ProgramSource} */
const REDIS_SOURCE = { names: ['redis-server', 'valkey-server'], debian: 'redis-server' };
/** @type {import('./programs.mjs').ProgramSource} */
export const VALKEY_SOURCE = { names: ['valkey-server'], debian: 'valkey-server', suite: 'trixie' };
const OLDEST_MAJOR = 6;

/**
 * @typedef {object} RedisPlan
 * @property {import('./layout.mjs').Layout} layout
 * @property {number} port
 * @property {string} password
 * @property {AbortSignal} signal
 * @property {string} [program] another one than that of this machine
 */

/**
 * Starts the stack's own Redis. It never evicts (queues would lose jobs) and keeps its data.
 * @param {RedisPlan} plan
 * @returns {Promise<{ url: string, label: string,
 *   running: import('./processes.mjs').RunningProcess }>}
 */
export async function startRedis(plan) {
  const { port, password, signal } = plan;
  mkdirSync(join(plan.layout.redis, 'data'), { recursive: true });
  const program = plan.program
    ? { path: plan.program, label: redisVersion(plan.program)?.label ?? plan.program }
    : await provideRedis(plan);
  const running = startProgram(plan, program.path);
  const url = `redis://:${password}@${LOOPBACK}:${port}`;
  await waitUntilReady(running, () => pingRedis(url), { signal });
  return { url, label: program.label, running };
}

/**
 * Logs in, from node_modules, which may not have been there when this process began.
 * @param {string} url
 */
async function pingRedis(url) {
  const { Redis } = await import('ioredis');
  const options = { lazyConnect: true, enableReadyCheck: false, connectTimeout: 5_000 };
  const client = new Redis(url, { ...options, retryStrategy: () => null });
  /** @type {unknown} */
  let reason;
  client.on('error', (error) => (reason = error));
  try {
    await client.connect();
    await client.ping();
  } catch (error) {
    throw reason ?? error;
  } finally {
    client.disconnect();
  }
}

/**
 * Checks that a server listens at the address of REDIS_URL and, once packages are installed, that it can be
 * used to log in.
 * @param {string} url
 * @param {{ isInstalled: boolean }} packages
 */
export async function checkOutsideRedis(url, { isInstalled }) {
  const { hostname, port } = new URL(url);
  try {
    if (isInstalled) await pingRedis(url);
    else await canConnect(hostname.replace(/^\[|\]$/g, ''), Number(port || 6379));
  } catch (error) {
    throw new StackFault(
      `REDIS_URL: cannot use Redis at ${hostname}:${port || 6379}: ${reasonOf(error)}`,
      'Start that server or correct REDIS_URL; or unset it, and npm start brings its own.',
    );
  }
}

/**
 * Finds Redis, or unpacks it.
 * @param {import('./programs.mjs').ProvisionContext} context
 * @returns {Promise<{ path: string, label: string }>}
 */
export async function provideRedis({ layout, signal }) {
  const onPath = findProgram(REDIS_SOURCE.names);
  const version = onPath === undefined ? undefined : redisVersion(onPath);
  if (onPath !== undefined && version !== undefined && version.major >= OLDEST_MAJOR) {
    return { path: onPath, label: version.label };
  }
  const unpacked = await unpackProgram(REDIS_SOURCE, { layout, signal });
  if ('missing' in unpacked) {
    throw new StackFault('There is no Redis here', `${unpacked.missing}\nOr set REDIS_URL.`);
  }
  const label = redisVersion(unpacked.path)?.label ?? 'Redis';
  return { ...unpacked, label: `${label}, of Debian` };
}

/** @param {string} path */
function redisVersion(path) {
  return parseRedisVersion(ask(path, ['--version']).output);
}

/**
 * @param {string} text such as `Redis server v=7.0.15 sha=…` or `Valkey server v=8.0.1 …`
 */
export function parseRedisVersion(text) {
  const [, name, version, major] = /(\w+) server v=((\d+)[\d.]*)/.exec(text) ?? [];
  return version === undefined ? undefined : { major: Number(major), label: `${name} ${version}` };
}

/**
 * @param {RedisPlan} plan
 * @param {string} program
 */
function startProgram({ layout, port, password }, program) {
  const configuration = join(layout.redis, 'redis.conf');
  const folder = join(layout.redis, 'data');
  // In a file, because every user can read a command line.
  writeFileSync(configuration, redisConfiguration({ port, password, folder }), { mode: 0o600 });
  return launch(layout, {
    name: 'redis',
    role: 'store',
    program,
    args: [configuration],
    mark: program.includes('valkey') ? 'valkey' : 'redis-server',
    cwd: layout.redis,
    env: { ...process.env, LC_ALL: 'C' },
  });
}

/**
 * @param {{ port: number, password: string, folder: string }} plan
 * @returns {string}
 */
export function redisConfiguration({ port, password, folder }) {
  return [
    `bind ${LOOPBACK}`,
    `port ${port}`,
    `requirepass ${password}`,
    `dir "${folder.replaceAll('"', '\\"')}"`,
    'daemonize no',
    'appendonly yes',
    'save ""',
    'maxmemory-policy noeviction',
    '',
  ].join('\n');
}
