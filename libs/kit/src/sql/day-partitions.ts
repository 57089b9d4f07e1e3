/**
 * Keeps the daily or monthly partitions of tables: creates those of the next days, and drops those whose rows are
 * older than their time to live. Dropping costs no DELETE and leaves nothing to vacuum. Any number of
 * processes may do so at once.
 */
import { type Sql, type SqlExecutor, sqlFault } from './sql.js';

/** Days of partitions that exist ahead of time, so that writers never wait for one. */
export const PARTITIONS_AHEAD_DAYS = 30;

/** Partitions for each day (UTC), named `<name>_YYYYMMDD`, or for each month. */
export interface DailyTable {
  readonly name: string;
  /** The partitioned table, if its name is another one. */
  readonly parent?: string;
  /** A partition is dropped once all of its day or month is older; 0 keeps it forever. */
  readonly ttlSeconds: number;
  /** Whether each partition has a month, whose first day names it. */
  readonly isMonthly?: boolean;
  /** Whether a partition must be kept for longer. Runs in the transaction that would detach it. */
  readonly isNeeded?: (sql: SqlExecutor, partition: string) => Promise<boolean>;
}

interface Partition {
  name: string;
  parent: string;
  /** The name of its `DailyTable`. */
  table: string;
}

/** A writer waits no longer than this for a partition to be detached. */
const LOCK_TIMEOUT = '100ms';
const LOCK_NOT_AVAILABLE = '55P03';

export class DayPartitions {
  /** @param creation the function `(first date, last date)` of the schema that creates partitions */
  constructor(
    private readonly sql: Sql,
    private readonly schema: string,
    private readonly creation: string,
    private readonly logger: { warn(fields: object, message: string): void },
  ) {}

  /** @returns the names of the partitions that were dropped */
  async maintain(tables: readonly DailyTable[]): Promise<string[]> {
    await this.dropDetached(tables);
    await this.sql.rows({
      text: `SELECT ${this.schema}.${this.creation}((now() AT TIME ZONE 'UTC')::date,
        (now() AT TIME ZONE 'UTC')::date + ${PARTITIONS_AHEAD_DAYS})`,
    });
    const dropped: string[] = [];
    const inUse = new Set<string>();
    for (const partition of await this.expired(tables)) {
      const { name, parent } = partition;
      if (inUse.has(parent)) continue;
      const outcome = await this.detach(partition, tables);
      if (outcome === 'in use') inUse.add(parent);
      if (outcome !== 'detached') continue;
      // On its own, because writers wait for the detached partition until its transaction ends.
      await this.sql.rows({ text: `DROP TABLE IF EXISTS ${this.schema}.${name}` });
      dropped.push(name);
    }
    return dropped;
  }

  /** Drops what a process detached that ended before it could drop it. */
  private async dropDetached(tables: readonly DailyTable[]): Promise<void> {
    const text = `SELECT c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname = $1 AND c.relkind = 'r' AND NOT c.relispartition AND c.relname ~ $2`;
    const names = `^(${tables.map(({ name }) => name).join('|')})_[0-9]{8}$`;
    for (const { name } of await this.sql.rows<{ name: string }>({ text }, [this.schema, names])) {
      await this.sql.rows({ text: `DROP TABLE IF EXISTS ${this.schema}.${name}` });
    }
  }

  /** Partitions whose last day ended before the time to live, oldest first. */
  private expired(tables: readonly DailyTable[]): Promise<Partition[]> {
    const text = `SELECT c.relname AS name, p.relname AS parent, kept.name AS "table"
      FROM pg_inherits i
      JOIN pg_class c ON c.oid = i.inhrelid JOIN pg_class p ON p.oid = i.inhparent
      JOIN pg_namespace n ON n.oid = p.relnamespace
      JOIN unnest($2::text[], $3::text[], $4::float[], $5::interval[])
          AS kept (name, parent, seconds, period)
        ON kept.parent = p.relname AND c.relname = kept.name || '_' || right(c.relname, 8)
      WHERE n.nspname = $1 AND kept.seconds > 0
        AND to_date(right(c.relname, 8), 'YYYYMMDD') + kept.period
          <= now() AT TIME ZONE 'UTC' - make_interval(secs => kept.seconds)
      ORDER BY c.relname`;
    const names = tables.map(({ name }) => name);
    const periods = tables.map(({ isMonthly }) => (isMonthly ? '1 month' : '1 day'));
    const parents = tables.map(({ name, parent = name }) => parent);
    const seconds = tables.map(({ ttlSeconds }) => ttlSeconds);
    const values = [this.schema, names, parents, seconds, periods];
    return this.sql.rows<Partition>({ text }, values);
  }

  /** Detaches a partition, unless it is needed or the table is in use. */
  private async detach(
    { name, parent, table }: Partition,
    tables: readonly DailyTable[],
  ): Promise<'detached' | 'needed' | 'in use'> {
    const { schema } = this;
    const isNeeded = tables.find((each) => each.name === table)?.isNeeded;
    try {
      return await this.sql.transaction(async (sql) => {
        if (await isNeeded?.(sql, name)) return 'needed';
        await sql.rows({ text: `SET LOCAL lock_timeout = '${LOCK_TIMEOUT}'` });
        await sql.rows({
          text: `ALTER TABLE ${schema}.${parent} DETACH PARTITION ${schema}.${name}`,
        });
        return 'detached' as const;
      });
    } catch (error) {
      if (sqlFault(error).code !== LOCK_NOT_AVAILABLE) throw error;
      this.logger.warn({ partition: name }, 'partition is in use; it is dropped later');
      return 'in use';
    }
  }
}
