import { LaneQueue } from '@gatehouse/delivery';
import { EventRetention, LaneQueueModule } from '@gatehouse/delivery/nest';
import {
  createDirectorySync,
  type DirectorySync,
  DSYNC_SCHEMA,
  RunQueue,
} from '@gatehouse/directory-sync';
import { type Exchange } from '@gatehouse/kit/exchange';
import { PartitionRetention } from '@gatehouse/nest-kit/database';
import { EXCHANGE } from '@gatehouse/nest-kit/exchange';
import { LOGGER } from '@gatehouse/nest-kit/logging';
import { type BeforeApplicationShutdown, type DynamicModule, Inject, Module } from '@nestjs/common';
import { type Logger } from 'pino';
import { DataSource } from 'typeorm';
import { type DsyncApiConfig } from './config.js';

/** Logged SCIM requests are dropped after this time, by whole days. */
const REQUEST_LOG_TTL_SECONDS = 7 * 86_400;

/** Injection token of the controller object of directory sync. */
export const DIRECTORY_SYNC = Symbol('DIRECTORY_SYNC');

/** Connects directory sync to the database, Redis and log of this process. */
@Module({})
export class SyncModule implements BeforeApplicationShutdown {
  constructor(@Inject(DIRECTORY_SYNC) private readonly sync: DirectorySync) {}

  static forRoot(config: DsyncApiConfig): DynamicModule {
    return {
      module: SyncModule,
      global: true,
      imports: [LaneQueueModule.forRoot(DSYNC_SCHEMA)],
      providers: [
        {
          provide: DIRECTORY_SYNC,
          inject: [DataSource, LaneQueue, RunQueue, LOGGER],
          useFactory: (
            dataSource: DataSource,
            lanes: LaneQueue,
            runs: RunQueue,
            logger: Logger,
          ): DirectorySync =>
            createDirectorySync({
              dataSource,
              externalUrl: config.externalUrl,
              encryptionKeys: config.encryptionKeys,
              outbound: config.webhooks,
              workspace: {
                google: {
                  clientId: config.workspace.googleClientId,
                  clientSecret: config.workspace.googleClientSecret,
                  authUrl: config.workspace.googleAuthUrl,
                  tokenUrl: config.workspace.googleTokenUrl,
                  apiUrl: config.workspace.googleApiUrl,
                },
                entra: {
                  clientId: config.workspace.entraClientId,
                  loginUrl: config.workspace.entraLoginUrl,
                },
              },
              requestLog: { redacted: config.captureRedacted },
              wakeLane: (directoryId, endpointId) => lanes.wake(directoryId, endpointId),
              wakeRun: (runId) => runs.wake(runId),
              sendsAtOnce: config.batches.size === 0,
              logger,
            }),
        },
        {
          provide: RunQueue,
          inject: [EXCHANGE, LOGGER],
          useFactory: ({ queues }: Exchange, logger: Logger) => new RunQueue(queues, logger),
        },
        {
          provide: EventRetention,
          inject: [DataSource, LOGGER],
          useFactory: (dataSource: DataSource, logger: Logger) =>
            new EventRetention(dataSource, DSYNC_SCHEMA, config.eventsTtlSeconds, logger),
        },
        {
          provide: PartitionRetention,
          inject: [DIRECTORY_SYNC, LOGGER],
          useFactory: (sync: DirectorySync, logger: Logger) =>
            new PartitionRetention(
              () => sync.maintainRequestLog(REQUEST_LOG_TTL_SECONDS),
              logger,
              'partitions of the log of SCIM requests could not be maintained',
            ),
        },
      ],
      exports: [DIRECTORY_SYNC],
    };
  }

  /** Before the connections close, because it writes to the database. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.sync.close();
  }
}
