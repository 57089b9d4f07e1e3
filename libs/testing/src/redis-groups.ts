/** Groups of Redis servers for tests of a failover: under Sentinel, and a Redis Cluster, also over TLS. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { type Layout, layoutAt, makeFolders } from '#local-stack/layout.mjs';
import { freeStorePort } from '#local-stack/ports.mjs';
import { launch, type RunningProcess } from '#local-stack/processes.mjs';
import { provideRedis } from '#local-stack/redis.mjs';
import { stopRecorded } from '#local-stack/stopping.mjs';
import { eventually } from './eventually.js';
import { type TestAuthority } from './tls-proxy.js';

export interface RedisGroup {
  /** For REDIS_URL. */
  url: string;
  /** Further settings of the services. */
  settings: Record<string, string>;
  /** Ends the primary that has the key, by SIGKILL. */
  killPrimary(key: string): Promise<void>;
  remove(): Promise<void>;
}

const PASSWORD = 'test';
const SENTINEL_PASSWORD = 'sentinel-test';
/** The operator among the users in deploy/redis, who share one password. */
const OPERATOR = 'operator';
const MASTER = 'gatehouse';
const PRIMARIES = 3;
const SLOTS = 16_384;
/** After this time without an answer, a server counts as gone. */
const DOWN_AFTER_MS = 1_000;
const FORMING = { timeoutMs: 60_000 };
/** Over TLS, servers announce a name, because a certificate is issued for one. */
const NAME = 'localhost';

/** A primary, a replica and three sentinels. */
export function startSentinelGroup(tls?: TestAuthority): Promise<RedisGroup> {
  return inNewFolder(tls, async (servers) => {
    const { host } = servers;
    const named = tls ? [`replica-announce-ip ${NAME}`] : [];
    const primary = await servers.start(named);
    await servers.start([...named, `replicaof ${host} ${primary}`]);
    const announced = [
      'sentinel resolve-hostnames yes',
      'sentinel announce-hostnames yes',
      `sentinel announce-ip ${NAME}`,
    ];
    const sentinels: number[] = [];
    while (sentinels.length < 3) {
      sentinels.push(
        await servers.startSentinel([
          ...(tls ? announced : []),
          `requirepass ${SENTINEL_PASSWORD}`,
          `sentinel sentinel-pass ${SENTINEL_PASSWORD}`,
          `sentinel monitor ${MASTER} ${host} ${primary} 2`,
          `sentinel auth-pass ${MASTER} ${PASSWORD}`,
          `sentinel down-after-milliseconds ${MASTER} ${DOWN_AFTER_MS}`,
          `sentinel failover-timeout ${MASTER} 5000`,
        ]),
      );
    }
    for (const port of sentinels) {
      await servers.untilFormed(port, SENTINEL_PASSWORD, async (client) => {
        const [state = []] = (await client.call('SENTINEL', 'masters')) as string[][];
        const value = (name: string) => state[state.indexOf(name) + 1];
        return value('num-slaves') === '1' && value('num-other-sentinels') === '2';
      });
    }
    const hosts = sentinels.map((port) => `${host}:${port}`).join();
    return {
      url: `${servers.scheme}-sentinel://:${PASSWORD}@${hosts}/${MASTER}`,
      settings: { REDIS_SENTINEL_PASSWORD: SENTINEL_PASSWORD, ...servers.settings },
      killPrimary: () => servers.kill(primary),
    };
  });
}

/** Three primaries with a replica each. */
export function startRedisCluster(tls?: TestAuthority): Promise<RedisGroup> {
  return inNewFolder(tls, async (servers) => {
    const { host, on, untilFormed } = servers;
    const announced = [
      `cluster-announce-hostname ${NAME}`,
      'cluster-preferred-endpoint-type hostname',
    ];
    const nodes: { port: number; busPort: number }[] = [];
    while (nodes.length < 2 * PRIMARIES) {
      const busPort = await freeStorePort();
      const port = await servers.start([
        'cluster-enabled yes',
        `cluster-port ${busPort}`,
        `cluster-node-timeout ${DOWN_AFTER_MS}`,
        'cluster-replica-validity-factor 0',
        ...(tls ? announced : []),
      ]);
      nodes.push({ port, busPort });
    }
    const primaries = nodes.slice(0, PRIMARIES).map(({ port }) => port);
    for (const [index, primary] of primaries.entries()) {
      await on(primary, PASSWORD, async (client) => {
        const from = Math.floor((index * SLOTS) / PRIMARIES);
        const to = Math.floor(((index + 1) * SLOTS) / PRIMARIES) - 1;
        await client.call('CLUSTER', 'ADDSLOTSRANGE', from, to);
        for (const { port, busPort } of nodes) {
          await client.call('CLUSTER', 'MEET', '127.0.0.1', port, busPort);
        }
      });
    }
    for (const [index, primary] of primaries.entries()) {
      const id = String(await on(primary, PASSWORD, (client) => client.call('CLUSTER', 'MYID')));
      await untilFormed(nodes[PRIMARIES + index]?.port ?? 0, PASSWORD, (client) =>
        client.call('CLUSTER', 'REPLICATE', id).then(() => true),
      );
    }
    for (const { port } of nodes) {
      await untilFormed(port, PASSWORD, async (client) => {
        const ranges = (await client.call('CLUSTER', 'SLOTS')) as unknown[][];
        const info = String(await client.call('CLUSTER', 'INFO'));
        const replication = String(await client.call('INFO', 'replication'));
        return (
          ranges.length === PRIMARIES &&
          ranges.every((range) => range.length === 4) &&
          info.includes('cluster_state:ok') &&
          !replication.includes('master_link_status:down')
        );
      });
    }
    const hosts = nodes.map(({ port }) => `${host}:${port}`).join();
    return {
      url: `${servers.scheme}-cluster://:${PASSWORD}@${hosts}`,
      settings: servers.settings,
      killPrimary: async (key) => {
        const port = await on(nodes[0]?.port ?? 0, PASSWORD, async (client) => {
          const slot = Number(await client.call('CLUSTER', 'KEYSLOT', key));
          const ranges = (await client.call('CLUSTER', 'SLOTS')) as SlotRange[];
          return ranges.find(([from, to]) => from <= slot && slot <= to)?.[2][1] ?? 0;
        });
        await servers.kill(port);
      },
    };
  });
}

type SlotRange = [from: number, to: number, primary: [host: string, port: number]];

/**
 * One server with users.
 * @param users the text of an ACL file, with the password `test` for the operator, whose the URL is
 */
export function startRedisWithUsers(users: string): Promise<RedisGroup> {
  return inNewFolder(undefined, async (servers) => {
    const port = await servers.startWithUsers(users);
    const url = `redis://${OPERATOR}:${PASSWORD}@${servers.host}:${port}`;
    return { url, settings: {}, killPrimary: () => servers.kill(port) };
  });
}

async function inNewFolder(
  tls: TestAuthority | undefined,
  form: (servers: Servers) => Promise<Omit<RedisGroup, 'remove'>>,
): Promise<RedisGroup> {
  const layout = layoutAt(mkdtempSync(join(process.env.TEST_STACKS_FOLDER ?? tmpdir(), 'redis-')));
  makeFolders(layout);
  const remove = async () => {
    await stopRecorded(layout);
    rmSync(layout.root, { recursive: true, force: true });
  };
  try {
    const { signal } = new AbortController();
    const { path } = await provideRedis({ layout, signal });
    return { ...(await form(new Servers(layout, path, tls))), remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

class Servers {
  readonly host: string;
  readonly scheme: string;
  readonly settings: Record<string, string>;
  private readonly running = new Map<number, RunningProcess>();

  constructor(
    private readonly layout: Layout,
    private readonly program: string,
    private readonly tls: TestAuthority | undefined,
  ) {
    this.host = tls ? NAME : '127.0.0.1';
    this.scheme = tls ? 'rediss' : 'redis';
    this.settings = tls ? { REDIS_TLS_CA: tls.ca } : {};
    for (const name of ['ca', 'key', 'certificate'] as const) {
      if (tls) writeFileSync(this.fileOf(name), tls[name], { mode: 0o600 });
    }
  }

  start(settings: readonly string[]): Promise<number> {
    const login = [`requirepass ${PASSWORD}`, `masterauth ${PASSWORD}`];
    const usual = ['save ""', 'maxmemory-policy noeviction', ...login];
    return this.launch([...usual, ...settings], PASSWORD);
  }

  startSentinel(settings: readonly string[]): Promise<number> {
    return this.launch(settings, SENTINEL_PASSWORD, { args: ['--sentinel'] });
  }

  startWithUsers(users: string): Promise<number> {
    writeFileSync(this.fileOf('users'), users, { mode: 0o600 });
    const settings = ['save ""', `aclfile ${this.fileOf('users')}`];
    return this.launch(settings, PASSWORD, { username: OPERATOR });
  }

  async kill(port: number): Promise<void> {
    const running = this.running.get(port);
    if (!running) throw new Error(`no server has port ${port}`);
    running.child.kill('SIGKILL');
    await running.ended;
  }

  /** Connects to one server for the time of the work. */
  readonly on = async <T>(
    port: number,
    password: string,
    work: (client: Redis) => Promise<T>,
    username?: string,
  ): Promise<T> => {
    const client = new Redis({
      ...(this.tls ? { tls: { ca: this.tls.ca } } : {}),
      host: this.host,
      port,
      username,
      password,
      lazyConnect: true,
      enableReadyCheck: false,
      retryStrategy: () => null,
    });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return await work(client);
    } finally {
      client.disconnect();
    }
  };

  readonly untilFormed = async (
    port: number,
    password: string,
    isFormed: (client: Redis) => Promise<boolean>,
    username?: string,
  ): Promise<void> => {
    await eventually(async () => {
      const formed = await this.on(port, password, isFormed, username);
      if (!formed) throw new Error(`Redis on port ${port} is not part of its group`);
    }, FORMING);
  };

  private async launch(
    settings: readonly string[],
    password: string,
    { args = [], username }: { args?: string[]; username?: string } = {},
  ): Promise<number> {
    const port = await freeStorePort();
    const folder = join(this.layout.root, String(port));
    mkdirSync(folder);
    const configuration = join(folder, 'redis.conf');
    const own = ['bind 127.0.0.1 -::1', `dir ${folder}`, 'protected-mode no'];
    const lines = [...own, ...this.listenOn(port), ...settings, ''];
    writeFileSync(configuration, lines.join('\n'), { mode: 0o600 });
    const running = launch(this.layout, {
      name: `redis-${port}`,
      role: 'store',
      program: this.program,
      args: [configuration, ...args],
      // Sentinels have another title.
      mark: `:${port}`,
      cwd: folder,
      env: { ...process.env, LC_ALL: 'C' },
    });
    this.running.set(port, running);
    const answers = async (client: Redis) => (await client.ping()) === 'PONG';
    await this.untilFormed(port, password, answers, username);
    return port;
  }

  private listenOn(port: number): string[] {
    if (!this.tls) return [`port ${port}`];
    return [
      'port 0',
      `tls-port ${port}`,
      `tls-ca-cert-file ${this.fileOf('ca')}`,
      `tls-key-file ${this.fileOf('key')}`,
      `tls-cert-file ${this.fileOf('certificate')}`,
      'tls-auth-clients no',
      'tls-replication yes',
      'tls-cluster yes',
    ];
  }

  private fileOf(name: string): string {
    return join(this.layout.root, name);
  }
}
