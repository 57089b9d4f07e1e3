import { type DynamicModule, Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { type Redis } from 'ioredis';
import { type Logger } from 'pino';
import { LOGGER } from '../logging/logger.js';
import { closeRedis, redisConnection } from './redis-connection.js';

/** Injection token of the producer connection of the service. */
export const REDIS = Symbol('REDIS');

@Module({})
export class RedisModule implements OnApplicationShutdown {
  constructor(@Inject(REDIS) private readonly redis: Redis) {}

  static forRoot(config: { redisUrl: string }): DynamicModule {
    return {
      module: RedisModule,
      global: true,
      providers: [
        {
          provide: REDIS,
          inject: [LOGGER],
          useFactory: (logger: Logger) => redisConnection(config.redisUrl, 'producer', logger),
        },
      ],
      exports: [REDIS],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await closeRedis(this.redis);
  }
}
