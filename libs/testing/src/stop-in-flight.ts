import pg from 'pg';
import { type Answer } from './answer.js';
import { eventually } from './eventually.js';
import { type ServiceProcess } from './running-service.js';

export interface InFlight {
  databaseUrl: string;
  /** The table that every request writes, such as `keys.api_keys`. */
  table: string;
  /** Sends one request. */
  send: (index: number) => Promise<Answer>;
}

const REQUESTS = 10;

/**
 * Ends a service with SIGTERM while ten requests wait for a lock on a table, then releases the lock.
 *
 * @returns how each request ended, and the exit code
 */
export async function stopInFlight(
  service: ServiceProcess,
  { databaseUrl, table, send }: InFlight,
): Promise<{ outcomes: unknown[]; exitCode: number | null }> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(`BEGIN; LOCK TABLE ${table}`);
    const sent = Array.from({ length: REQUESTS }, (_, index) =>
      send(index).then(
        ({ status }) => status,
        (error: unknown) => String((error as Error).cause ?? error),
      ),
    );
    await eventually(async () => {
      // In a transaction, the view does not change by itself.
      await client.query('SELECT pg_stat_clear_snapshot()');
      const { rows } = await client.query(`SELECT 1 FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`);
      if (rows.length < REQUESTS) throw new Error(`${rows.length} requests are in flight`);
    });
    const stopped = service.stop();
    await eventually(() => {
      if (!service.logs().includes('shutting down')) throw new Error('it does not shut down');
    });
    await client.query('ROLLBACK');
    return { outcomes: await Promise.all(sent), exitCode: await stopped };
  } finally {
    await client.end();
  }
}
