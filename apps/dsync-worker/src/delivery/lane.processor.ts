import { type LaneRun, OutboundClosed, queuePrefix, queueSpan } from '@gatehouse/delivery';
import { setTimeout as sleep } from 'node:timers/promises';
import { closeRedis, type RedisClient, redisConnection } from '@gatehouse/kit/redis';
import { inEntry } from '@gatehouse/kit/tracing';
import { Shutdown } from '@gatehouse/nest-kit/health';
import { LOGGER } from '@gatehouse/nest-kit/logging';
import { type LaneJob, Queues } from '@gatehouse/schemas';
import {
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { Worker } from 'bullmq';
import { type Logger } from 'pino';
import { Registry } from 'prom-client';
import { DsyncWorkerConfig } from '../config.js';
import { laneMetrics } from './delivery.metrics.js';
import { DELIVERY_SYSTEMS, type DeliverySystems, type WorkerSystem } from './delivery-systems.js';
import { LongRuns, PATIENCE_MS } from './long-runs.js';

/** Longer pauses are left to the sweep, which also works after a restart of this process. */
const TIMER_MS_MAX = 60_000;

/**
 * Other workers take over the lanes of a dead worker after this time. A lock that expires too early
 * does no harm: the lease of the lane, not the lock of the job, keeps two workers apart.
 */
const LOCK_MS = 10_000;
const STALLED_CHECK_MS = 5_000;
const STALLED_TIMES_MAX = 1_000;
/** Lanes that wait for a slow endpoint, in addition to DSYNC_LANE_CONCURRENCY. */
const SLOW_LANES_MAX = 1_000;
/** Sources whose lanes are started at once without the queue. */
const UNQUEUED_MAX = 16;

type RunEnd = LaneRun['reason'] | 'failed';

/** Takes lanes from the queue and delivers many of them concurrently. */
@Injectable()
export class LaneProcessor implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly stopping = new AbortController();
  private readonly timers = new Map<string, NodeJS.Timeout>();
  /** Endpoints, with their system, whose lane this process runs, and whether they were woken again meanwhile. */
  private readonly running = new Map<string, { again: boolean }>();
  private readonly runs = new Set<Promise<void>>();
  /** By system. */
  private readonly unqueued = new Map<string, Promise<void>>();
  private readonly longRuns: LongRuns;
  private readonly observeRun: ReturnType<typeof laneMetrics>;
  private connection: RedisClient | undefined;
  private worker: Worker<LaneJob> | undefined;

  constructor(
    private readonly config: DsyncWorkerConfig,
    @Inject(DELIVERY_SYSTEMS) private readonly systems: DeliverySystems,
    private readonly shutdown: Shutdown,
    @Inject(LOGGER) private readonly logger: Logger,
    registry: Registry,
  ) {
    this.observeRun = laneMetrics(registry);
    this.longRuns = new LongRuns(SLOW_LANES_MAX);
  }

  onApplicationBootstrap(): void {
    this.connection = redisConnection(this.config.redis, 'worker', this.logger);
    this.worker = new Worker<LaneJob>(Queues.deliveryLane, ({ data }) => this.process(data), {
      connection: this.connection,
      prefix: queuePrefix(this.config.redis.namespace),
      concurrency: this.config.delivery.laneConcurrency,
      lockDuration: LOCK_MS,
      stalledInterval: STALLED_CHECK_MS,
      maxStalledCount: STALLED_TIMES_MAX,
      removeOnComplete: { count: 0 },
      removeOnFail: { count: 0 },
    });
    // The connection logs outages itself; a failed job is logged in `process`.
    this.worker.on('error', () => undefined);
  }

  /**
   * Waits for the attempt in flight of each lane; other pending events stay in the database. An
   * attempt that takes too long is aborted and counts for nothing: another worker makes it again.
   */
  async onModuleDestroy(): Promise<void> {
    this.stopping.abort();
    this.longRuns.close();
    for (const timer of this.timers.values()) clearTimeout(timer);
    const systems = [...this.systems.values()];
    const abort = setTimeout(() => {
      for (const { delivery } of systems) void delivery.close();
    }, this.shutdown.workMsLeft);
    // BullMQ would wait for a Redis that is away; the runs are awaited here in any case.
    await this.worker?.close(this.connection?.status !== 'ready');
    await Promise.all(this.unqueued.values());
    await Promise.all(this.runs);
    clearTimeout(abort);
    if (this.connection) await closeRedis(this.connection);
    await Promise.all(systems.map(({ delivery }) => delivery.close()));
    await Promise.all(systems.map(({ close }) => close()));
  }

  /**
   * Runs the lanes of sources whose wake-ups have led to nothing: Redis is away, or it holds what keeps
   * the queue from handing them out. Returns at once, and does nothing while an earlier call runs.
   */
  runUnqueued(system: string, sourceIds: readonly string[]): void {
    if (sourceIds.length === 0 || this.unqueued.has(system)) return;
    const rest = sourceIds.values();
    const runRest = async () => {
      for (const sourceId of rest) {
        if (this.stopping.signal.aborted) return;
        await this.process({ system, sourceId });
      }
    };
    const all = Promise.all(Array.from({ length: UNQUEUED_MAX }, runRest));
    const ended = all.then(() => void this.unqueued.delete(system));
    this.unqueued.set(system, ended);
  }

  /**
   * Runs the lanes of a source. A lane that takes long gives its place in the queue to others after
   * `PATIENCE_MS` and goes on beside them, also in its next turns.
   */
  private process({ traceparent, ...job }: LaneJob): Promise<void> {
    const span = queueSpan('process', Queues.deliveryLane);
    return inEntry(span, [traceparent], () => this.runLanes(job));
  }

  private async runLanes({ system: name, sourceId }: LaneJob): Promise<void> {
    const system = this.systems.get(name);
    if (!system) return;
    try {
      await system.open();
      const endpoints = await system.delivery.endpointsOf(sourceId);
      await Promise.all(endpoints.map(({ id }) => this.start(system, sourceId, id)));
    } catch (error) {
      this.logger.warn({ err: error, sourceId }, 'lanes not run; the sweep tries again');
    }
  }

  private async start(system: WorkerSystem, sourceId: string, endpointId: string): Promise<void> {
    // The endpoint of operations has the same id in every system.
    const key = `${system.name} ${endpointId}`;
    if (this.running.has(key)) {
      this.running.set(key, { again: true });
      return;
    }
    this.running.set(key, { again: false });
    let hasAttempted = true;
    const start = () => {
      const run = this.run(system, sourceId, endpointId).then((end) => {
        hasAttempted = end !== 'waiting' && end !== 'busy';
        const hasMore = end === 'yielded';
        const isWokenAgain = this.running.get(key)?.again;
        this.running.delete(key);
        this.runs.delete(run);
        const goesOn = hasMore && !this.stopping.signal.aborted;
        if (goesOn && this.longRuns.expects(key)) {
          void this.start(system, sourceId, endpointId);
        } else if (hasMore || isWokenAgain) {
          system.lanes.wake(sourceId);
        }
      });
      this.runs.add(run);
      return run;
    };
    if (this.longRuns.expects(key)) return this.longRuns.add(key, start);
    const run = start();
    const patience = sleep(PATIENCE_MS, 'long', { ref: false });
    const outcome = await Promise.race([run, patience]);
    if (outcome !== 'long') {
      // A run that found a pause, or another worker, says nothing about the endpoint.
      if (hasAttempted) this.longRuns.forget(key);
    } else if (!this.longRuns.adopt(key, run)) await run;
  }

  private async run(system: WorkerSystem, sourceId: string, endpointId: string): Promise<RunEnd> {
    const startedAt = performance.now();
    let end: RunEnd = 'failed';
    try {
      const endpoint = { id: endpointId, sourceId };
      const run: LaneRun = await system.delivery.runLane(endpoint, this.stopping.signal);
      end = run.reason;
      if (run.reason === 'waiting') this.wakeAt(system, sourceId, run.retryAt);
      return end;
    } catch (error) {
      if (!(error instanceof OutboundClosed)) {
        this.logger.warn({ err: error, endpointId }, 'lane run failed; the sweep tries again');
      }
      return 'failed';
    } finally {
      this.observeRun(end, (performance.now() - startedAt) / 1_000);
    }
  }

  private wakeAt({ name, lanes }: WorkerSystem, sourceId: string, at: Date): void {
    const delayMs = Math.max(at.getTime() - Date.now() + 5, 5);
    if (delayMs > TIMER_MS_MAX || this.stopping.signal.aborted) return;
    const key = `${name} ${sourceId}`;
    clearTimeout(this.timers.get(key));
    const timer = setTimeout(() => {
      this.timers.delete(key);
      lanes.wake(sourceId);
    }, delayMs);
    this.timers.set(key, timer);
  }
}
