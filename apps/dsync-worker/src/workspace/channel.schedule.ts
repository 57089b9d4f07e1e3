import { type WorkspacePush } from '@gatehouse/directory-sync';
import { LOGGER } from '@gatehouse/nest-kit/logging';
import { PeriodicWork } from '@gatehouse/nest-kit/tasks';
import { Inject, Injectable } from '@nestjs/common';
import { type Logger } from 'pino';
import { DsyncWorkerConfig } from '../config.js';
import { WORKSPACE_PUSH } from './workspace.tokens.js';

/**
 * Opens and renews the notification channels of workspace directories. Apart from the schedule of
 * runs, which must not wait for a provider. Any number of workers may do so.
 */
@Injectable()
export class ChannelSchedule extends PeriodicWork {
  constructor(
    { delivery }: DsyncWorkerConfig,
    @Inject(WORKSPACE_PUSH) push: WorkspacePush | null,
    @Inject(LOGGER) logger: Logger,
  ) {
    const keepUp = (channels: WorkspacePush) => ({
      run: (signal: AbortSignal) => channels.keepUp(signal),
      intervalMs: 1_000 * delivery.sweepIntervalSeconds,
      logger,
      failureMessage: 'notification channels not checked; it is done again',
    });
    super(...(push ? [keepUp(push)] : []));
  }
}
