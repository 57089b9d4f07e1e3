export {
  type RedisClient,
  type RedisPurpose,
  type RedisSettings,
  closeRedis,
  redisConnection,
} from './redis-connection.js';
