import { setTimeout as sleep } from 'node:timers/promises';
import { queuePrefix, queueSpan } from '@gatehouse/delivery';
import {
  closeRedis,
  type RedisClient,
  redisConnection,
  type RedisSettings,
} from '@gatehouse/kit/redis';
import { inEntry } from '@gatehouse/kit/tracing';
import { Worker } from 'bullmq';
import { type Logger } from 'pino';
import { pacedFetches } from './paced-fetches.js';

/**
 * Other workers take over the jobs of a dead worker after this time. A lock that expires too early does
 * no harm: the lease of a lane or a run, not the lock of the job, keeps two workers apart.
 */
const LOCK_MS = 10_000;
const STALLED_CHECK_MS = 5_000;
const STALLED_TIMES_MAX = 1_000;
/** What is not acknowledged by then is handed out again, and found done. */
const ACKNOWLEDGE_MS_MAX = 1_000;

export interface QueueWorkerOptions<Job> {
  /** One of `Queues`. */
  queue: string;
  redis: RedisSettings & { readonly namespace: string };
  /** Jobs at once. */
  concurrency: number;
  logger: Logger;
  /** Calls `QueueWorker.work` for a job of the queue when it may begin; at once by default. */
  receive?: (job: Job) => Promise<void>;
  /** Logs its failures itself, and never rejects. */
  work: (job: Job) => Promise<void>;
}

/** Takes jobs from a queue through BullMQ, and does each as the continuation of its trace. */
export class QueueWorker<Job extends { traceparent?: string }> {
  private readonly underway = new Set<Promise<void>>();
  private connection: RedisClient | undefined;
  private worker: Worker<Job> | undefined;

  constructor(private readonly options: QueueWorkerOptions<Job>) {}

  start(): void {
    const { queue, redis, concurrency, logger } = this.options;
    const { receive = (job: Job) => this.work(job) } = this.options;
    this.connection = redisConnection(redis, 'worker', logger);
    const options = {
      connection: this.connection,
      prefix: queuePrefix(redis.namespace),
      concurrency,
      lockDuration: LOCK_MS,
      stalledInterval: STALLED_CHECK_MS,
      maxStalledCount: STALLED_TIMES_MAX,
      removeOnComplete: { count: 0 },
      removeOnFail: { count: 0 },
    };
    const backend = pacedFetches(queue, logger);
    this.worker = new Worker<Job>(queue, ({ data }) => receive(data), options, backend);
    // The connection logs outages itself, and a job its failure.
    this.worker.on('error', () => undefined);
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
    const closed = this.worker?.close(this.connection?.status !== 'ready');
    await Promise.all(this.underway);
    // BullMQ waits for a Redis that is away: without end, for a Cluster that replaces a primary.
    await Promise.race([closed, sleep(ACKNOWLEDGE_MS_MAX, undefined, { ref: false })]);
    await Promise.all(this.underway);
    if (this.connection) await closeRedis(this.connection);
  }
}
