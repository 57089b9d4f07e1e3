import { type Queue } from 'bullmq';
import pg from 'pg';
import { BOUNDED_POOL, BoundedClient } from '../../sql/bounded-client.js';
import { type QueueReceiver, type Queues } from '../exchange.js';
import { OpenedQueues } from '../opened-queues.js';
import { LocalInboxes } from './local-inboxes.js';

/** The schema of BullMQ, which the search path of its connections names. */
const SCHEMA = 'bullmq';
/** One listens for each of two workers; the others are shared. */
const CONNECTIONS_MAX = 6;
const CONNECT_TIMEOUT_MS = 5_000;
const MIGRATION_TIMEOUT_MS = 60_000;
/** A session that listens sends nothing: without it, the end of its path would be noticed after hours. */
const KEEP_ALIVE_AFTER_MS = 10_000;

/** Creates the tables of BullMQ, or brings them up to date. Concurrent calls are safe. */
export async function migrateQueues(databaseUrl: string): Promise<void> {
  const { runMigrations } = await import('bullmq');
  const client = new BoundedClient({
    connectionString: databaseUrl,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    answerTimeoutMs: MIGRATION_TIMEOUT_MS,
  });
  await client.connect();
  try {
    await runMigrations(client, SCHEMA);
  } finally {
    await client.end();
  }
}

/** BullMQ on PostgreSQL, whose tables `migrateQueues` has created. */
export class PostgresQueues implements Queues {
  readonly isReady = true;
  readonly inboxes = new LocalInboxes();
  private readonly queues = new OpenedQueues((name) => this.openOnce(name));
  private readonly pool: pg.Pool;

  /** @param databaseUrl of PostgreSQL itself: sessions that listen cannot share a connection */
  constructor(databaseUrl: string) {
    this.pool = new pg.Pool({
      ...BOUNDED_POOL,
      connectionString: databaseUrl,
      application_name: 'gatehouse-queues',
      options: `-c search_path=${SCHEMA}`,
      max: CONNECTIONS_MAX,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    });
    // The next statement opens another connection.
    this.pool.on('error', () => undefined);
  }

  open(name: string): Promise<Queue> {
    return this.queues.open(name);
  }

  async receive<Job>(
    name: string,
    receive: (job: Job) => Promise<void>,
    concurrency: number,
  ): Promise<QueueReceiver> {
    const { closeWorker, startWorker } = await import('../bull-queues.js');
    const worker = startWorker(name, receive, concurrency, await this.store());
    try {
      await worker.waitUntilReady();
    } catch (error) {
      // BullMQ does not retry a worker that failed to open.
      await worker.close(true);
      throw error;
    }
    return { close: (done) => closeWorker(worker, false, done) };
  }

  async close(): Promise<void> {
    await this.queues.close();
    await this.pool.end();
  }

  private async openOnce(name: string): Promise<Queue> {
    // A queue of BullMQ that fails to open leaves a listener at the pool.
    await this.pool.query('SELECT 1');
    const { openQueue } = await import('../bull-queues.js');
    return openQueue(name, await this.store());
  }

  private async store() {
    const { createPostgresBackend } = await import('bullmq');
    return { connection: this.pool, backend: createPostgresBackend };
  }
}
