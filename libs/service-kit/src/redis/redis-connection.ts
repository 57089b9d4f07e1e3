import { Redis, type RedisOptions } from 'ioredis';
import { type Logger } from 'pino';

/**
 * What a connection is for:
 * - `producer`: commands within a request. Fails immediately while Redis is unavailable.
 * - `subscriber`: pub/sub. Waits for Redis and resubscribes automatically.
 * - `worker`: blocking commands of BullMQ. Waits indefinitely.
 */
export type RedisPurpose = 'producer' | 'subscriber' | 'worker';

const RETRY_DELAY_MS_MAX = 1_000;
const ANSWER_CHECK_INTERVAL_MS = 5_000;
/** More than one, so that a process that was itself paused reads a pending response first. */
const UNANSWERED_MAX = 2;
const QUIT_TIMEOUT_MS = 500;

const OPTIONS_BY_PURPOSE: Readonly<Record<RedisPurpose, RedisOptions>> = {
  producer: { enableOfflineQueue: false, maxRetriesPerRequest: 0, commandTimeout: 2_000 },
  subscriber: { enableOfflineQueue: true, maxRetriesPerRequest: null },
  worker: { enableOfflineQueue: true, maxRetriesPerRequest: null },
};

/**
 * Opens a connection in the background. It reconnects indefinitely, at most one second apart, and
 * also when Redis stops responding. The start and the end of an outage are logged once each.
 */
export function redisConnection(
  url: string,
  purpose: RedisPurpose,
  logger: Logger,
  options: RedisOptions = {},
): Redis {
  const connection = new Redis(url, {
    ...OPTIONS_BY_PURPOSE[purpose],
    ...options,
    connectTimeout: 5_000,
    disconnectTimeout: 200,
    retryStrategy: (attempt) => Math.min(50 * 2 ** Math.min(attempt, 5), RETRY_DELAY_MS_MAX),
  });
  logOutages(connection, purpose, logger);
  // BullMQ bounds the blocking commands of a worker itself.
  if (purpose !== 'worker') reconnectWhenUnresponsive(connection, purpose, logger);
  return connection;
}

/**
 * Reconnects when Redis or the network path to it stops responding. TCP alone takes 15 minutes to
 * notice, and hours for a subscriber, because it sends nothing.
 */
function reconnectWhenUnresponsive(connection: Redis, purpose: string, logger: Logger): void {
  let unanswered = 0;
  const answered = () => (unanswered = 0);
  const timer = setInterval(() => {
    if (connection.status !== 'ready') return void answered();
    if (unanswered < UNANSWERED_MAX) {
      unanswered += 1;
      // An error reply is a response too.
      connection.ping().then(answered, (error: Error) => error.name === 'ReplyError' && answered());
      return;
    }
    answered();
    logger.warn({ purpose }, 'redis connection silent');
    connection.disconnect(true);
  }, ANSWER_CHECK_INTERVAL_MS);
  timer.unref();
  connection.once('end', () => clearInterval(timer));
}

/** Logs when a connection is lost and restored, but not the attempts in between. */
function logOutages(connection: Redis, purpose: string, logger: Logger): void {
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
export async function closeRedis(connection: Redis): Promise<void> {
  if (connection.status !== 'ready') return connection.disconnect();
  const giveUp = setTimeout(() => connection.disconnect(), QUIT_TIMEOUT_MS);
  await connection.quit().catch(() => connection.disconnect());
  clearTimeout(giveUp);
}
