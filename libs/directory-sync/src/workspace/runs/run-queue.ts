/** Announces due runs to workers; see HintQueue. */
import { HintQueue } from '@gatehouse/delivery';
import { Queues, type RunJob } from '@gatehouse/schemas';
import { type RedisClient } from '@gatehouse/kit/redis';
import { type SyncLogger } from '../../sync-logger.js';

const OPTIONS = {
  queue: Queues.workspaceRun,
  jobName: 'sync',
  failureMessage: 'workspace run not queued; the sweep will',
} as const;

export class RunQueue {
  private readonly queue: HintQueue<RunJob>;

  /** @param connection a shared producer connection, which stays open after `close` */
  constructor(connection: RedisClient, redisNamespace: string, logger: SyncLogger) {
    this.queue = new HintQueue(connection, redisNamespace, OPTIONS, logger);
  }

  /** Returns immediately and never throws. */
  wake(runId: string): void {
    this.queue.wake(runId, { runId });
  }

  close(): Promise<void> {
    return this.queue.close();
  }
}
