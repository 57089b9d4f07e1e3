// @ts-check
// Groups of Redis servers for tests of a failover: under Sentinel, and a Redis Cluster.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { layoutAt, makeFolders } from './layout.mjs';
import { freeStorePort, LOOPBACK } from './ports.mjs';
import { launch } from './processes.mjs';
import { provideRedis } from './redis.mjs';
import { stopRecorded } from './stopping.mjs';
import { until } from './until.mjs';

const PASSWORD = 'test';
export const SENTINEL_PASSWORD = 'sentinel-test';
const MASTER = 'gatehouse';
/** Of the users in deploy/redis, with the password of all. */
const OPERATOR = 'operator';
const SENTINELS = 3;
const PRIMARIES = 3;
const SLOTS = 16_384;
/** After this time without an answer, a server counts as gone. */
const DOWN_AFTER_MS = 1_000;
const FORMING_MS = 30_000;

/**
 * @typedef {object} RedisGroup
 * @property {string} url for REDIS_URL
 * @property {Record<string, string>} settings further settings of the services
 * @property {(key: string) => Promise<void>} killPrimary ends the primary that has the key, by SIGKILL
 * @property {() => Promise<void>} remove
 */

/**
 * @typedef {object} Member
 * @property {number} port
 * @property {import('./processes.mjs').RunningProcess} running
 */

/**
 * @param {string} users the text of an ACL file, with the password `test` for the operator
 * @returns {Promise<{ url: string, remove: () => Promise<void> }>} one server; `url` is the operator's
 */
export function startRedisWithUsers(users) {
  return inNewFolder(async (servers) => {
    const { port } = await servers.startWithUsers(users);
    return { url: `redis://${OPERATOR}:${PASSWORD}@${LOOPBACK}:${port}` };
  });
}

/** @returns {Promise<RedisGroup>} a primary, a replica and three sentinels */
export function startSentinelGroup() {
  return inNewFolder(async (servers) => {
    const primary = await servers.start([]);
    await servers.start([`replicaof ${LOOPBACK} ${primary.port}`]);
    /** @type {Member[]} */
    const sentinels = [];
    while (sentinels.length < SENTINELS) {
      sentinels.push(
        await servers.startSentinel([
          `requirepass ${SENTINEL_PASSWORD}`,
          `sentinel sentinel-pass ${SENTINEL_PASSWORD}`,
          `sentinel monitor ${MASTER} ${LOOPBACK} ${primary.port} 2`,
          `sentinel auth-pass ${MASTER} ${PASSWORD}`,
          `sentinel down-after-milliseconds ${MASTER} ${DOWN_AFTER_MS}`,
          `sentinel failover-timeout ${MASTER} 5000`,
        ]),
      );
    }
    for (const { port } of sentinels) {
      await untilFormed(port, SENTINEL_PASSWORD, async (client) => {
        const [state] = /** @type {string[][]} */ (await client.call('SENTINEL', 'masters'));
        const value = (/** @type {string} */ name) => state?.[state.indexOf(name) + 1];
        return value('num-slaves') === '1' && value('num-other-sentinels') === '2';
      });
    }
    const hosts = sentinels.map(({ port }) => `${LOOPBACK}:${port}`).join();
    return {
      url: `redis-sentinel://:${PASSWORD}@${hosts}/${MASTER}`,
      settings: { REDIS_SENTINEL_PASSWORD: SENTINEL_PASSWORD },
      killPrimary: () => servers.kill(primary.port),
    };
  });
}

/** @returns {Promise<RedisGroup>} three primaries with a replica each */
export function startRedisCluster() {
  return inNewFolder(async (servers) => {
    /** @type {{ port: number, busPort: number }[]} */
    const nodes = [];
    while (nodes.length < 2 * PRIMARIES) {
      const busPort = await freeStorePort();
      const { port } = await servers.start([
        'cluster-enabled yes',
        `cluster-port ${busPort}`,
        `cluster-node-timeout ${DOWN_AFTER_MS}`,
        'cluster-replica-validity-factor 0',
      ]);
      nodes.push({ port, busPort });
    }
    const primaries = nodes.slice(0, PRIMARIES);
    for (const [index, { port }] of primaries.entries()) {
      await onServer(port, PASSWORD, async (client) => {
        const from = Math.floor((index * SLOTS) / PRIMARIES);
        const to = Math.floor(((index + 1) * SLOTS) / PRIMARIES) - 1;
        await client.call('CLUSTER', 'ADDSLOTSRANGE', from, to);
        for (const { port: other, busPort } of nodes) {
          await client.call('CLUSTER', 'MEET', LOOPBACK, other, busPort);
        }
      });
    }
    for (const [index, { port }] of primaries.entries()) {
      const id = await onServer(port, PASSWORD, (client) => client.call('CLUSTER', 'MYID'));
      const replica = nodes[PRIMARIES + index]?.port ?? 0;
      await untilFormed(replica, PASSWORD, async (client) => {
        await client.call('CLUSTER', 'REPLICATE', String(id));
        return true;
      });
    }
    for (const { port } of nodes) {
      await untilFormed(port, PASSWORD, async (client) => {
        const ranges = /** @type {unknown[][]} */ (await client.call('CLUSTER', 'SLOTS'));
        const info = String(await client.call('CLUSTER', 'INFO'));
        const isLinked = String(await client.call('INFO', 'replication'));
        return (
          ranges.length === PRIMARIES &&
          ranges.every((range) => range.length === 4) &&
          info.includes('cluster_state:ok') &&
          !isLinked.includes('master_link_status:down')
        );
      });
    }
    return {
      url: `redis-cluster://:${PASSWORD}@${nodes.map(({ port }) => `${LOOPBACK}:${port}`).join()}`,
      settings: {},
      killPrimary: async (key) => {
        const port = await onServer(nodes[0]?.port ?? 0, PASSWORD, async (client) => {
          const slot = Number(await client.call('CLUSTER', 'KEYSLOT', key));
          const ranges = /** @type {[number, number, [string, number]][]} */ (
            await client.call('CLUSTER', 'SLOTS')
          );
          return ranges.find(([from, to]) => from <= slot && slot <= to)?.[2][1] ?? 0;
        });
        await servers.kill(port);
      },
    };
  });
}

/**
 * @template {object} Group
 * @param {(servers: Awaited<ReturnType<typeof serversIn>>) => Promise<Group>} form
 * @returns {Promise<Group & Pick<RedisGroup, 'remove'>>}
 */
async function inNewFolder(form) {
  const root = mkdtempSync(join(process.env['TEST_STACKS_FOLDER'] ?? tmpdir(), 'redis-'));
  const layout = layoutAt(root);
  makeFolders(layout);
  const remove = async () => {
    await stopRecorded(layout);
    rmSync(root, { recursive: true, force: true });
  };
  try {
    return { ...(await form(await serversIn(layout))), remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** @param {import('./layout.mjs').Layout} layout */
async function serversIn(layout) {
  const { path: program } = await provideRedis({ layout, signal: new AbortController().signal });
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
    const own = [`bind ${LOOPBACK}`, `port ${port}`, `dir ${folder}`, 'protected-mode no'];
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
 * @template T
 * @param {number} port
 * @param {string} password
 * @param {(client: import('ioredis').Redis) => Promise<T>} work
 * @param {string} [username]
 * @returns {Promise<T>}
 */
async function onServer(port, password, work, username) {
  const { Redis } = await import('ioredis');
  const client = new Redis({
    ...{ host: LOOPBACK, port, username, password, lazyConnect: true, enableReadyCheck: false },
    retryStrategy: () => null,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    return await work(client);
  } finally {
    client.disconnect();
  }
}

/**
 * @param {number} port
 * @param {string} password
 * @param {(client: import('ioredis').Redis) => Promise<boolean>} isFormed
 * @param {string} [username]
 */
async function untilFormed(port, password, isFormed, username) {
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
}
