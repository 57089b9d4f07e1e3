import { type Delivery } from '@gatehouse/directory-sync';
import { LOGGER } from '@gatehouse/nest-kit/logging';
import { PeriodicWork } from '@gatehouse/nest-kit/tasks';
import { Inject, Injectable } from '@nestjs/common';
import { type Logger } from 'pino';
import { Registry } from 'prom-client';
import { DsyncWorkerConfig } from '../config.js';
import { DELIVERY } from '../delivery.token.js';
import {
  DELIVERY_SYSTEMS,
  type DeliverySystems,
  type WorkerSystem,
} from '../delivery/delivery-systems.js';
import { LaneProcessor } from '../delivery/lane.processor.js';
import { backlogMetrics } from './outbox.metrics.js';

/** Long enough for the connection to Redis to come up. */
const FIRST_SWEEP_AFTER_MS = 500;
const UPKEEP_INTERVAL_MS = 60_000;
/** A directory without requests for this time is reported once. */
const QUIET_AFTER_SECONDS = 7 * 86_400;

/**
 * Wakes lanes that are due and that no worker is delivering: their wake-up was lost, their worker
 * died, or a pause between two attempts is over. Those that the last sweep has woken in vain run in
 * this process, without Redis. Any number of workers may sweep.
 */
@Injectable()
export class OutboxSweep extends PeriodicWork {
  private readonly recordBacklog: ReturnType<typeof backlogMetrics>;
  /** The sources that the last sweep has woken, by system. */
  private readonly woken = new Map<string, ReadonlySet<string>>();
  private keptUpAt = 0;

  constructor(
    config: DsyncWorkerConfig,
    @Inject(DELIVERY) private readonly delivery: Delivery,
    @Inject(DELIVERY_SYSTEMS) private readonly systems: DeliverySystems,
    private readonly processor: LaneProcessor,
    @Inject(LOGGER) private readonly logger: Logger,
    registry: Registry,
  ) {
    // In batch mode nothing else wakes the lanes.
    const sweepSeconds =
      config.delivery.size > 0
        ? config.delivery.intervalSeconds
        : config.delivery.sweepIntervalSeconds;
    super({
      run: (signal) => this.sweep(signal),
      intervalMs: 1_000 * sweepSeconds,
      firstAfterMs: FIRST_SWEEP_AFTER_MS,
      logger,
      failureMessage: 'sweep failed; it is made again',
    });
    this.recordBacklog = backlogMetrics(registry);
  }

  private async sweep(signal: AbortSignal): Promise<void> {
    for (const system of this.systems.values()) await this.sweepSystem(system);
    if (performance.now() - this.keptUpAt > UPKEEP_INTERVAL_MS) {
      this.keptUpAt = performance.now();
      await this.delivery.noticeQuiet(QUIET_AFTER_SECONDS, signal);
      await this.delivery.noticeTokens(signal);
      await this.delivery.purgeDeleted(signal);
    }
  }

  /** A system whose database is away does not stop the others. */
  private async sweepSystem({ name, delivery, lanes, open }: WorkerSystem): Promise<void> {
    try {
      await open();
      const due = await delivery.sweep();
      for (const sourceId of due) lanes.wake(sourceId);
      const isOverdue = (sourceId: string) => this.woken.get(name)?.has(sourceId);
      this.processor.runUnqueued(name, due.filter(isOverdue));
      this.woken.set(name, new Set(due));
      this.recordBacklog(name, await delivery.backlog());
    } catch (error) {
      this.logger.warn({ err: error, system: name }, 'sweep failed; it is made again');
    }
  }
}
