/** BullMQ on either store. Loaded with the first job: it is large, and a start need not wait for it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type BackendFactory, type IQueueBackend, Queue, Worker } from 'bullmq';

/** Where BullMQ keeps its jobs. `Connection` is what the backend wants. */
export interface BullStore<Connection> {
  readonly connection: Connection;
  readonly prefix?: string;
  readonly backend: BackendFactory<IQueueBackend, Connection>;
}

/**
 * Other workers take over the jobs of a dead worker after this time. A lock that expires too early does
 * no harm: the lease of a lane or a run, not the lock of the job, keeps two workers apart.
 */
const LOCK_MS = 10_000;
const STALLED_CHECK_MS = 5_000;
const STALLED_TIMES_MAX = 1_000;
/** How long a worker waits whose store refused a fetch: the delay of jobs after an outage. */
const FETCH_RETRY_MS = 1_000;

/** What is not acknowledged by then is handed out again, and found done. */
const ACKNOWLEDGE_MS_MAX = 1_000;

/** Resolves once the queue is ready; rejects if its store goes away meanwhile. */
export async function openQueue<Connection>(
  name: string,
  { backend, ...store }: BullStore<Connection>,
): Promise<Queue> {
  const options = { ...store, defaultJobOptions: { removeOnComplete: true, removeOnFail: true } };
  const queue = new Queue(name, options as never, backend as never);
  // The connection logs outages itself.
  queue.on('error', () => undefined);
  await queue.waitUntilReady();
  return queue;
}

/**
 * Takes no more jobs. Resolves when the store knows which are done, or does not answer.
 *
 * @param isForced whether the store is known to be away
 * @param done resolves when no job is under way
 */
export async function closeWorker(
  worker: Worker,
  isForced: boolean,
  done: () => Promise<unknown>,
): Promise<void> {
  const closed = worker.close(isForced).catch(() => undefined);
  await done();
  // BullMQ waits for a store that is away: without end, for a Cluster that replaces a primary.
  await Promise.race([closed, sleep(ACKNOWLEDGE_MS_MAX, undefined, { ref: false })]);
  await done();
}

export function startWorker<Job, Connection>(
  name: string,
  receive: (job: Job) => Promise<void>,
  concurrency: number,
  { backend, ...store }: BullStore<Connection>,
): Worker<Job> {
  const options = {
    ...store,
    concurrency,
    lockDuration: LOCK_MS,
    stalledInterval: STALLED_CHECK_MS,
    maxStalledCount: STALLED_TIMES_MAX,
    runRetryDelay: FETCH_RETRY_MS,
    removeOnComplete: { count: 0 },
    removeOnFail: { count: 0 },
  };
  const worker = new Worker<Job>(
    name,
    ({ data }) => receive(data),
    options as never,
    backend as never,
  );
  // The connection logs outages itself, and a job its failure.
  worker.on('error', () => undefined);
  return worker;
}
