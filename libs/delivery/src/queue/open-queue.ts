/** Loaded with the first wake-up: BullMQ is large, and a start need not wait for it. */
import { type RedisClient } from '@gatehouse/kit/redis';
import { Queue } from 'bullmq';

/** Resolves once the queue is ready; rejects if Redis goes away meanwhile. */
export async function openQueue(
  name: string,
  connection: RedisClient,
  prefix: string,
): Promise<Queue> {
  const queue = new Queue(name, {
    connection,
    prefix,
    defaultJobOptions: { removeOnComplete: true, removeOnFail: true },
  });
  // The connection logs outages itself.
  queue.on('error', () => undefined);
  await queue.waitUntilReady();
  return queue;
}
