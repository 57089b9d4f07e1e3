import { type RoleJobs } from '@gatehouse/directory-sync';
import { LOGGER } from '@gatehouse/nest-kit/logging';
import { PeriodicWork } from '@gatehouse/nest-kit/tasks';
import { Inject, Injectable } from '@nestjs/common';
import { type Logger } from 'pino';
import { DsyncWorkerConfig } from '../config.js';
import { ROLE_JOBS } from './roles.tokens.js';

/** Long enough for the other parts to start. */
const FIRST_SWEEP_AFTER_MS = 500;
/** After this time, the next directory gets a turn. */
const TURN_MS = 10_000;
const INTERRUPTED = 'a change of roles was interrupted; it goes on later';

/**
 * Goes on with changes of role mappings that are under way: they are large, or their process died. Any
 * number of workers may do so, because each batch locks its mapping.
 */
@Injectable()
export class RoleSchedule extends PeriodicWork {
  constructor(
    config: DsyncWorkerConfig,
    @Inject(ROLE_JOBS) private readonly jobs: RoleJobs,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    super({
      run: (signal) => this.sweep(signal),
      intervalMs: 1_000 * config.delivery.sweepIntervalSeconds,
      firstAfterMs: FIRST_SWEEP_AFTER_MS,
      logger,
      failureMessage: INTERRUPTED,
    });
  }

  /** A directory whose roles cannot be changed does not stop the others. */
  private async sweep(signal: AbortSignal): Promise<void> {
    for (const directoryId of await this.jobs.dueIds()) {
      if (signal.aborted) return;
      try {
        await this.jobs.run(directoryId, TURN_MS, signal);
      } catch (error) {
        this.logger.warn({ err: error, directoryId }, INTERRUPTED);
      }
    }
  }
}
