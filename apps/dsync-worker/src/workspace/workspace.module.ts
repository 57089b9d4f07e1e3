import { KEY_SERVICE_ENDPOINT, LaneQueue } from '@gatehouse/delivery';
import {
  createWorkspacePush,
  createWorkspaceRuns,
  createWorkspaceSessions,
  RunQueue,
  type WorkspacePush,
  type WorkspaceRuns,
  type WorkspaceSessionSource,
} from '@gatehouse/directory-sync';
import { type Exchange } from '@gatehouse/kit/exchange';
import { EXCHANGE } from '@gatehouse/nest-kit/exchange';
import { LOGGER } from '@gatehouse/nest-kit/logging';
import { Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { type Logger } from 'pino';
import { DataSource } from 'typeorm';
import { DsyncWorkerConfig } from '../config.js';
import { providerSettings } from '../provider-settings.js';
import { ChannelSchedule } from './channel.schedule.js';
import { RunProcessor } from './run.processor.js';
import { RunSchedule } from './run.schedule.js';
import { WORKSPACE_PUSH, WORKSPACE_RUNS, WORKSPACE_SESSIONS } from './workspace.tokens.js';

/** A directory has at most one run by notifications in this time. */
const PUSH_INTERVAL_SECONDS = 60;

/** Carries out runs of workspace directories, on schedule and on demand. */
@Module({
  providers: [
    {
      provide: RunQueue,
      inject: [EXCHANGE, LOGGER],
      useFactory: ({ queues }: Exchange, logger: Logger) => new RunQueue(queues, logger),
    },
    {
      provide: WORKSPACE_SESSIONS,
      inject: [DsyncWorkerConfig, DataSource],
      useFactory: (config: DsyncWorkerConfig, dataSource: DataSource): WorkspaceSessionSource => {
        const { encryptionKeys } = config;
        const providers = providerSettings(config);
        return createWorkspaceSessions({ dataSource, encryptionKeys, providers });
      },
    },
    {
      provide: WORKSPACE_RUNS,
      inject: [DsyncWorkerConfig, DataSource, WORKSPACE_SESSIONS, LaneQueue, LOGGER],
      useFactory: (
        config: DsyncWorkerConfig,
        dataSource: DataSource,
        sessions: WorkspaceSessionSource,
        lanes: LaneQueue,
        logger: Logger,
      ): WorkspaceRuns =>
        createWorkspaceRuns({
          dataSource,
          sessions,
          logger,
          maxDeleteRatio: config.workspace.maxDeleteRatio,
          wakeLane: (directoryId, isLinked) => {
            // In batch mode, webhooks wait for the next batch.
            if (config.delivery.size === 0) lanes.wake(directoryId);
            else if (isLinked) lanes.wake(directoryId, KEY_SERVICE_ENDPOINT);
          },
        }),
    },
    {
      provide: WORKSPACE_PUSH,
      inject: [DsyncWorkerConfig, DataSource, WORKSPACE_SESSIONS, LOGGER],
      useFactory: (
        config: DsyncWorkerConfig,
        dataSource: DataSource,
        sessions: WorkspaceSessionSource,
        logger: Logger,
      ): WorkspacePush | null => {
        if (!config.workspace.isPushed) return null;
        return createWorkspacePush({
          watch: (directoryId) => sessions.watch(directoryId),
          dataSource,
          externalUrl: config.workspace.externalUrl,
          intervalSeconds: PUSH_INTERVAL_SECONDS,
          logger,
        });
      },
    },
    RunProcessor,
    RunSchedule,
    ChannelSchedule,
  ],
})
export class WorkspaceModule implements OnApplicationShutdown {
  constructor(@Inject(WORKSPACE_SESSIONS) private readonly sessions: WorkspaceSessionSource) {}

  async onApplicationShutdown(): Promise<void> {
    await this.sessions.close();
  }
}
