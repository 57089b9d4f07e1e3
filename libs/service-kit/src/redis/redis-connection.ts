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

const OPTIONS_BY_PURPOSE: Readonly<Record<RedisPurpose, RedisOptions>> = {
  producer: { enableOfflineQueue: false, maxRetriesPerRequest: 0, commandTimeout: 2_000 },
  subscriber: { enableOfflineQueue: true, maxRetriesPerRequest: null },
  worker: { enableOfflineQueue: true, maxRetriesPerRequest: null },
};

/**
 * Opens a connection that comes up in the background and reconnects for ever, at most a second
 * apart. An outage is logged once, and once more when it is over.
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
  return connection;
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

/** Closes a connection without waiting for a Redis that is not there. */
export async function closeRedis(connection: Redis): Promise<void> {
  if (connection.status === 'ready') await connection.quit().catch(() => connection.disconnect());
  else connection.disconnect();
}
