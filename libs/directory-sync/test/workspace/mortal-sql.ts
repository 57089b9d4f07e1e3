import { Sql, type SqlExecutor, type Statement } from '@gatehouse/kit/sql';

/** The database as a process sees it that is killed: from one step on, nothing is sent any more. */
export class MortalSql extends Sql {
  steps = 0;
  /** The step at which the process is killed; a commit is a step too. */
  diesAt = Infinity;

  override async rows<Row extends object>(
    statement: Statement,
    values?: readonly unknown[],
  ): Promise<Row[]> {
    this.step();
    return super.rows<Row>(statement, values);
  }

  override async transaction<T>(work: (sql: SqlExecutor) => Promise<T>): Promise<T> {
    const result = await super.transaction(
      (sql) =>
        work({
          rows: (statement, values) => {
            this.step();
            return sql.rows(statement, values);
          },
        }),
      { retry: 'never' },
    );
    this.step();
    return result;
  }

  private step(): void {
    this.steps += 1;
    if (this.steps >= this.diesAt) throw new Error('killed');
  }
}
