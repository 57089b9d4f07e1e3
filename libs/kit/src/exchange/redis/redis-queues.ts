import { type Queue } from 'bullmq';
import { type Logger } from 'pino';
import {
  closeRedis,
  type RedisClient,
  redisConnection,
  type RedisSettings,
} from '../../redis/redis-connection.js';
import { type QueueReceiver, type Queues } from '../exchange.js';
import { OpenedQueues } from '../opened-queues.js';
import { RedisInboxes } from './redis-inboxes.js';

/**
 * The prefix of all keys of queues of a stack. The braces keep them in one slot of a Redis Cluster, as
 * the scripts of BullMQ demand.
 */
export function queuePrefix(redisNamespace: string): string {
  return `{${redisNamespace}bull}`;
}

/** BullMQ on Redis. */
export class RedisQueues implements Queues {
  readonly inboxes: RedisInboxes;
  private readonly prefix: string;
  private readonly queues = new OpenedQueues((name) => this.openOnce(name));

  /** @param redis a shared producer connection */
  constructor(
    private readonly redis: RedisClient,
    private readonly settings: RedisSettings,
    namespace: string,
    private readonly logger: Logger,
  ) {
    this.prefix = queuePrefix(namespace);
    this.inboxes = new RedisInboxes(redis, this.prefix, () => this.connect());
  }

  get isReady(): boolean {
    return this.redis.status === 'ready';
  }

  /** On a ready connection only: BullMQ does not retry a queue that failed to open. */
  open(name: string): Promise<Queue> {
    return this.queues.open(name);
  }

  async receive<Job>(
    name: string,
    receive: (job: Job) => Promise<void>,
    concurrency: number,
  ): Promise<QueueReceiver> {
    const [{ closeWorker, startWorker }, { pacedFetches }] = await Promise.all([
      import('../bull-queues.js'),
      import('./paced-fetches.js'),
    ]);
    const connection = this.connect();
    const backend = pacedFetches(name, this.logger);
    const store = { connection, prefix: this.prefix, backend };
    const worker = startWorker(name, receive, concurrency, store);
    return {
      async close(done) {
        await closeWorker(worker, connection.status !== 'ready', done);
        await closeRedis(connection);
      },
    };
  }

  close(): Promise<void> {
    return this.queues.close();
  }

  private async openOnce(name: string): Promise<Queue> {
    if (!this.isReady) throw new Error('Redis is not connected');
    const [{ openQueue }, { createRedisBackend }] = await Promise.all([
      import('../bull-queues.js'),
      import('bullmq'),
    ]);
    const { redis: connection, prefix } = this;
    return openQueue(name, { connection, prefix, backend: createRedisBackend });
  }

  private connect(): RedisClient {
    return redisConnection(this.settings, 'worker', this.logger);
  }
}
