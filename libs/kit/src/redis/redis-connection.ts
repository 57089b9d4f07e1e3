import { randomUUID } from 'node:crypto';
import { Cluster, type ClusterOptions, Redis, type RedisOptions } from 'ioredis';
import { type Logger } from 'pino';
import { parseRedisUrl, type RedisAddress, type RedisTarget } from './redis-target.js';
import { missingSubscriptions } from './reply-guard.js';

/**
 * The purpose of a connection:
 * - `producer`: commands within a request. Fails immediately while Redis is unavailable.
 * - `publisher`: commands that nothing waits for. Waits for Redis.
 * - `subscriber`: pub/sub. Waits for Redis and resubscribes automatically.
 * - `worker`: blocking commands of BullMQ. Waits indefinitely.
 */
export type RedisPurpose = 'producer' | 'publisher' | 'subscriber' | 'worker';

/** A connection to one server, or to a Redis Cluster. Both have the same commands. */
export type RedisClient = Redis | Cluster;

/** The settings of connections; see `RedisConfig`. */
export interface RedisSettings {
  readonly url: string;
  /** Certificates of the authorities that are trusted, as PEM, instead of those of Node. */
  readonly tlsCa?: string;
  readonly sentinelUsername?: string;
  readonly sentinelPassword?: string;
}

export interface ConnectionOptions {
  readonly lazyConnect?: boolean;
  readonly autoResubscribe?: boolean;
}

const RETRY_DELAY_MS_MAX = 1_000;
const ANSWER_CHECK_INTERVAL_MS = 5_000;
/** More than one, so that a process that was itself paused reads a pending response first. */
const UNANSWERED_MAX = 2;
const QUIT_TIMEOUT_MS = 500;
const SENTINEL_TIMEOUT_MS = 2_000;

const OPTIONS_BY_PURPOSE: Readonly<Record<RedisPurpose, RedisOptions>> = {
  producer: { enableOfflineQueue: false, maxRetriesPerRequest: 0, commandTimeout: 2_000 },
  publisher: { enableOfflineQueue: true, maxRetriesPerRequest: null },
  subscriber: { enableOfflineQueue: true, maxRetriesPerRequest: null },
  worker: { enableOfflineQueue: true, maxRetriesPerRequest: null },
};

/**
 * How a Cluster is used while one of its primaries is away: a command is repeated for a fraction of a
 * second only, because most callers can do without it. A worker repeats its commands itself.
 */
const CLUSTER_OPTIONS: ClusterOptions = {
  maxRedirections: 6,
  retryDelayOnFailover: 50,
  retryDelayOnClusterDown: 50,
  retryDelayOnTryAgain: 50,
  slotsRefreshTimeout: 2_000,
  // Finds replicas and promotions that no command has met.
  slotsRefreshInterval: 30_000,
  clusterRetryStrategy: retryDelayMs,
};

/**
 * Opens a connection in the background. It reconnects indefinitely, at most one second apart, and
 * also when Redis stops responding. The start and the end of an outage are logged once each.
 *
 * A subscriber of a Cluster is a connection to one of the nodes that the URL names: each node passes on
 * the messages of all. With a plain connection, the end of a subscription is noticed.
 */
export function redisConnection(
  settings: RedisSettings,
  purpose: 'subscriber',
  logger: Logger,
  options?: ConnectionOptions,
): Redis;
export function redisConnection(
  settings: RedisSettings,
  purpose: RedisPurpose,
  logger: Logger,
  options?: ConnectionOptions,
): RedisClient;
export function redisConnection(
  settings: RedisSettings,
  purpose: RedisPurpose,
  logger: Logger,
  options: ConnectionOptions = {},
): RedisClient {
  const target = parseRedisUrl(settings.url);
  if (target === undefined) throw new Error('REDIS_URL is not an address of Redis');
  const shared = {
    ...OPTIONS_BY_PURPOSE[purpose],
    ...options,
    ...tlsOptions(target, settings),
    connectTimeout: 5_000,
    // The types of RESP3 are of no use here, and HELLO, which negotiates it, is not every user's right.
    protocol: 2 as const,
    // Users with few rights, and Redis before 7.2, refuse it.
    disableClientInfo: true,
    disconnectTimeout: 200,
  };
  const connection = open(target, settings, purpose, shared);
  logOutages(connection, purpose, logger);
  // BullMQ bounds the blocking commands of a worker itself, on a connection of its own.
  if (connection instanceof Redis) reconnectWhenUseless(connection, purpose, logger);
  else connection.on('+node', (node: Redis) => reconnectWhenUseless(node, purpose, logger));
  return connection;
}

function open(
  target: RedisTarget,
  settings: RedisSettings,
  purpose: RedisPurpose,
  shared: RedisOptions,
): RedisClient {
  const server: RedisOptions = {
    ...shared,
    retryStrategy: retryDelayMs,
    // The server has become a replica: the address leads to another one now, or Sentinel knows it.
    reconnectOnError: (error) => error.message.startsWith('READONLY'),
  };
  if (target.kind === 'server') {
    // ioredis would prefer the TLS options that the scheme of the URL stands for.
    return new Redis(target.url.replace(/^rediss:/, 'redis:'), server);
  }
  const { username, password } = target;
  if (target.kind === 'sentinel') {
    return new Redis({
      ...server,
      username,
      password,
      db: target.database,
      name: target.masterName,
      sentinels: [...target.sentinels],
      sentinelUsername: settings.sentinelUsername || undefined,
      sentinelPassword: settings.sentinelPassword || undefined,
      sentinelCommandTimeout: SENTINEL_TIMEOUT_MS,
      sentinelRetryStrategy: retryDelayMs,
      enableTLSForSentinelMode: target.isEncrypted,
      sentinelTLS: shared.tls,
    });
  }
  if (purpose === 'subscriber') return anyNode(target.nodes, { ...server, username, password });
  const { enableOfflineQueue, lazyConnect, ...node } = shared;
  return new Cluster([...target.nodes], {
    ...CLUSTER_OPTIONS,
    enableOfflineQueue,
    lazyConnect,
    redisOptions: { ...node, username, password },
    // A certificate is issued for a name.
    ...(target.isEncrypted && {
      dnsLookup: (host: string, callback: (fault: null, address: string) => void) =>
        callback(null, host),
    }),
  });
}

/** Tries the nodes in turn, beginning with a random one. */
function anyNode(nodes: readonly RedisAddress[], options: RedisOptions): Redis {
  let turn = Math.floor(Math.random() * nodes.length);
  const connection = new Redis({ ...options, ...nodes[turn] });
  connection.on('reconnecting', () => {
    turn = (turn + 1) % nodes.length;
    Object.assign(connection.options, nodes[turn]);
  });
  return connection;
}

function tlsOptions({ isEncrypted }: RedisTarget, { tlsCa }: RedisSettings): RedisOptions {
  return isEncrypted ? { tls: tlsCa ? { ca: tlsCa } : {} } : {};
}

function retryDelayMs(attempt: number): number {
  return Math.min(50 * 2 ** Math.min(attempt, 5), RETRY_DELAY_MS_MAX);
}

/**
 * Reconnects when Redis or the network path to it stops responding, and when a command gets the reply of
 * another. TCP alone takes 15 minutes to notice silence, and hours for a subscriber, because it sends
 * nothing. One reply too many or too few would shift all that follow. Also subscribes again where a
 * subscription got lost.
 */
function reconnectWhenUseless(connection: Redis, purpose: string, logger: Logger): void {
  let unanswered = 0;
  const answered = () => (unanswered = 0);
  const reconnect = (message: string) => {
    answered();
    logger.warn({ purpose }, message);
    connection.disconnect(true);
  };
  const ask = async () => {
    const text = randomUUID();
    const answer: unknown = await connection.ping(text);
    // A connection with subscriptions answers `pong` and the text.
    const expected = connection.condition?.subscriber ? `pong,${text}` : text;
    if (String(answer) === expected) answered();
    else reconnect('redis replies do not fit the commands');
  };
  const timer = setInterval(() => {
    const isReady = connection.status === 'ready';
    // A connection is made, but Redis does not say that it is ready.
    if (!isReady && connection.status !== 'connect') return void answered();
    if (unanswered >= UNANSWERED_MAX) return reconnect('redis connection silent');
    unanswered += 1;
    if (!isReady) return;
    subscribeAgain(connection);
    // An error reply is a response too.
    ask().catch((error: Error) => error.name === 'ReplyError' && answered());
  }, ANSWER_CHECK_INTERVAL_MS);
  timer.unref();
  connection.on('close', answered);
  connection.once('end', () => clearInterval(timer));
}

function subscribeAgain(connection: Redis): void {
  const missing = missingSubscriptions(connection);
  if (missing.length === 0) return;
  // Owners that subscribe themselves have more to do with it.
  if (!connection.options.autoResubscribe) return connection.disconnect(true);
  connection.subscribe(...missing).catch(() => undefined);
}

/** Logs when a connection is lost and restored, but not the attempts in between. */
function logOutages(connection: RedisClient, purpose: string, logger: Logger): void {
  let isDown = false;
  connection.on('error', (error: Error) => {
    if (isDown) return;
    isDown = true;
    logger.warn({ purpose, reason: error.message }, 'redis connection lost');
  });
  connection.on('ready', () => {
    if (isDown) logger.info({ purpose }, 'redis connection restored');
    isDown = false;
  });
}

/** Closes a connection without waiting for a Redis that is unavailable or unresponsive. */
export async function closeRedis(connection: RedisClient): Promise<void> {
  if (connection.status !== 'ready') return connection.disconnect();
  const giveUp = setTimeout(() => connection.disconnect(), QUIT_TIMEOUT_MS);
  await connection.quit().catch(() => connection.disconnect());
  clearTimeout(giveUp);
}
