/**
 * Positions in a table of PostgreSQL. A step is one transaction: what handlers write through its client is
 * committed with the position. There is no session state, so it works through PgBouncer in transaction mode.
 */
import { type Store } from '../directory/store.js';

/** A pool as the package `pg` has it. */
export interface PostgresPool<Client extends PostgresClient> {
  query: PostgresClient['query'];
  connect(): Promise<Client>;
  /** Not called. TypeScript takes the type of the client from overloads only if they are all here. */
  connect(callback: (...results: never[]) => void): void;
}

export interface PostgresClient {
  query(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>;
  release(error?: Error): void;
  on?(event: 'error', listener: (error: Error) => void): unknown;
  off?(event: 'error', listener: (error: Error) => void): unknown;
}

export interface PostgresStoreOptions {
  /** The table, which is created if it is missing. By default `gatehouse_cursor`. */
  readonly table?: string;
}

const TABLE = /^([a-z_][a-z0-9_]*\.)?[a-z_][a-z0-9_]*$/;
const EVENTS_MAX = 200;
const UNDEFINED_TABLE = '42P01';
/** Another process has created the table at this moment. */
const EXISTS_ALREADY = ['42P07', '23505'];

/** @throws TypeError for the name of a table that would need quotes */
export function postgresStore<Client extends PostgresClient>(
  pool: PostgresPool<Client>,
  { table = 'gatehouse_cursor' }: PostgresStoreOptions = {},
): Store<Client> {
  if (!TABLE.test(table)) throw new TypeError(`The name of the table needs quotes: ${table}`);

  const create = () =>
    pool
      .query(
        `CREATE TABLE ${table} (name text PRIMARY KEY, position text,
          moved_at timestamptz NOT NULL DEFAULT now())`,
      )
      .catch(unlessCode(EXISTS_ALREADY));

  return {
    eventsMax: EVENTS_MAX,

    position: async (name) => {
      const select = `SELECT position FROM ${table} WHERE name = $1`;
      const found = await pool.query(select, [name]).catch(unlessCode([UNDEFINED_TABLE]));
      if (!found) await create();
      const [row] = (found?.rows ?? []) as { position: string | null }[];
      // There must be a row to lock.
      const insert = `INSERT INTO ${table} (name) VALUES ($1) ON CONFLICT DO NOTHING`;
      if (!row) await pool.query(insert, [name]);
      return row?.position ?? undefined;
    },

    move: (name, from, work) =>
      inTransaction(pool, async (client) => {
        const { rows } = await client.query(
          `SELECT FROM ${table} WHERE name = $1 AND position IS NOT DISTINCT FROM $2
            FOR UPDATE SKIP LOCKED`,
          [name, from ?? null],
        );
        if (rows.length === 0) return undefined;
        const position = await work(client);
        const update = `UPDATE ${table} SET position = $2, moved_at = now() WHERE name = $1`;
        await client.query(update, [name, position]);
        return position;
      }),
  };
}

async function inTransaction<Client extends PostgresClient, Result>(
  pool: PostgresPool<Client>,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  let loss: Error | undefined;
  // Without a listener, a connection that is lost between two queries would end the process.
  const onLoss = (error: Error) => (loss = error);
  client.on?.('error', onLoss);
  try {
    await client.query('BEGIN');
    const result = await work(client);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch(onLoss);
    throw error;
  } finally {
    client.off?.('error', onLoss);
    client.release(loss);
  }
}

function unlessCode(codes: readonly string[]) {
  return (error: unknown): undefined => {
    if (!codes.includes(String((error as { code?: unknown }).code))) throw error;
  };
}
