import { type RedisClient } from '@gatehouse/kit/redis';
import { LOGGER } from '@gatehouse/nest-kit/logging';
import { REDIS } from '@gatehouse/nest-kit/redis';
import { type DynamicModule, Module, type OnApplicationShutdown } from '@nestjs/common';
import { type Logger } from 'pino';
import { LaneQueue } from '../queue/lane-queue.js';

/** Provides the LaneQueue of one system on the Redis connection of the kit. */
@Module({})
export class LaneQueueModule implements OnApplicationShutdown {
  constructor(private readonly lanes: LaneQueue) {}

  static forRoot(redisNamespace: string, system: string): DynamicModule {
    return {
      module: LaneQueueModule,
      global: true,
      providers: [
        {
          provide: LaneQueue,
          inject: [REDIS, LOGGER],
          useFactory: (redis: RedisClient, logger: Logger) =>
            new LaneQueue(redis, redisNamespace, system, logger),
        },
      ],
      exports: [LaneQueue],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.lanes.close();
  }
}
