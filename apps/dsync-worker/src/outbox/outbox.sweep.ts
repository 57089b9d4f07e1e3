import { type Delivery, LaneQueue } from '@gatehouse/directory-sync';
import { LOGGER } from '@gatehouse/service-kit';
import {
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { type Logger } from 'pino';
import { Registry } from 'prom-client';
import { type DsyncWorkerConfig } from '../config.js';
import { backlogMetrics } from '../delivery/delivery.metrics.js';
import { CONFIG, DELIVERY } from '../delivery/delivery.tokens.js';

/** Long enough for the connection to Redis to come up. */
const FIRST_SWEEP_AFTER_MS = 500;
const PURGE_EVERY_MS = 60_000;

/**
 * Wakes lanes that have something to do and that nobody works on: their wake-up was lost, their
 * worker died, or a pause between two attempts is over. Any number of workers may sweep.
 */
@Injectable()
export class OutboxSweep implements OnApplicationBootstrap, OnModuleDestroy {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();
  private isStopping = false;
  private purgedAt = 0;
  private readonly tellBacklog: ReturnType<typeof backlogMetrics>;

  constructor(
    @Inject(CONFIG) private readonly config: DsyncWorkerConfig,
    @Inject(DELIVERY) private readonly delivery: Delivery,
    private readonly lanes: LaneQueue,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(Registry) registry: Registry,
  ) {
    this.tellBacklog = backlogMetrics(registry);
  }

  onApplicationBootstrap(): void {
    this.schedule(FIRST_SWEEP_AFTER_MS);
  }

  async onModuleDestroy(): Promise<void> {
    this.isStopping = true;
    clearTimeout(this.timer);
    await this.running;
  }

  private schedule(delayMs: number): void {
    if (this.isStopping) return;
    this.timer = setTimeout(() => {
      this.running = this.sweep().finally(() =>
        this.schedule(this.config.sweepIntervalSeconds * 1000),
      );
    }, delayMs);
  }

  private async sweep(): Promise<void> {
    try {
      for (const directoryId of await this.delivery.idleLanes()) this.lanes.wake(directoryId);
      this.tellBacklog(await this.delivery.backlog());
      if (performance.now() - this.purgedAt > PURGE_EVERY_MS) {
        this.purgedAt = performance.now();
        await this.delivery.purgeDeleted();
      }
    } catch (error) {
      this.logger.warn({ err: error }, 'sweep failed; it is made again');
    }
  }
}
