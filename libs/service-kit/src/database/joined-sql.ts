import { type SqlExecutor, type Statement, type TransactionalSql } from './sql.js';

const SAVEPOINT = { text: 'SAVEPOINT work' };
const RELEASE = { text: 'RELEASE SAVEPOINT work' };
const UNDO = { text: 'ROLLBACK TO SAVEPOINT work' };

/**
 * Runs `work` as a part of a transaction that is under way: if it throws, what it wrote is undone, and
 * the transaction goes on. Code that opens transactions of its own joins the one under way.
 */
export async function inSavepoint<T>(
  transaction: SqlExecutor,
  work: (sql: TransactionalSql) => Promise<T>,
): Promise<T> {
  await transaction.rows(SAVEPOINT);
  const joined = new JoinedSql(transaction);
  try {
    const result = await work(joined);
    await joined.rows(RELEASE);
    return result;
  } catch (error) {
    await transaction.rows(UNDO);
    await transaction.rows(RELEASE);
    throw error;
  }
}

/**
 * After a statement has failed, every further one fails with the same error: PostgreSQL would only
 * report that the transaction is aborted, which says nothing to code that repeats lost races.
 */
class JoinedSql implements TransactionalSql {
  private failure: unknown;

  constructor(private readonly executor: SqlExecutor) {}

  async rows<Row extends object>(
    statement: Statement,
    values?: readonly unknown[],
  ): Promise<Row[]> {
    if (this.failure) throw this.failure as Error;
    try {
      return await this.executor.rows<Row>(statement, values);
    } catch (error) {
      this.failure = error;
      throw error;
    }
  }

  transaction<T>(work: (sql: SqlExecutor) => Promise<T>): Promise<T> {
    return work(this);
  }
}
