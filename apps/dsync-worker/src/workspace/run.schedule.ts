import { RunQueue, type WorkspacePush, type WorkspaceRuns } from '@gatehouse/directory-sync';
import { LOGGER } from '@gatehouse/nest-kit/logging';
import { PeriodicWork } from '@gatehouse/nest-kit/tasks';
import { Inject, Injectable } from '@nestjs/common';
import { CronExpressionParser } from 'cron-parser';
import { type Logger } from 'pino';
import { DsyncWorkerConfig } from '../config.js';
import { NO_SCHEDULE } from '../setting-parsers.js';
import { WORKSPACE_PUSH, WORKSPACE_RUNS } from './workspace.tokens.js';

/** Scheduled runs start within this time, each directory at a time of its own. */
const JITTER_SECONDS = 600;
/** Long enough for the connection to Redis to come up. */
const FIRST_SWEEP_AFTER_MS = 500;

/**
 * Starts the runs that the schedule and notifications ask for, and wakes runs that are due and that no worker has: they
 * are new, their pause is over, or their worker died. Any number of workers may do so: a directory has
 * at most one unfinished run, and one run for each time of the schedule.
 */
@Injectable()
export class RunSchedule extends PeriodicWork {
  constructor(
    private readonly config: DsyncWorkerConfig,
    @Inject(WORKSPACE_RUNS) private readonly runs: WorkspaceRuns,
    @Inject(WORKSPACE_PUSH) private readonly push: WorkspacePush | null,
    private readonly queue: RunQueue,
    @Inject(LOGGER) logger: Logger,
  ) {
    super({
      run: () => this.sweep(),
      intervalMs: 1_000 * config.delivery.sweepIntervalSeconds,
      firstAfterMs: FIRST_SWEEP_AFTER_MS,
      logger,
      failureMessage: 'sweep of workspace runs failed; it is made again',
    });
  }

  private async sweep(): Promise<void> {
    const { syncCron: cron } = this.config.workspace;
    if (cron !== NO_SCHEDULE) {
      const since = CronExpressionParser.parse(cron, { tz: 'UTC' }).prev().toDate();
      await this.runs.startScheduled(since, JITTER_SECONDS);
    }
    await this.push?.startPushed();
    for (const runId of await this.runs.dueIds()) this.queue.wake(runId);
  }
}
