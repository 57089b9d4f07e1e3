import { LOGGER } from '@gatehouse/nest-kit/logging';
import { PeriodicWork } from '@gatehouse/nest-kit/tasks';
import { Inject, Injectable } from '@nestjs/common';
import { type Logger } from 'pino';
import { FlowsRepository } from '../flows/flows.repository.js';

const INTERVAL_MS = 10 * 60_000;
const EXPIRED_FLOW_SECONDS = 7 * 86_400;
const BATCH = 1000;
const BATCHES_MAX = 100;

/**
 * Deletes flows a week after they expired; until then they answer "has expired" rather than "not
 * found". Every replica runs it; rows that another one is deleting are skipped.
 */
@Injectable()
export class RetentionTask extends PeriodicWork {
  constructor(
    private readonly flows: FlowsRepository,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    super({
      run: (signal) => this.run(signal),
      intervalMs: INTERVAL_MS,
      logger,
      failureMessage: 'deleting old rows failed',
    });
  }

  /** Deletes what is old now, until `signal` aborts. */
  async run(signal?: AbortSignal): Promise<void> {
    const flowsBefore = secondsAgo(EXPIRED_FLOW_SECONDS);
    const flows = await inBatches((n) => this.flows.deleteExpiredBefore(flowsBefore, n), signal);
    if (flows > 0) this.logger.info({ flows }, 'old rows deleted');
  }
}

async function inBatches(
  deleteSome: (limit: number) => Promise<number>,
  signal?: AbortSignal,
): Promise<number> {
  let total = 0;
  for (let batch = 0; batch < BATCHES_MAX && !signal?.aborted; batch += 1) {
    const deleted = await deleteSome(BATCH);
    total += deleted;
    if (deleted < BATCH) break;
  }
  return total;
}

function secondsAgo(seconds: number): Date {
  return new Date(Date.now() - seconds * 1000);
}
