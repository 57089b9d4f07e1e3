import { type SqlExecutor, type Statement, type TransactionalSql } from './sql.js';

const SAVEPOINT = { text: 'SAVEPOINT work' };
const RELEASE = { text: 'RELEASE SAVEPOINT work' };
const UNDO = { text: 'ROLLBACK TO SAVEPOINT work' };

/**
 * Runs `work` as a part of a transaction that is under way: if it throws, what it wrote is undone, and
 * the transaction goes on. Code that opens transactions of its own joins the one under way.
 *
 * A savepoint that is not needed any more ends with the transaction: to release it would cost a round
 * trip for each call.
 */
export async function inSavepoint<T>(
  transaction: SqlExecutor,
  work: (sql: TransactionalSql) => Promise<T>,
): Promise<T> {
  await transaction.rows(SAVEPOINT);
  const joined = new JoinedSql(transaction);
  try {
    const result = await work(joined);
    joined.throwIfFailed();
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
    this.throwIfFailed();
    try {
      return await this.executor.rows<Row>(statement, values);
    } catch (error) {
      this.failure = error;
      throw error;
    }
  }

  /** Also if `work` has caught the error: PostgreSQL would refuse whatever comes next. */
  throwIfFailed(): void {
    if (this.failure) throw this.failure as Error;
  }

  transaction<T>(work: (sql: SqlExecutor) => Promise<T>): Promise<T> {
    return work(this);
  }
}
