// SQL goes straight to the pool of pg that TypeORM opened: named statements are prepared once a
// connection, rows come back as they are, and a transaction is one callback.
import { Injectable } from '@nestjs/common';
import type { AnswerBounds } from '@gatehouse/service-kit';
import type { Pool, PoolClient, QueryResultRow } from 'pg';
import type { DataSource } from 'typeorm';

/** Whatever runs SQL: the pool, or the one connection of a transaction. */
export interface SqlRunner {
  /** Runs a statement; with a `name` it is prepared once for each connection. */
  rows<Row extends QueryResultRow>(sql: Statement, values?: readonly unknown[]): Promise<Row[]>;
}

export type Statement = string | (AnswerBounds & { readonly name: string; readonly text: string });

@Injectable()
export class KeysDatabase implements SqlRunner {
  private readonly pool: Pool;

  constructor(dataSource: DataSource) {
    this.pool = (dataSource.driver as unknown as { master: Pool }).master;
  }

  async rows<Row extends QueryResultRow>(
    sql: Statement,
    values: readonly unknown[] = [],
  ): Promise<Row[]> {
    return rowsOf<Row>(this.pool, sql, values);
  }

  /** Runs `work` in one transaction: all of it is committed, or none when it throws. */
  async transaction<T>(work: (sql: SqlRunner) => Promise<T>): Promise<T> {
    const client = await this.pool.connect();
    let broken: Error | undefined;
    try {
      await client.query('BEGIN');
      const result = await work({ rows: (sql, values = []) => rowsOf(client, sql, values) });
      await client.query('COMMIT');
      return result;
    } catch (error) {
      await client.query('ROLLBACK').catch((fault: unknown) => {
        broken = fault as Error;
      });
      throw error;
    } finally {
      client.release(broken);
    }
  }
}

async function rowsOf<Row extends QueryResultRow>(
  runner: Pool | PoolClient,
  sql: Statement,
  values: readonly unknown[],
): Promise<Row[]> {
  const statement = typeof sql === 'string' ? { text: sql } : sql;
  const { rows } = await runner.query<Row>({ ...statement, values: values as unknown[] });
  return rows;
}
