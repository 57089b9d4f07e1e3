import { KEY_SERVICE_ENDPOINT } from '@gatehouse/delivery';
import { type Exchange } from '@gatehouse/kit/exchange';
import { OutboundClosed } from '@gatehouse/kit/outbound';
import { Semaphore } from '@gatehouse/kit/tasks';
import { EXCHANGE } from '@gatehouse/nest-kit/exchange';
import { Shutdown } from '@gatehouse/nest-kit/health';
import { LOGGER } from '@gatehouse/nest-kit/logging';
import { type LaneJob, Queues } from '@gatehouse/schemas';
import {
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { type Logger } from 'pino';
import { Registry } from 'prom-client';
import { DsyncWorkerConfig } from '../config.js';
import { QueueWorker } from '../queue-worker.js';
import { laneMetrics } from './delivery.metrics.js';
import { DELIVERY_SYSTEMS, type DeliverySystems, type WorkerSystem } from './delivery-systems.js';
import { LaneInbox } from './lane-inbox.js';
import { LaneTurns, type TurnEnd } from './lane-turns.js';

/** Longer pauses are left to the sweep, which also works after a restart of this process. */
const TIMER_MS_MAX = 60_000;

/** Lanes that wait for a slow endpoint, in addition to DSYNC_LANE_CONCURRENCY. */
const SLOW_LANES_MAX = 1_000;
/** Sources whose lanes are started at once without the queue. */
const UNQUEUED_MAX = 16;
/** Another worker delivers a lane and may not have seen its last event: the bucket has changed hands. */
const BUSY_RETRY_MS = 1_000;

/** Takes lanes from the queue and from its inbox, and delivers many of them concurrently. */
@Injectable()
export class LaneProcessor implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly stopping = new AbortController();
  /** The next wake-up of each source that this process has planned. */
  private readonly timers = new Map<string, { timer: NodeJS.Timeout; atMs: number }>();
  /** Systems of which lanes run that the queue does not hand out. */
  private readonly unqueued = new Set<string>();
  private readonly turns = new LaneTurns(SLOW_LANES_MAX, this.stopping.signal);
  private readonly observeRun: ReturnType<typeof laneMetrics>;
  private readonly jobs: QueueWorker<LaneJob>;
  private readonly inbox: LaneInbox;

  constructor(
    { delivery }: DsyncWorkerConfig,
    @Inject(DELIVERY_SYSTEMS) private readonly systems: DeliverySystems,
    private readonly shutdown: Shutdown,
    @Inject(EXCHANGE) { queues }: Exchange,
    @Inject(LOGGER) private readonly logger: Logger,
    registry: Registry,
  ) {
    const places = new Semaphore({ max: delivery.laneConcurrency });
    this.observeRun = laneMetrics(registry);
    this.jobs = new QueueWorker({
      queue: Queues.deliveryLane,
      queues,
      concurrency: delivery.laneConcurrency,
      receive: (job) => {
        if (this.systems.has(job.system)) this.inbox.attend(job);
        return places.run(() => this.jobs.work(job));
      },
      work: (job) => this.runLanes(job),
    });
    this.inbox = new LaneInbox({
      inboxes: queues.inboxes,
      places,
      work: (job) => this.jobs.work(job),
      wake: ({ system, sourceId, endpointId }) =>
        this.systems.get(system)?.lanes.wake(sourceId, endpointId),
    });
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.jobs.start();
  }

  /**
   * Waits for the attempt in flight of each lane; other pending events stay in the database. An
   * attempt that takes too long is aborted and counts for nothing: another worker makes it again.
   */
  async onModuleDestroy(): Promise<void> {
    this.stopping.abort();
    for (const { timer } of this.timers.values()) clearTimeout(timer);
    const systems = [...this.systems.values()];
    const abort = setTimeout(() => {
      for (const { delivery } of systems) void delivery.close();
    }, this.shutdown.workMsLeft);
    await Promise.all([this.inbox.close(), this.jobs.close()]);
    await this.turns.ended();
    clearTimeout(abort);
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
        await this.jobs.work({ system, sourceId });
      }
    };
    this.unqueued.add(system);
    const all = Promise.all(Array.from({ length: UNQUEUED_MAX }, runRest));
    void all.then(() => this.unqueued.delete(system));
  }

  private async runLanes({ system: name, sourceId, endpointId }: LaneJob): Promise<void> {
    const system = this.systems.get(name);
    // A job may have waited for its place until the process stops.
    if (!system || this.stopping.signal.aborted) return;
    try {
      await system.open();
      const wake = (id?: string) => system.lanes.wake(sourceId, id);
      const endpoints = await system.delivery.endpointsOf(sourceId, wake, endpointId);
      const lanes = endpoints.map(({ id }) => ({
        // Some endpoints have the same id in every system, or in every source.
        key: `${name} ${sourceId} ${id}`,
        run: () => this.runLane(system, sourceId, id),
        wake: () => wake(aloneId(id)),
      }));
      await Promise.all(lanes.map((lane) => this.turns.start(lane)));
    } catch (error) {
      this.logger.warn({ err: error, sourceId }, 'lanes not run; the sweep tries again');
    }
  }

  private async runLane(system: WorkerSystem, sourceId: string, id: string): Promise<TurnEnd> {
    const startedAt = performance.now();
    let end: TurnEnd = 'failed';
    try {
      const run = await system.delivery.runLane({ id, sourceId }, this.stopping.signal);
      end = run.reason;
      if (run.reason === 'waiting') {
        this.wakeIn(system, sourceId, run.retryAt.getTime() - Date.now(), aloneId(id));
      } else if (run.reason === 'busy') {
        this.wakeIn(system, sourceId, BUSY_RETRY_MS, aloneId(id));
      }
    } catch (error) {
      if (!(error instanceof OutboundClosed)) {
        this.logger.warn({ err: error, endpointId: id }, 'lane run failed; the sweep tries again');
      }
    }
    this.observeRun(end, (performance.now() - startedAt) / 1_000);
    return end;
  }

  private wakeIn(
    { name, lanes }: WorkerSystem,
    sourceId: string,
    ms: number,
    endpointId: string | undefined,
  ): void {
    const delayMs = Math.max(ms, 0) + 5;
    if (delayMs > TIMER_MS_MAX || this.stopping.signal.aborted) return;
    const key = `${name} ${sourceId} ${endpointId}`;
    const atMs = performance.now() + delayMs;
    const planned = this.timers.get(key);
    if (planned && planned.atMs <= atMs) return;
    clearTimeout(planned?.timer);
    const timer = setTimeout(() => {
      this.timers.delete(key);
      lanes.wake(sourceId, endpointId);
    }, delayMs);
    this.timers.set(key, { timer, atMs });
  }
}

/** Only the lane of the key service: it goes on while webhooks wait for their batch. */
function aloneId(endpointId: string): string | undefined {
  return endpointId === KEY_SERVICE_ENDPOINT ? endpointId : undefined;
}
