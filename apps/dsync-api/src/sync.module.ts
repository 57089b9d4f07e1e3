import { createDirectorySync, type DirectorySync, LaneQueue } from '@gatehouse/directory-sync';
import { LOGGER, REDIS } from '@gatehouse/service-kit';
import { type DynamicModule, Module, type OnApplicationShutdown } from '@nestjs/common';
import { type Redis } from 'ioredis';
import { type Logger } from 'pino';
import { DataSource } from 'typeorm';
import { type DsyncApiConfig } from './config.js';

/** Injection token of the controller object of directory sync. */
export const DIRECTORY_SYNC = Symbol('DIRECTORY_SYNC');

/** The domain, wired to this process's database, Redis and log. */
@Module({})
export class SyncModule implements OnApplicationShutdown {
  constructor(private readonly lanes: LaneQueue) {}

  static forRoot(config: DsyncApiConfig): DynamicModule {
    return {
      module: SyncModule,
      global: true,
      providers: [
        {
          provide: LaneQueue,
          inject: [REDIS, LOGGER],
          useFactory: (redis: Redis, logger: Logger) =>
            new LaneQueue(redis, config.redisNamespace, logger),
        },
        {
          provide: DIRECTORY_SYNC,
          inject: [DataSource, LaneQueue, LOGGER],
          useFactory: (dataSource: DataSource, lanes: LaneQueue, logger: Logger): DirectorySync =>
            createDirectorySync({
              dataSource,
              externalUrl: config.externalUrl,
              encryptionKeys: config.encryptionKeys,
              outbound: { allowPrivate: config.webhookAllowPrivate },
              wakeLane: (directoryId) => lanes.wake(directoryId),
              logger,
            }),
        },
      ],
      exports: [DIRECTORY_SYNC, LaneQueue],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.lanes.close();
  }
}
