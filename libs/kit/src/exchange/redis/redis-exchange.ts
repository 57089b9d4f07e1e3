import { KeyRing } from '@gatehouse/crypto';
import { type Logger } from 'pino';
import { closeRedis, redisConnection, type RedisSettings } from '../../redis/redis-connection.js';
import { type Exchange } from '../exchange.js';
import { refusedKeys } from './counted-keys.js';
import { RedisBuckets } from './redis-buckets.js';
import { RedisMessages } from './redis-messages.js';
import { RedisQueues } from './redis-queues.js';
import { RedisWindows } from './redis-windows.js';
import { SealedMessages } from './sealed-messages.js';

export interface RedisExchangeOptions {
  readonly redis: RedisSettings & { readonly namespace: string };
  /** The service whose exchange this is. */
  readonly service: string;
  /** MESSAGE_KEYS: the ring that all services share. Without it, messages cannot be used. */
  readonly messageKeys?: readonly string[];
  readonly logger: Logger;
  /** Called for a message whose time is too far from the clock of this process. */
  readonly onClockDifference?: (seconds: number) => void;
}

/** Opens the exchange of a service on Redis. It connects in the background, also when Redis is away. */
export function redisExchange(options: RedisExchangeOptions): Exchange {
  const { redis: settings, service, messageKeys, logger, onClockDifference } = options;
  const { namespace } = settings;
  const redis = redisConnection(settings, 'producer', logger);
  const sealed = messageKeys
    ? new SealedMessages(KeyRing.fromTexts(messageKeys), service, onClockDifference)
    : undefined;
  const messages = sealed && new RedisMessages(redis, settings, namespace, sealed, logger);
  const queues = new RedisQueues(redis, settings, namespace, logger);
  return {
    get messages() {
      if (!messages) throw new Error(`${service} has no keys for messages`);
      return messages;
    },
    counters: {
      windows: (prefix, onError) => new RedisWindows(redis, namespace + prefix, logger, onError),
      buckets: (prefix, onError) => new RedisBuckets(redis, namespace + prefix, logger, onError),
    },
    queues,
    probes: [
      {
        name: 'redis',
        async lack() {
          await redis.ping();
          // A user without the keys of a limit is as bad as no Redis: the limit does not count.
          const refused = await refusedKeys(redis);
          return refused.length > 0 ? `no permission for ~${refused.join('* ~')}*` : undefined;
        },
      },
    ],
    async close() {
      await messages?.stop();
      await queues.close();
      await closeRedis(redis);
    },
  };
}
