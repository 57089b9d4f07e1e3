// @ts-check
// The servers of a group, with or without TLS, and clients of them.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { layoutAt, makeFolders } from './layout.mjs';
import { freeStorePort, LOOPBACK } from './ports.mjs';
import { launch } from './processes.mjs';
import { provideRedis } from './redis.mjs';
import { stopRecorded } from './stopping.mjs';
import { until } from './until.mjs';

export const PASSWORD = 'test';
export const SENTINEL_PASSWORD = 'sentinel-test';
/** Of the users in deploy/redis, with the password of all. */
export const OPERATOR = 'operator';
/** What servers announce over TLS. */
export const NAME = 'localhost';
const FORMING_MS = 30_000;

/**
 * A certificate for the name `localhost`: each server has it, and each announces this name.
 * @typedef {object} GroupTls
 * @property {string} ca as PEM, like the others
 * @property {string} key
 * @property {string} certificate
 */

/**
 * @typedef {object} Member
 * @property {number} port
 * @property {import('./processes.mjs').RunningProcess} running
 */

/**
 * Forms a group in a folder of its own.
 * @template {object} Group
 * @param {(servers: Awaited<ReturnType<typeof serversIn>>) => Promise<Group>} form
 * @param {GroupTls} [tls]
 * @returns {Promise<Group & { remove: () => Promise<void> }>}
 */
export async function inNewFolder(form, tls) {
  const root = mkdtempSync(join(process.env['TEST_STACKS_FOLDER'] ?? tmpdir(), 'redis-'));
  const layout = layoutAt(root);
  makeFolders(layout);
  const remove = async () => {
    await stopRecorded(layout);
    rmSync(root, { recursive: true, force: true });
  };
  try {
    return { ...(await form(await serversIn(layout, tls))), remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/**
 * @param {import('./layout.mjs').Layout} layout
 * @param {GroupTls} [tls]
 */
async function serversIn(layout, tls) {
  const { path: program } = await provideRedis({ layout, signal: new AbortController().signal });
  const { onServer, untilFormed } = clientsWith(tls);
  const listenOn =
    tls === undefined ? (/** @type {number} */ port) => [`port ${port}`] : tlsIn(layout, tls);
  /** @type {Member[]} */
  const members = [];
  /**
   * @param {string[]} settings
   * @param {string[]} args
   * @param {string} [username]
   * @returns {Promise<Member>}
   */
  const launchOne = async (settings, args, username) => {
    const port = await freeStorePort();
    const folder = join(layout.root, String(port));
    mkdirSync(folder);
    const configuration = join(folder, 'redis.conf');
    const own = [`bind ${LOOPBACK} -::1`, ...listenOn(port), `dir ${folder}`, 'protected-mode no'];
    writeFileSync(configuration, [...own, ...settings, ''].join('\n'), { mode: 0o600 });
    const running = launch(layout, {
      name: `redis-${port}`,
      role: 'store',
      program,
      args: [configuration, ...args],
      // Sentinels have another title.
      mark: `:${port}`,
      cwd: folder,
      env: { ...process.env, LC_ALL: 'C' },
    });
    const member = { port, running };
    members.push(member);
    const password = args.length > 0 ? SENTINEL_PASSWORD : PASSWORD;
    const answers = async (/** @type {import('ioredis').Redis} */ client) =>
      (await client.ping()) === 'PONG';
    await untilFormed(port, password, answers, username);
    return member;
  };
  return {
    host: tls === undefined ? LOOPBACK : NAME,
    scheme: tls === undefined ? 'redis' : 'rediss',
    /** @type {Record<string, string>} */
    settings: tls === undefined ? {} : { REDIS_TLS_CA: tls.ca },
    onServer,
    untilFormed,
    start: (/** @type {string[]} */ settings) => {
      const usual = ['save ""', 'maxmemory-policy noeviction', `requirepass ${PASSWORD}`];
      return launchOne([...usual, `masterauth ${PASSWORD}`, ...settings], []);
    },
    startWithUsers: (/** @type {string} */ users) => {
      const file = join(layout.root, 'users.acl');
      writeFileSync(file, users, { mode: 0o600 });
      return launchOne(['save ""', `aclfile ${file}`], [], OPERATOR);
    },
    startSentinel: (/** @type {string[]} */ settings) => launchOne(settings, ['--sentinel']),
    kill: async (/** @type {number} */ port) => {
      const running = members.find((member) => member.port === port)?.running;
      if (running === undefined) throw new Error(`no server has port ${port}`);
      running.child.kill('SIGKILL');
      await running.ended;
    },
  };
}

/**
 * @param {import('./layout.mjs').Layout} layout
 * @param {GroupTls} tls
 * @returns {(port: number) => string[]} the settings of a server that speaks TLS on a port, and nothing else
 */
function tlsIn(layout, { ca, key, certificate }) {
  const files = { 'ca-cert': ca, key, cert: certificate };
  const settings = Object.entries(files).map(([name, text]) => {
    const file = join(layout.root, `${name}.pem`);
    writeFileSync(file, text, { mode: 0o600 });
    return `tls-${name}-file ${file}`;
  });
  const everywhere = ['tls-auth-clients no', 'tls-replication yes', 'tls-cluster yes'];
  return (port) => ['port 0', `tls-port ${port}`, ...settings, ...everywhere];
}

/** @param {GroupTls} [tls] */
function clientsWith(tls) {
  const address = tls === undefined ? { host: LOOPBACK } : { host: NAME, tls: { ca: tls.ca } };

  /**
   * @template T
   * @param {number} port
   * @param {string} password
   * @param {(client: import('ioredis').Redis) => Promise<T>} work
   * @param {string} [username]
   * @returns {Promise<T>}
   */
  const onServer = async (port, password, work, username) => {
    const { Redis } = await import('ioredis');
    const client = new Redis({
      ...address,
      port,
      username,
      password,
      lazyConnect: true,
      enableReadyCheck: false,
      retryStrategy: () => null,
    });
    client.on('error', () => {});
    try {
      await client.connect();
      return await work(client);
    } finally {
      client.disconnect();
    }
  };

  /**
   * @param {number} port
   * @param {string} password
   * @param {(client: import('ioredis').Redis) => Promise<boolean>} isFormed
   * @param {string} [username]
   */
  const untilFormed = async (port, password, isFormed, username) => {
    /** @type {boolean | Error} */
    let formed = false;
    const isReady = async () => {
      formed = await onServer(port, password, isFormed, username).catch(
        (/** @type {Error} */ fault) => fault,
      );
      return formed === true;
    };
    if (await until(isReady, { timeoutMs: FORMING_MS })) return;
    throw new Error(`Redis on port ${port} is not ready: ${String(formed)}`);
  };
  return { onServer, untilFormed };
}
