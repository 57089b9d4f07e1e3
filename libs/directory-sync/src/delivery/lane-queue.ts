/**
 * Wakes lanes through BullMQ: one waiting job per directory, and one more while a job runs, so that
 * an event committed during a run is not missed. A wake-up is a hint: without Redis it is dropped,
 * and the sweep of the worker wakes the lane later.
 */
import { type LaneJob, Queues } from '@gatehouse/schemas';
import { Queue } from 'bullmq';
import { type Redis } from 'ioredis';
import type { SyncLogger } from '../sync-logger.js';

const LANE_JOB_NAME = 'deliver';

/** The prefix of all BullMQ keys of a stack. */
export function queuePrefix(redisNamespace: string): string {
  return `${redisNamespace}bull`;
}

export class LaneQueue {
  private opening: Promise<Queue<LaneJob>> | undefined;
  private readonly adding = new Map<string, { again: boolean }>();

  /** @param connection a shared producer connection, which stays open after `close` */
  constructor(
    private readonly connection: Redis,
    private readonly redisNamespace: string,
    private readonly logger: SyncLogger,
  ) {}

  /** Returns immediately and never throws. Overlapping wake-ups of a directory become one. */
  wake(directoryId: string): void {
    const underway = this.adding.get(directoryId);
    if (underway) {
      underway.again = true;
      return;
    }
    const state = { again: false };
    this.adding.set(directoryId, state);
    this.add(directoryId)
      .catch((error: unknown) => {
        const reason = error instanceof Error ? error.message : String(error);
        this.logger.warn({ directoryId, reason }, 'lane not woken; the sweep will');
      })
      .finally(() => {
        this.adding.delete(directoryId);
        if (state.again) this.wake(directoryId);
      });
  }

  async close(): Promise<void> {
    await this.opening?.then((queue) => queue.close()).catch(() => undefined);
  }

  private async add(directoryId: string): Promise<void> {
    const queue = await this.open();
    const deduplication = { id: directoryId, keepLastIfActive: true };
    await queue.add(LANE_JOB_NAME, { directoryId }, { deduplication });
  }

  /**
   * Opens the queue on a ready connection only; BullMQ does not retry a queue that failed to open.
   */
  private async open(): Promise<Queue<LaneJob>> {
    if (!this.opening) {
      if (this.connection.status !== 'ready') throw new Error('Redis is not connected');
      const queue = new Queue<LaneJob>(Queues.deliveryLane, {
        connection: this.connection,
        prefix: queuePrefix(this.redisNamespace),
        defaultJobOptions: { removeOnComplete: true, removeOnFail: true },
      });
      // The connection logs outages itself.
      queue.on('error', () => undefined);
      this.opening = queue.waitUntilReady().then(() => queue);
      this.opening.catch(() => {
        this.opening = undefined;
      });
    }
    return this.opening;
  }
}
