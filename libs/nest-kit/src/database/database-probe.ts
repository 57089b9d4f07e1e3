import { type OnApplicationShutdown } from '@nestjs/common';
import { Pool, type PoolConfig } from 'pg';
import { type DataSource } from 'typeorm';
import { type AnswerBounds, BOUNDED_POOL } from '@gatehouse/kit/sql';
import { migrationNames, migrationsTableOf, UNDEFINED_TABLE } from './migrate.js';

export interface ProbeOptions {
  readonly databaseUrl: string;
  /** Names the connection in `pg_stat_activity`. */
  readonly applicationName: string;
  /** The tables that must exist, with their schema. */
  readonly tables: readonly string[];
}

/** The missing part of the database; undefined if it is complete. */
export type DatabaseLack = 'migrations' | 'tables' | undefined;

const ANSWER_TIMEOUT_MS = 1_500;

/**
 * Asks the database whether it can serve requests, on a connection of its own: the pool of the
 * service may be full while all is well. Simultaneous questions share one answer.
 */
export class DatabaseProbe implements OnApplicationShutdown {
  private readonly pool: Pool;
  private asking: Promise<DatabaseLack> | undefined;

  constructor(
    private readonly dataSource: DataSource,
    private readonly options: ProbeOptions,
  ) {
    const pool: PoolConfig & AnswerBounds = {
      ...BOUNDED_POOL,
      connectionString: options.databaseUrl,
      application_name: options.applicationName,
      // The connection is kept: a server whose connections are all in use would refuse another.
      max: 1,
      idleTimeoutMillis: 0,
      keepAlive: true,
      connectionTimeoutMillis: ANSWER_TIMEOUT_MS,
      answerTimeoutMs: ANSWER_TIMEOUT_MS,
    };
    this.pool = new Pool(pool);
    // The next question opens another connection.
    this.pool.on('error', () => undefined);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.end();
  }

  /** @throws Error when the database does not answer */
  lack(): Promise<DatabaseLack> {
    this.asking ??= this.ask().finally(() => (this.asking = undefined));
    return this.asking;
  }

  private async ask(): Promise<DatabaseLack> {
    const { dataSource, pool, options } = this;
    const names = migrationNames(dataSource);
    const migrations = names.length > 0 ? `SELECT name FROM ${migrationsTableOf(dataSource)}` : '';
    try {
      const { rows } = await pool.query<{ applied: string[]; missing: string[] }>(
        `SELECT ARRAY(${migrations || 'SELECT NULL'})::text[] AS applied,
          ARRAY(SELECT name FROM unnest($1::text[]) name WHERE to_regclass(name) IS NULL) AS missing`,
        [options.tables],
      );
      const [{ applied, missing } = { applied: [], missing: [] }] = rows;
      // Migrations that only the database knows are ignored: a newer version may have run them.
      if (!names.every((name) => applied.includes(name))) return 'migrations';
      return missing.length > 0 ? 'tables' : undefined;
    } catch (error) {
      if ((error as { code?: string }).code === UNDEFINED_TABLE) return 'migrations';
      throw error;
    }
  }
}
