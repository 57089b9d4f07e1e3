/**
 * Deletes what has served its time: flows a week after they expired (until then they answer "has
 * expired" rather than "not found") and old events. Every replica runs it; rows that another one is
 * deleting are skipped.
 */
import { LOGGER } from '@gatehouse/service-kit';
import {
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { type Logger } from 'pino';
import { IdentityFormsConfig } from '../config.js';
import { FlowsRepository } from '../flows/flows.repository.js';
import { describeCause } from '../http/problem.filter.js';
import { IdentitiesRepository } from '../identities/identities.repository.js';

const INTERVAL_MS = 10 * 60_000;
const EXPIRED_FLOW_SECONDS = 7 * 86_400;
const BATCH = 1000;
const BATCHES_MAX = 100;

@Injectable()
export class RetentionTask implements OnApplicationBootstrap, OnModuleDestroy {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();
  private isStopping = false;

  constructor(
    private readonly flows: FlowsRepository,
    private readonly identities: IdentitiesRepository,
    private readonly config: IdentityFormsConfig,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      this.running = this.run().catch((error: unknown) => {
        this.logger.warn({ cause: describeCause(error) }, 'deleting old rows failed');
      });
    }, INTERVAL_MS);
    this.timer.unref();
  }

  async onModuleDestroy(): Promise<void> {
    this.isStopping = true;
    clearInterval(this.timer);
    await this.running;
  }

  /** One round, as the timer runs it. */
  async run(now: Date = new Date()): Promise<void> {
    const flowsBefore = secondsBefore(now, EXPIRED_FLOW_SECONDS);
    const eventsBefore = secondsBefore(now, this.config.eventRetentionSeconds);
    const flows = await this.inBatches((n) => this.flows.deleteExpiredBefore(flowsBefore, n));
    const events = await this.inBatches((n) => this.identities.deleteEventsBefore(eventsBefore, n));
    if (flows + events > 0) this.logger.info({ flows, events }, 'old rows deleted');
  }

  private async inBatches(deleteSome: (limit: number) => Promise<number>): Promise<number> {
    let total = 0;
    for (let batch = 0; batch < BATCHES_MAX && !this.isStopping; batch += 1) {
      const deleted = await deleteSome(BATCH);
      total += deleted;
      if (deleted < BATCH) break;
    }
    return total;
  }
}

function secondsBefore(now: Date, seconds: number): Date {
  return new Date(now.getTime() - seconds * 1000);
}
