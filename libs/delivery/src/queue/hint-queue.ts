/**
 * Wakes workers through a queue: one waiting job for each id, and one more while a job runs, so that
 * what is committed during a run is not missed; or without the queue, see `hand`. A wake-up is a hint: if it
 * cannot be sent, it is dropped, and the sweep of the worker finds the work later.
 */
import { type Queues } from '@gatehouse/kit/exchange';
import { currentTraceparent, inSpan } from '@gatehouse/kit/tracing';
import { type Queue } from 'bullmq';
import { type DeliveryLogger } from '../system.js';
import { queueSpan } from './queue-span.js';

export interface HintQueueOptions<Job> {
  /** One of `Queues` of the schemas. */
  queue: string;
  jobName: string;
  /** The log message of a dropped hint. */
  failureMessage: string;
  /** Wakes a worker without the queue if it can. @returns whether it has */
  hand?: (job: Job) => Promise<boolean>;
}

export class HintQueue<Job extends object> {
  private readonly adding = new Map<string, { again: boolean }>();

  constructor(
    private readonly queues: Queues,
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

  /** For those who only look at the queue. */
  open(): Promise<Queue> {
    return this.queues.open(this.options.queue);
  }

  private async add(id: string, job: Job): Promise<void> {
    if (!this.queues.isReady) throw new Error('the queue is not connected');
    await inSpan(queueSpan('send', this.options.queue), async () => {
      const traced = withTrace(job);
      if (await this.options.hand?.(traced)) return;
      const queue = await this.open();
      const deduplication = { id, keepLastIfActive: true };
      await queue.add(this.options.jobName, traced, { deduplication });
    });
  }
}

function withTrace<Job extends object>(job: Job): Job {
  const traceparent = currentTraceparent();
  return traceparent === undefined ? job : { ...job, traceparent };
}
