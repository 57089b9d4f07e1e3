import { RunQueue, type WorkspaceRuns } from '@gatehouse/directory-sync';
import { Queues, type RunJob } from '@gatehouse/schemas';
import { type Exchange } from '@gatehouse/kit/exchange';
import { EXCHANGE } from '@gatehouse/nest-kit/exchange';
import { LOGGER } from '@gatehouse/nest-kit/logging';
import {
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { type Logger } from 'pino';
import { Registry } from 'prom-client';
import { QueueWorker } from '../queue-worker.js';
import { runMetrics, type TurnEnd } from './run.metrics.js';
import { WORKSPACE_RUNS } from './workspace.tokens.js';

/** Time after which another directory has its turn. */
const TURN_SECONDS = 60;
/** Runs of workspace directories that this process carries out at once. */
const CONCURRENT_RUNS = 2;

/** Takes runs of workspace directories from the queue, and goes on with each for one turn. */
@Injectable()
export class RunProcessor implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly stopping = new AbortController();
  private readonly observe: ReturnType<typeof runMetrics>;
  private readonly jobs: QueueWorker<RunJob>;

  constructor(
    @Inject(WORKSPACE_RUNS) private readonly runs: WorkspaceRuns,
    private readonly queue: RunQueue,
    @Inject(EXCHANGE) { queues }: Exchange,
    @Inject(LOGGER) private readonly logger: Logger,
    registry: Registry,
  ) {
    this.observe = runMetrics(registry);
    this.jobs = new QueueWorker({
      queue: Queues.workspaceRun,
      queues,
      concurrency: CONCURRENT_RUNS,
      work: ({ runId }) => this.takeTurn(runId),
    });
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.jobs.start();
  }

  /** Each run stops at its next page or batch and is given back, for another worker to go on with. */
  async onModuleDestroy(): Promise<void> {
    this.stopping.abort();
    await this.jobs.close();
    await this.runs.close();
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
