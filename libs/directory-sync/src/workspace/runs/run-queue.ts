/** Announces due runs to workers; see HintQueue. */
import { HintQueue } from '@gatehouse/delivery';
import { type Queues as ExchangeQueues } from '@gatehouse/kit/exchange';
import { Queues, type RunJob } from '@gatehouse/schemas';
import { type SyncLogger } from '../../sync-logger.js';

const OPTIONS = {
  queue: Queues.workspaceRun,
  jobName: 'sync',
  failureMessage: 'workspace run not queued; the sweep will',
} as const;

export class RunQueue {
  private readonly queue: HintQueue<RunJob>;

  constructor(queues: ExchangeQueues, logger: SyncLogger) {
    this.queue = new HintQueue(queues, OPTIONS, logger);
  }

  /** Returns immediately and never throws. */
  wake(runId: string): void {
    this.queue.wake(runId, { runId });
  }
}
