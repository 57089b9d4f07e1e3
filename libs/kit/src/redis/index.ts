export { BoundedCommands } from './bounded-commands.js';
export { needCountedKeys, refusedKeys } from './counted-keys.js';
export {
  type RedisClient,
  type RedisPurpose,
  type RedisSettings,
  closeRedis,
  redisConnection,
} from './redis-connection.js';
export { type WindowCount, WindowCounter } from './window-counter.js';
