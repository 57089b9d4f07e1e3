export {
  type BucketCall,
  type BucketCharge,
  type BucketCounter,
  type BucketState,
  type Counters,
  type Exchange,
  type InboxEntry,
  type Inboxes,
  type InboxReader,
  type Messages,
  NoReplyError,
  type QueueReceiver,
  type Queues,
  type RequestHandler,
  type StoreProbe,
  type WindowCount,
  type WindowCounter,
} from './exchange.js';
export { LOCAL_COUNTERS } from './local/local-counters.js';
export { LocalExchanges } from './local/local-exchange.js';
export { migrateQueues } from './local/postgres-queues.js';
export { RedisBuckets } from './redis/redis-buckets.js';
export { redisExchange, type RedisExchangeOptions } from './redis/redis-exchange.js';
export { SealedMessages } from './redis/sealed-messages.js';
export { queuePrefix } from './redis/redis-queues.js';
