/**
 * The few ways in which this library talks to PostgreSQL. Statements that run often are named and
 * prepared once per connection; a name stands for exactly one text. Connections come from the pool
 * of the TypeORM DataSource that the program gave.
 */
import { type Pool, type PoolClient } from 'pg';
import { type DataSource } from 'typeorm';

export interface Statement {
  /** Under this name the statement stays prepared; without one it is planned each time. */
  name?: string;
  text: string;
}

/** Runs statements, on any connection of the pool or inside one transaction. */
export interface Executor {
  run<Row extends object>(statement: Statement, values: readonly unknown[]): Promise<Row[]>;
}

const TRANSACTION_TRIES = 6;

export class Database implements Executor {
  constructor(private readonly dataSource: DataSource) {}

  private get pool(): Pool {
    return (this.dataSource.driver as unknown as { master: Pool }).master;
  }

  async run<Row extends object>(statement: Statement, values: readonly unknown[]): Promise<Row[]> {
    const { rows } = await this.pool.query<Row>({ ...statement, values: values as unknown[] });
    return rows;
  }

  /**
   * Runs `work` in one READ COMMITTED transaction: it commits when `work` resolves and rolls back
   * when it throws. A transaction that stands still for 10 s is ended by the server.
   */
  async transaction<T>(work: (executor: Executor) => Promise<T>): Promise<T> {
    const client = await this.pool.connect();
    try {
      await client.query(`BEGIN; SET LOCAL idle_in_transaction_session_timeout = '10s'`);
      const result = await work(executorOn(client));
      await client.query('COMMIT');
      client.release();
      return result;
    } catch (error) {
      await rollBack(client);
      throw error;
    }
  }
}

function executorOn(client: PoolClient): Executor {
  return {
    run: async <Row extends object>(statement: Statement, values: readonly unknown[]) =>
      (await client.query<Row>({ ...statement, values: values as unknown[] })).rows,
  };
}

async function rollBack(client: PoolClient): Promise<void> {
  try {
    await client.query('ROLLBACK');
    client.release();
  } catch (error) {
    client.release(error as Error);
  }
}

/** The SQLSTATE and the constraint of a fault of PostgreSQL, both absent for any other fault. */
export function postgresFault(error: unknown): { code?: string; constraint?: string } {
  const { code, constraint } = (error ?? {}) as { code?: unknown; constraint?: unknown };
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code)
    ? { code, constraint: typeof constraint === 'string' ? constraint : undefined }
    : {};
}

// Serialisation failure, deadlock, and a foreign key whose row went away between two statements:
// each means that somebody else was faster, and that the same work may succeed now.
const RACES = new Set(['40001', '40P01', '23503']);

/** Repeats `work` when it lost a race, with growing random pauses, and gives up after six tries. */
export async function untilUncontended<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const { code } = postgresFault(error);
      if (attempt === TRANSACTION_TRIES || !code || !RACES.has(code)) throw error;
      const pauseMs = Math.random() * 10 * 2 ** attempt;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
}
