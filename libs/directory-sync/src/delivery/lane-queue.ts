/**
 * Wakes lanes through BullMQ: one waiting job per directory, and one more kept while it runs, so
 * that an event that came in during a run is not left behind. A wake-up is a hint: while Redis is
 * away it is dropped, and the worker's sweep wakes the lane later.
 */
import { Queues } from '@gatehouse/schemas';
import { Queue } from 'bullmq';
import { type Redis } from 'ioredis';
import type { SyncLogger } from '../sync-logger.js';

export interface LaneJob {
  directoryId: string;
}

const LANE_JOB_NAME = 'deliver';

/** The prefix of all BullMQ keys of a stack. */
export function queuePrefix(redisNamespace: string): string {
  return `${redisNamespace}bull`;
}

export class LaneQueue {
  private opening: Promise<Queue<LaneJob>> | undefined;
  private readonly adding = new Map<string, { again: boolean }>();

  /** @param connection a producer connection; it is shared and stays open after `close` */
  constructor(
    private readonly connection: Redis,
    private readonly redisNamespace: string,
    private readonly logger: SyncLogger,
  ) {}

  /** Returns at once and never throws. Wake-ups of one directory that overlap become one. */
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

  /** BullMQ opens a queue once, over a connection that is up; one that failed to open stays so. */
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
