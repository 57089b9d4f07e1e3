import { queuePrefix, queueSpan } from '@gatehouse/delivery';
import { RunQueue, type WorkspaceRuns } from '@gatehouse/directory-sync';
import { Queues, type RunJob } from '@gatehouse/schemas';
import { closeRedis, type RedisClient, redisConnection } from '@gatehouse/kit/redis';
import { inEntry } from '@gatehouse/kit/tracing';
import { LOGGER } from '@gatehouse/nest-kit/logging';
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
import { runMetrics, type TurnEnd } from './run.metrics.js';
import { WORKSPACE_RUNS } from './workspace.tokens.js';

/** Then another directory has its turn. */
const TURN_SECONDS = 60;

/** The lease of the run, not the lock of the job, keeps two workers apart. */
/** Runs of workspace directories that this process carries out at once. */
const CONCURRENT_RUNS = 2;
const LOCK_MS = 15_000;
const STALLED_CHECK_MS = 5_000;
const STALLED_TIMES_MAX = 1_000;

/** Takes runs of workspace directories from the queue, and goes on with each for one turn. */
@Injectable()
export class RunProcessor implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly stopping = new AbortController();
  private readonly observe: ReturnType<typeof runMetrics>;
  private connection: RedisClient | undefined;
  private worker: Worker<RunJob> | undefined;
  private readonly turns = new Set<Promise<void>>();

  constructor(
    private readonly config: DsyncWorkerConfig,
    @Inject(WORKSPACE_RUNS) private readonly runs: WorkspaceRuns,
    private readonly queue: RunQueue,
    @Inject(LOGGER) private readonly logger: Logger,
    registry: Registry,
  ) {
    this.observe = runMetrics(registry);
  }

  onApplicationBootstrap(): void {
    this.connection = redisConnection(this.config.redis, 'worker', this.logger);
    this.worker = new Worker<RunJob>(
      Queues.workspaceRun,
      ({ data }) => this.track(this.process(data)),
      {
        connection: this.connection,
        prefix: queuePrefix(this.config.redis.namespace),
        concurrency: CONCURRENT_RUNS,
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

  /** Each run stops at its next page or batch and is given back, for another worker to go on with. */
  async onModuleDestroy(): Promise<void> {
    this.stopping.abort();
    // BullMQ would wait for a Redis that is away; the turns are awaited here in any case.
    await this.worker?.close(this.connection?.status !== 'ready');
    await Promise.all(this.turns);
    if (this.connection) await closeRedis(this.connection);
    await this.runs.close();
  }

  private async track(turn: Promise<void>): Promise<void> {
    this.turns.add(turn);
    await turn.finally(() => this.turns.delete(turn));
  }

  private process({ traceparent, runId }: RunJob): Promise<void> {
    const span = queueSpan('process', Queues.workspaceRun);
    return inEntry(span, [traceparent], () => this.takeTurn(runId));
  }

  private async takeTurn(runId: string): Promise<void> {
    const startedAt = performance.now();
    let end: TurnEnd = 'failed';
    try {
      const { signal } = this.stopping;
      end = await this.runs.run(runId, { signal, turnSeconds: TURN_SECONDS });
      if (end === 'yielded' && !signal.aborted) this.queue.wake(runId);
    } catch (error) {
      this.logger.warn(
        { err: error, runId },
        'workspace run interrupted; the sweep goes on with it',
      );
    } finally {
      this.observe(end, (performance.now() - startedAt) / 1_000);
    }
  }
}
