import { setTimeout as sleep } from 'node:timers/promises';
import { type Pool, type PoolClient } from 'pg';
import { type AnswerBounds } from './bounded-client.js';
import { inStatementSpan, traceSetting } from './sql-traces.js';

/**
 * One SQL statement with `$1` placeholders. A named statement is planned once for each connection
 * and stays prepared there, so a name must stand for exactly one text.
 */
export interface Statement extends AnswerBounds {
  readonly name?: string;
  readonly text: string;
  /** Whether it writes events that keep the trace in which they happened. */
  readonly logsEvents?: boolean;
}

/** Runs statements, on any connection of the pool or inside one transaction. */
export interface SqlExecutor {
  /** @returns the rows of the result, also those of `RETURNING` */
  rows<Row extends object>(statement: Statement, values?: readonly unknown[]): Promise<Row[]>;
}

/** Runs statements and transactions. */
export interface TransactionalSql extends SqlExecutor {
  /** See `Sql.transaction`. */
  transaction<T>(work: (sql: SqlExecutor) => Promise<T>, options?: RetryOptions): Promise<T>;
}

export interface RetryOptions {
  /**
   * `races` (the default) repeats after a serialization failure or a deadlock.
   * `races-and-references` repeats after a foreign key violation too: the referenced row
   * disappeared between two statements, and another try sees that. `never` does not repeat.
   */
  readonly retry?: 'races' | 'races-and-references' | 'never';
}

const SERIALIZATION_FAILURE = '40001';
const DEADLOCK = '40P01';
const FOREIGN_KEY_VIOLATION = '23503';
const READ_ONLY_TRANSACTION = '25006';
const RETRIED_CODES = {
  races: [SERIALIZATION_FAILURE, DEADLOCK],
  'races-and-references': [SERIALIZATION_FAILURE, DEADLOCK, FOREIGN_KEY_VIOLATION],
  never: [],
} as const satisfies Record<string, readonly string[]>;
const TRIES_MAX = 6;
const FIRST_PAUSE_MS = 20;

const BEGIN = `BEGIN ISOLATION LEVEL READ COMMITTED;
    SET LOCAL idle_in_transaction_session_timeout = '10s'`;

const COMMIT = { text: 'COMMIT' };

/** SQL on a connection pool: statements are prepared, and rows arrive as the driver returns them. */
export class Sql implements TransactionalSql {
  constructor(private readonly pool: Pool) {}

  rows<Row extends object>(statement: Statement, values: readonly unknown[] = []): Promise<Row[]> {
    if (statement.logsEvents && traceSetting() !== '') {
      return this.transactionOnce((sql) => sql.rows<Row>(statement, values));
    }
    return rowsOf<Row>(this.pool, statement, values);
  }

  /**
   * Runs `work` in one READ COMMITTED transaction, which commits when `work` resolves and rolls
   * back when it throws. The server ends a transaction that stays idle for 10 s.
   *
   * `work` runs again after a lost race (see `retry`), so it must have no effects outside of the
   * transaction.
   */
  transaction<T>(work: (sql: SqlExecutor) => Promise<T>, options: RetryOptions = {}): Promise<T> {
    return retryLostRaces(() => this.transactionOnce(work), options);
  }

  private async transactionOnce<T>(work: (sql: SqlExecutor) => Promise<T>): Promise<T> {
    const client = await this.pool.connect();
    let broken: Error | undefined;
    try {
      await client.query(BEGIN + traceSetting());
      const result = await work({ rows: (statement, values) => rowsOf(client, statement, values) });
      await inStatementSpan(COMMIT, () => client.query(COMMIT));
      return result;
    } catch (error) {
      if (sqlFault(error).code === READ_ONLY_TRANSACTION) broken = error as Error;
      await client.query('ROLLBACK').catch((fault: unknown) => {
        broken = fault as Error;
      });
      throw error;
    } finally {
      // A connection that cannot roll back is closed instead of returned to the pool, and so is one to
      // a server that is no longer the primary: the next one may lead to its successor.
      client.release(broken);
    }
  }
}

/**
 * Repeats `work`, one statement or one transaction, while it loses races against other writers.
 * Pauses are random and grow from 20 ms; the fault of the sixth try is thrown.
 */
export async function retryLostRaces<T>(
  work: () => Promise<T>,
  { retry = 'races' }: RetryOptions = {},
): Promise<T> {
  const retried: readonly (string | undefined)[] = RETRIED_CODES[retry];
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const { code } = sqlFault(error);
      if (attempt === TRIES_MAX || !code || !retried.includes(code)) {
        throw error;
      }
      const pauseMs = Math.random() * FIRST_PAUSE_MS * 2 ** (attempt - 1);
      await sleep(pauseMs);
    }
  }
}

/** The SQLSTATE and the constraint of an error from PostgreSQL; empty for any other error. */
export function sqlFault(error: unknown): { code?: string; constraint?: string } {
  const { code, constraint } = (error ?? {}) as { code?: unknown; constraint?: unknown };
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code)
    ? { code, constraint: typeof constraint === 'string' ? constraint : undefined }
    : {};
}

async function rowsOf<Row extends object>(
  runner: Pool | PoolClient,
  statement: Statement,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  const { rows } = await inStatementSpan(statement, () =>
    runner.query<Row>({ ...statement, values: values as unknown[] }),
  );
  return rows;
}
