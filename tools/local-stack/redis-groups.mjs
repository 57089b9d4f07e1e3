// @ts-check
// Groups of Redis servers for tests of a failover: under Sentinel, and a Redis Cluster.
import {
  inNewFolder,
  NAME,
  OPERATOR,
  PASSWORD,
  SENTINEL_PASSWORD,
} from './redis-group-servers.mjs';
import { freeStorePort, LOOPBACK } from './ports.mjs';

/** @typedef {import('./redis-group-servers.mjs').GroupTls} GroupTls */
/** @typedef {import('./redis-group-servers.mjs').Member} Member */

const MASTER = 'gatehouse';
const SENTINELS = 3;
const PRIMARIES = 3;
const SLOTS = 16_384;
/** After this time without an answer, a server counts as gone. */
const DOWN_AFTER_MS = 1_000;

/** Over TLS, servers announce a name, because a certificate is issued for one. */
const SENTINEL_NAMES = [
  'sentinel resolve-hostnames yes',
  'sentinel announce-hostnames yes',
  `sentinel announce-ip ${NAME}`,
];
const CLUSTER_NAMES = [
  `cluster-announce-hostname ${NAME}`,
  'cluster-preferred-endpoint-type hostname',
];

/**
 * @typedef {object} RedisGroup
 * @property {string} url for REDIS_URL
 * @property {Record<string, string>} settings further settings of the services
 * @property {(key: string) => Promise<void>} killPrimary ends the primary that has the key, by SIGKILL
 * @property {() => Promise<void>} remove
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

/**
 * @param {GroupTls} [tls] all connections are over TLS
 * @returns {Promise<RedisGroup>} a primary, a replica and three sentinels
 */
export function startSentinelGroup(tls) {
  return inNewFolder(async (servers) => {
    const { host } = servers;
    const named = tls === undefined ? [] : [`replica-announce-ip ${host}`];
    const primary = await servers.start(named);
    await servers.start([...named, `replicaof ${host} ${primary.port}`]);
    /** @type {Member[]} */
    const sentinels = [];
    while (sentinels.length < SENTINELS) {
      sentinels.push(
        await servers.startSentinel([
          ...(tls === undefined ? [] : SENTINEL_NAMES),
          `requirepass ${SENTINEL_PASSWORD}`,
          `sentinel sentinel-pass ${SENTINEL_PASSWORD}`,
          `sentinel monitor ${MASTER} ${host} ${primary.port} 2`,
          `sentinel auth-pass ${MASTER} ${PASSWORD}`,
          `sentinel down-after-milliseconds ${MASTER} ${DOWN_AFTER_MS}`,
          `sentinel failover-timeout ${MASTER} 5000`,
        ]),
      );
    }
    for (const { port } of sentinels) {
      await servers.untilFormed(port, SENTINEL_PASSWORD, async (client) => {
        const [state] = /** @type {string[][]} */ (await client.call('SENTINEL', 'masters'));
        const value = (/** @type {string} */ name) => state?.[state.indexOf(name) + 1];
        return value('num-slaves') === '1' && value('num-other-sentinels') === '2';
      });
    }
    const hosts = sentinels.map(({ port }) => `${host}:${port}`).join();
    return {
      url: `${servers.scheme}-sentinel://:${PASSWORD}@${hosts}/${MASTER}`,
      settings: { REDIS_SENTINEL_PASSWORD: SENTINEL_PASSWORD, ...servers.settings },
      killPrimary: () => servers.kill(primary.port),
    };
  }, tls);
}

/**
 * @param {GroupTls} [tls] all connections are over TLS
 * @returns {Promise<RedisGroup>} three primaries with a replica each
 */
export function startRedisCluster(tls) {
  return inNewFolder(async (servers) => {
    const { host, onServer, untilFormed } = servers;
    /** @type {{ port: number, busPort: number }[]} */
    const nodes = [];
    while (nodes.length < 2 * PRIMARIES) {
      const busPort = await freeStorePort();
      const { port } = await servers.start([
        'cluster-enabled yes',
        `cluster-port ${busPort}`,
        `cluster-node-timeout ${DOWN_AFTER_MS}`,
        'cluster-replica-validity-factor 0',
        ...(tls === undefined ? [] : CLUSTER_NAMES),
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
      url: `${servers.scheme}-cluster://:${PASSWORD}@${nodes.map(({ port }) => `${host}:${port}`).join()}`,
      settings: servers.settings,
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
  }, tls);
}
