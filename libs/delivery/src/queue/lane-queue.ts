/**
 * Wakes lanes through BullMQ: one waiting job for each source, and one more while a job runs, so that
 * an event committed during a run is not missed. A wake-up is a hint: without Redis it is dropped,
 * and the sweep of the worker wakes the lane later.
 */
import { type LaneJob, Queues } from '@gatehouse/schemas';
import { Queue } from 'bullmq';
import { type Redis } from 'ioredis';
import { type DeliveryLogger } from '../system.js';

const LANE_JOB_NAME = 'deliver';

/** The prefix of all BullMQ keys of a stack. */
export function queuePrefix(redisNamespace: string): string {
  return `${redisNamespace}bull`;
}

export class LaneQueue {
  private opening: Promise<Queue<LaneJob>> | undefined;
  private readonly adding = new Map<string, { again: boolean }>();

  /**
   * @param connection a shared producer connection, which stays open after `close`
   * @param system whose sources are woken, see DeliverySystem.schema
   */
  constructor(
    private readonly connection: Redis,
    private readonly redisNamespace: string,
    private readonly system: string,
    private readonly logger: DeliveryLogger,
  ) {}

  /** Returns immediately and never throws. Overlapping wake-ups of a source become one. */
  wake(sourceId: string): void {
    const underway = this.adding.get(sourceId);
    if (underway) {
      underway.again = true;
      return;
    }
    const state = { again: false };
    this.adding.set(sourceId, state);
    this.add(sourceId)
      .catch((error: unknown) => {
        const reason = error instanceof Error ? error.message : String(error);
        this.logger.warn({ sourceId, reason }, 'lane not woken; the sweep will');
      })
      .finally(() => {
        this.adding.delete(sourceId);
        if (state.again) this.wake(sourceId);
      });
  }

  async close(): Promise<void> {
    await this.opening?.then((queue) => queue.close()).catch(() => undefined);
  }

  /**
   * The queue of all systems, for those who only look at it. Opens it on a ready connection only;
   * BullMQ does not retry a queue that failed to open.
   */
  async open(): Promise<Queue<LaneJob>> {
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

  private async add(sourceId: string): Promise<void> {
    const queue = await this.open();
    const { system } = this;
    const deduplication = { id: `${system}.${sourceId}`, keepLastIfActive: true };
    await queue.add(LANE_JOB_NAME, { system, sourceId }, { deduplication });
  }
}
