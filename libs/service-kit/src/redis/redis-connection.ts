import { Redis, type RedisOptions } from 'ioredis';
import { type Logger } from 'pino';

/**
 * What a connection is for:
 * - `producer`: commands in answer to a request. Fails at once while Redis is away.
 * - `subscriber`: pub/sub. Waits and subscribes again by itself.
 * - `worker`: blocking commands of BullMQ. Waits for ever.
 */
export type RedisPurpose = 'producer' | 'subscriber' | 'worker';

const RETRY_DELAY_MS_MAX = 1_000;
const ANSWER_CHECK_INTERVAL_MS = 5_000;
/** More than one, so that a process that itself stood still for a while finds the answer first. */
const UNANSWERED_MAX = 2;
const QUIT_TIMEOUT_MS = 500;

const OPTIONS_BY_PURPOSE: Readonly<Record<RedisPurpose, RedisOptions>> = {
  producer: { enableOfflineQueue: false, maxRetriesPerRequest: 0, commandTimeout: 2_000 },
  subscriber: { enableOfflineQueue: true, maxRetriesPerRequest: null },
  worker: { enableOfflineQueue: true, maxRetriesPerRequest: null },
};

/**
 * Opens a connection that comes up in the background and reconnects for ever, at most a second
 * apart, also when nothing is answered on it any more. An outage is logged once, and once more when
 * it is over.
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
  // A worker waits in blocking commands, which its queue bounds.
  if (purpose !== 'worker') reconnectWhenUnresponsive(connection, purpose, logger);
  return connection;
}

/**
 * Reconnects when Redis, or the path to it, died without a word. TCP alone needs a quarter of an
 * hour to notice that; a subscriber, which sends nothing, hours, in which it hears nothing.
 */
function reconnectWhenUnresponsive(connection: Redis, purpose: string, logger: Logger): void {
  let unanswered = 0;
  const answered = () => (unanswered = 0);
  const timer = setInterval(() => {
    if (connection.status !== 'ready') return void answered();
    if (unanswered < UNANSWERED_MAX) {
      unanswered += 1;
      // A refusal is an answer too.
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

/** Logs when a connection is lost and when it is back, not every attempt between. */
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

/** Closes a connection without waiting for a Redis that is not there, or does not answer. */
export async function closeRedis(connection: Redis): Promise<void> {
  if (connection.status !== 'ready') return connection.disconnect();
  const giveUp = setTimeout(() => connection.disconnect(), QUIT_TIMEOUT_MS);
  await connection.quit().catch(() => connection.disconnect());
  clearTimeout(giveUp);
}
