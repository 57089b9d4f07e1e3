import { inStatementSpan, Sql, type SqlExecutor, type Statement } from '@gatehouse/kit/sql';
import { type Pool } from 'pg';
import { type DataSource, type EntityManager } from 'typeorm';

/** The connection pool that TypeORM opened when it initialized the data source. */
export function poolOf(dataSource: DataSource): Pool {
  const { master } = dataSource.driver as unknown as { master: Pool | undefined };
  if (master === undefined) throw new Error('the data source is not initialized');
  return master;
}

/** SQL on the pool of an initialized data source. It bypasses the ORM. */
export function sqlOf(dataSource: DataSource): Sql {
  return new Sql(poolOf(dataSource));
}

/** Runs statements in a transaction of TypeORM. */
export function executorOf(manager: EntityManager): SqlExecutor {
  return {
    rows: <Row extends object>(statement: Statement, values: readonly unknown[] = []) =>
      inStatementSpan(statement, () => manager.query<Row[]>(statement.text, [...values])),
  };
}
