import { type Sql, type SqlExecutor, type Statement } from '@gatehouse/kit/sql';
import { isPooled, sqlOf } from '@gatehouse/nest-kit/database';
import { DataSource, type DataSourceOptions } from 'typeorm';

export interface SearchSqlOptions {
  /** Connections in addition to those of the data source. */
  connectionsMax: number;
  /** The time limit of each statement; half of it for the wait for a lock. */
  timeoutMs: number;
}

/** The wait for a lock ends earlier than the statement, so that it is told from a slow query. */
const LOCK_SHARE = 2;

const SET_TIMEOUTS: Statement = {
  text: `SELECT set_config('statement_timeout', $1, true), set_config('lock_timeout', $2, true)`,
};

/**
 * A second, small pool for queries of unknown cost. Look-ups and writes never wait behind it, and
 * its connections have a short statement timeout. Only behind a pooler, a query needs a transaction to
 * set one.
 * The pool opens with its first statement.
 */
export class SearchSql implements SqlExecutor {
  private opening: Promise<Sql> | undefined;
  private opened: DataSource | undefined;

  /** @param dataSource names the database */
  constructor(
    private readonly dataSource: DataSource,
    private readonly options: SearchSqlOptions,
  ) {}

  async rows<Row extends object>(
    statement: Statement,
    values?: readonly unknown[],
  ): Promise<Row[]> {
    const { timeoutMs } = this.options;
    const sql = await (this.opening ??= this.open());
    if (!isPooled(this.dataSource.options)) return sql.rows<Row>(statement, values);
    return sql.transaction(
      async (transaction) => {
        await transaction.rows(SET_TIMEOUTS, [timeoutMs, timeoutMs / LOCK_SHARE].map(String));
        return transaction.rows<Row>(statement, values);
      },
      { retry: 'never' },
    );
  }

  async close(): Promise<void> {
    await this.opening?.catch(() => undefined);
    this.opening = undefined;
    await this.opened?.destroy();
    this.opened = undefined;
  }

  private async open(): Promise<Sql> {
    const { connectionsMax, timeoutMs } = this.options;
    const { options } = this.dataSource;
    const source = new DataSource({
      ...options,
      entities: [],
      migrations: [],
      poolSize: connectionsMax,
      extra: {
        ...(options.extra as object | undefined),
        ...(!isPooled(options) && {
          statement_timeout: timeoutMs,
          lock_timeout: timeoutMs / LOCK_SHARE,
        }),
        // A program that forgets to close the pool can end nevertheless.
        allowExitOnIdle: true,
      },
    } as DataSourceOptions);
    try {
      await source.initialize();
    } catch (error) {
      this.opening = undefined;
      throw error;
    }
    this.opened = source;
    return sqlOf(source);
  }
}
