import { type DynamicModule, Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { type Logger } from 'pino';
import { LOGGER } from '../logging/logger.js';
import {
  closeRedis,
  type RedisClient,
  redisConnection,
  type RedisSettings,
} from '@gatehouse/kit/redis';

/** Injection token of the producer connection of the service. */
export const REDIS = Symbol('REDIS');

@Module({})
export class RedisModule implements OnApplicationShutdown {
  constructor(@Inject(REDIS) private readonly redis: RedisClient) {}

  static forRoot(settings: RedisSettings): DynamicModule {
    return {
      module: RedisModule,
      global: true,
      providers: [
        {
          provide: REDIS,
          inject: [LOGGER],
          useFactory: (logger: Logger) => redisConnection(settings, 'producer', logger),
        },
      ],
      exports: [REDIS],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await closeRedis(this.redis);
  }
}
