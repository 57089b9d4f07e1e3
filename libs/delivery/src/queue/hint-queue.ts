/**
 * Wakes workers through BullMQ: one waiting job for each id, and one more while a job runs, so that
 * what is committed during a run is not missed; or without BullMQ, see `hand`. A wake-up is a hint: without
 * Redis it is dropped, and the sweep of the worker finds the work later.
 */
import { type RedisClient } from '@gatehouse/kit/redis';
import { currentTraceparent, inSpan } from '@gatehouse/kit/tracing';
import { type Queue } from 'bullmq';
import { type DeliveryLogger } from '../system.js';
import { queueSpan } from './queue-span.js';

/**
 * The prefix of all BullMQ keys of a stack. The braces keep them in one slot of a Redis Cluster, as
 * the scripts of BullMQ demand.
 */
export function queuePrefix(redisNamespace: string): string {
  return `{${redisNamespace}bull}`;
}

export interface HintQueueOptions<Job> {
  /** One of `Queues`. */
  queue: string;
  jobName: string;
  /** The log message of a dropped hint. */
  failureMessage: string;
  /** Wakes a worker without the queue if it can. @returns whether it has */
  hand?: (job: Job) => Promise<boolean>;
}

export class HintQueue<Job extends object> {
  private opening: Promise<Queue> | undefined;
  private readonly adding = new Map<string, { again: boolean }>();

  /** @param connection a shared producer connection, which stays open after `close` */
  constructor(
    private readonly connection: RedisClient,
    private readonly redisNamespace: string,
    private readonly options: HintQueueOptions<Job>,
    private readonly logger: DeliveryLogger,
  ) {}

  /** Returns immediately and never throws. Overlapping wake-ups of an id become one. */
  wake(id: string, job: Job): void {
    const underway = this.adding.get(id);
    if (underway) {
      underway.again = true;
      return;
    }
    const state = { again: false };
    this.adding.set(id, state);
    this.add(id, job)
      .catch((error: unknown) => {
        const reason = error instanceof Error ? error.message : String(error);
        this.logger.warn({ ...job, reason }, this.options.failureMessage);
      })
      .finally(() => {
        this.adding.delete(id);
        if (state.again) this.wake(id, job);
      });
  }

  async close(): Promise<void> {
    await this.opening?.then((queue) => queue.close()).catch(() => undefined);
  }

  private async add(id: string, job: Job): Promise<void> {
    this.needConnection();
    await inSpan(queueSpan('send', this.options.queue), async () => {
      const traced = withTrace(job);
      if (await this.options.hand?.(traced)) return;
      const queue = await this.open();
      const deduplication = { id, keepLastIfActive: true };
      await queue.add(this.options.jobName, traced, { deduplication });
    });
  }

  private needConnection(): void {
    if (this.connection.status !== 'ready') throw new Error('Redis is not connected');
  }

  /**
   * Opens the queue on a ready connection only; BullMQ does not retry a queue that failed to open.
   */
  async open(): Promise<Queue> {
    if (!this.opening) {
      this.needConnection();
      this.opening = this.openOnce();
      this.opening.catch(() => {
        this.opening = undefined;
      });
    }
    return this.opening;
  }

  private async openOnce(): Promise<Queue> {
    const { openQueue } = await import('./open-queue.js');
    return openQueue(this.options.queue, this.connection, queuePrefix(this.redisNamespace));
  }
}

function withTrace<Job extends object>(job: Job): Job {
  const traceparent = currentTraceparent();
  return traceparent === undefined ? job : { ...job, traceparent };
}
