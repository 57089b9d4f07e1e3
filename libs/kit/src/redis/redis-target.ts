/**
 * The target of REDIS_URL: one server, a group under Sentinel, or a Redis Cluster.
 *
 * - `redis://[user:password@]host[:port][/database]`
 * - `redis-sentinel://[user:password@]host[:port],…/masterName[/database]`
 * - `redis-cluster://[user:password@]host[:port],…`
 *
 * `rediss://`, `rediss-sentinel://` and `rediss-cluster://` are the same over TLS.
 */

export interface RedisAddress {
  readonly host: string;
  readonly port: number;
}

interface Login {
  readonly isEncrypted: boolean;
  readonly username?: string;
  readonly password?: string;
}

export type RedisTarget =
  | (Login & { readonly kind: 'server'; readonly url: string })
  | (Login & {
      readonly kind: 'sentinel';
      readonly sentinels: readonly RedisAddress[];
      readonly masterName: string;
      readonly database: number;
    })
  | (Login & { readonly kind: 'cluster'; readonly nodes: readonly RedisAddress[] });

const SERVER_PORT = 6_379;
const SENTINEL_PORT = 26_379;
const PORT_MAX = 65_535;
const GROUP_URL = /^redis(s?)-(sentinel|cluster):\/\/(?:([^@/]*)@)?([^/?#]+)(?:\/([^?#]*))?$/;
const ADDRESS = /^(\[[0-9A-Fa-f:.]+\]|[^[\]:]+)(?::(\d{1,5}))?$/;

/** @returns undefined if the text is no address of Redis */
export function parseRedisUrl(text: string): RedisTarget | undefined {
  if (/^rediss?:\/\//.test(text)) {
    return { kind: 'server', url: text, isEncrypted: text.startsWith('rediss:') };
  }
  const [, encrypted, kind, userInfo, hosts = '', path = ''] = GROUP_URL.exec(text) ?? [];
  const login = loginOf(userInfo);
  if (kind === undefined || login === undefined) return undefined;
  const group = { isEncrypted: encrypted === 's', ...login };
  if (kind === 'cluster') {
    const nodes = addressesOf(hosts, SERVER_PORT);
    return nodes && path === '' ? { kind, nodes, ...group } : undefined;
  }
  const sentinels = addressesOf(hosts, SENTINEL_PORT);
  const [, masterName = '', database = '0'] = /^([^/]+)(?:\/(\d{1,5}))?$/.exec(path) ?? [];
  if (!sentinels || masterName === '') return undefined;
  return {
    kind: 'sentinel',
    sentinels,
    database: Number(database),
    ...group,
    masterName: decoded(masterName) ?? masterName,
  };
}

function loginOf(userInfo: string | undefined): Partial<Login> | undefined {
  if (userInfo === undefined) return {};
  const [, name = '', secret] = /^([^:]*)(?::(.*))?$/.exec(userInfo) ?? [];
  const [username, password] = [decoded(name), decoded(secret ?? '')];
  if (username === undefined || password === undefined) return undefined;
  return { ...(username && { username }), ...(password && { password }) };
}

function addressesOf(text: string, defaultPort: number): RedisAddress[] | undefined {
  const addresses: RedisAddress[] = [];
  for (const part of text.split(',')) {
    const [, host, port] = ADDRESS.exec(part) ?? [];
    const number = port === undefined ? defaultPort : Number(port);
    if (host === undefined || number < 1 || number > PORT_MAX) return undefined;
    addresses.push({ host: host.replaceAll(/[[\]]/g, ''), port: number });
  }
  return addresses;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
