import { queueSpan } from '@gatehouse/delivery';
import { type QueueReceiver, type Queues } from '@gatehouse/kit/exchange';
import { inEntry } from '@gatehouse/kit/tracing';

export interface QueueWorkerOptions<Job> {
  /** One of `Queues` of the schemas. */
  queue: string;
  queues: Queues;
  /** Jobs at once. */
  concurrency: number;
  /** Calls `QueueWorker.work` for a job of the queue when it may begin; at once by default. */
  receive?: (job: Job) => Promise<void>;
  /** Logs its failures itself, and never rejects. */
  work: (job: Job) => Promise<void>;
}

/** Takes jobs from a queue, and does each as the continuation of its trace. */
export class QueueWorker<Job extends { traceparent?: string }> {
  private readonly underway = new Set<Promise<void>>();
  private receiver: QueueReceiver | undefined;

  constructor(private readonly options: QueueWorkerOptions<Job>) {}

  async start(): Promise<void> {
    const { queues, queue, concurrency } = this.options;
    const { receive = (job: Job) => this.work(job) } = this.options;
    this.receiver = await queues.receive(queue, receive, concurrency);
  }

  /** Does a job at once, without the queue. */
  async work(job: Job): Promise<void> {
    const span = queueSpan('process', this.options.queue);
    const work = inEntry(span, [job.traceparent], () => this.options.work(job));
    this.underway.add(work);
    await work.finally(() => this.underway.delete(work));
  }

  /** Takes no more jobs, and resolves when those under way are done. */
  async close(): Promise<void> {
    const done = () => Promise.all(this.underway);
    await this.receiver?.close(done);
    await done();
  }
}
