import { type WorkspacePush } from '@gatehouse/directory-sync';
import { PeriodicTask } from '@gatehouse/kit/tasks';
import { LOGGER } from '@gatehouse/nest-kit/logging';
import {
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { type Logger } from 'pino';
import { DsyncWorkerConfig } from '../config.js';
import { WORKSPACE_PUSH } from './workspace.tokens.js';

/**
 * Opens and renews the notification channels of workspace directories. Apart from the schedule of
 * runs, which must not wait for a provider. Any number of workers may do so.
 */
@Injectable()
export class ChannelSchedule implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly task: PeriodicTask | undefined;

  constructor(
    { delivery }: DsyncWorkerConfig,
    @Inject(WORKSPACE_PUSH) push: WorkspacePush | null,
    @Inject(LOGGER) logger: Logger,
  ) {
    if (!push) return;
    this.task = new PeriodicTask({
      run: (signal) => push.keepUp(signal),
      intervalMs: 1_000 * delivery.sweepIntervalSeconds,
      logger,
      failureMessage: 'notification channels not checked; it is done again',
    });
  }

  onApplicationBootstrap(): void {
    this.task?.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.task?.stop();
  }
}
