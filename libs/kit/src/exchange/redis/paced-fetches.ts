/**
 * Bounds how often a worker asks a queue that hands out nothing. BullMQ waits in Redis, and not at all if its
 * blocking read returns at once: a Redis that answers everything with nonsense would keep a core busy.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type BackendFactory, createRedisBackend, type RedisQueueBackend } from 'bullmq';
import { type Logger } from 'pino';

/** Fetches in a row without a job, and without a wait. Faster workers that take the jobs cause a few. */
const FRUITLESS_MAX = 20;
const FRUITLESS_LOGGED = 100;
const PAUSE_MS = 50;

/** @returns a factory of backends, for one worker */
export function pacedFetches(queue: string, logger: Logger): BackendFactory<RedisQueueBackend> {
  let fruitless = 0;

  const pause = async () => {
    fruitless += 1;
    if (fruitless === FRUITLESS_LOGGED) {
      logger.warn(
        { queue },
        'the queue answers at once, but has no jobs; the sweep finds the work',
      );
    }
    if (fruitless > FRUITLESS_MAX) await sleep(PAUSE_MS, undefined, { ref: false });
  };
  /** Leaves out times of delays and limits, which our queues do not have. */
  const jobOf = ([job, id]: readonly unknown[]): unknown[] => {
    if (typeof (job as { name?: unknown } | undefined)?.name !== 'string') return [];
    fruitless = 0;
    return [job, id];
  };

  return (...options) => {
    const backend = createRedisBackend(...options);
    const waitForJob = backend.waitForJob.bind(backend);
    const moveToActive = backend.moveToActive.bind(backend);
    const moveToCompleted = backend.moveToCompleted.bind(backend);
    const moveToFailed = backend.moveToFailed.bind(backend);
    return Object.assign(backend, {
      async waitForJob(...args: Parameters<typeof waitForJob>) {
        await pause();
        const beganAtMs = performance.now();
        const marker = await waitForJob(...args);
        if (performance.now() - beganAtMs > PAUSE_MS) fruitless = 0;
        return marker;
      },
      async moveToActive(...args: Parameters<typeof moveToActive>) {
        await pause();
        return jobOf(await moveToActive(...args));
      },
      async moveToCompleted(...args: Parameters<typeof moveToCompleted>) {
        const { result, finishedOn } = await moveToCompleted(...args);
        return { result: jobOf(result ?? []), finishedOn };
      },
      async moveToFailed(...args: Parameters<typeof moveToFailed>) {
        const { result, finishedOn } = await moveToFailed(...args);
        return { result: jobOf(result ?? []), finishedOn };
      },
    });
  };
}
