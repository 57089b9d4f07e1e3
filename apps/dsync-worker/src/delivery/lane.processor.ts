import { type Delivery, LaneQueue, OutboundClosed, queuePrefix } from '@gatehouse/directory-sync';
import { closeRedis, LOGGER, redisConnection, Shutdown } from '@gatehouse/service-kit';
import { type LaneJob, Queues } from '@gatehouse/schemas';
import {
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { Worker } from 'bullmq';
import { type Redis } from 'ioredis';
import { type Logger } from 'pino';
import { DsyncWorkerConfig } from '../config.js';
import { DELIVERY } from '../delivery.token.js';

/** Longer pauses are left to the sweep, which also works after a restart of this process. */
const TIMER_MS_MAX = 60_000;

/**
 * Other workers take over the lanes of a dead worker after this time. A lock that expires too early
 * does no harm: the lease of the lane, not the lock of the job, keeps two workers apart.
 */
const LOCK_MS = 10_000;
const STALLED_CHECK_MS = 5_000;
const STALLED_TIMES_MAX = 1_000;

/** Takes lanes from the queue and delivers many of them concurrently. */
@Injectable()
export class LaneProcessor implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly stopping = new AbortController();
  private readonly timers = new Map<string, NodeJS.Timeout>();
  private connection: Redis | undefined;
  private worker: Worker<LaneJob> | undefined;

  constructor(
    private readonly config: DsyncWorkerConfig,
    @Inject(DELIVERY) private readonly delivery: Delivery,
    private readonly lanes: LaneQueue,
    private readonly shutdown: Shutdown,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.connection = redisConnection(this.config.redisUrl, 'worker', this.logger);
    this.worker = new Worker<LaneJob>(
      Queues.deliveryLane,
      ({ data }) => this.process(data.directoryId),
      {
        connection: this.connection,
        prefix: queuePrefix(this.config.redisNamespace),
        concurrency: this.config.laneConcurrency,
        lockDuration: LOCK_MS,
        stalledInterval: STALLED_CHECK_MS,
        maxStalledCount: STALLED_TIMES_MAX,
        removeOnComplete: { count: 0 },
        removeOnFail: { count: 0 },
      },
    );
    // The connection logs outages itself; a failed job is logged in `process`.
    this.worker.on('error', () => undefined);
  }

  /**
   * Waits for the attempt in flight of each lane; other pending events stay in the database. An
   * attempt that takes too long is aborted and counts for nothing: another worker makes it again.
   */
  async onModuleDestroy(): Promise<void> {
    this.stopping.abort();
    for (const timer of this.timers.values()) clearTimeout(timer);
    const abort = setTimeout(() => void this.delivery.close(), this.shutdown.workMsLeft);
    await this.worker?.close();
    clearTimeout(abort);
    if (this.connection) await closeRedis(this.connection);
    await this.delivery.close();
  }

  private async process(directoryId: string): Promise<void> {
    try {
      const run = await this.delivery.runLane(directoryId, this.stopping.signal);
      if (run.reason === 'yielded') this.lanes.wake(directoryId);
      if (run.reason === 'waiting') this.wakeAt(directoryId, run.retryAt);
    } catch (error) {
      if (error instanceof OutboundClosed) return;
      this.logger.warn({ err: error, directoryId }, 'lane run failed; the sweep tries again');
    }
  }

  private wakeAt(directoryId: string, at: Date): void {
    const delayMs = Math.max(at.getTime() - Date.now() + 5, 5);
    if (delayMs > TIMER_MS_MAX || this.stopping.signal.aborted) return;
    clearTimeout(this.timers.get(directoryId));
    const timer = setTimeout(() => {
      this.timers.delete(directoryId);
      this.lanes.wake(directoryId);
    }, delayMs);
    this.timers.set(directoryId, timer);
  }
}
