/**
 * Keeps the daily partitions of a system: creates those of the next days, and drops those whose rows
 * are older than their time to live. Dropping costs no DELETE and leaves nothing to vacuum. Runs in the
 * process that owns the tables; any number of replicas may run it.
 */
import { type Sql, type SqlExecutor } from '@gatehouse/service-kit';
import { type DeliveryLogger } from '../system.js';
import { PARTITIONS_AHEAD_DAYS } from './delivery-tables.js';

/** Whole days; a partition is dropped when all of its day is older. */
export interface Retention {
  eventsDays: number;
  attemptsDays: number;
}

interface Partition {
  name: string;
  parent: 'events' | 'delivery_attempts';
}

/** A writer waits no longer than this for a partition to be detached. */
const LOCK_TIMEOUT = '100ms';
const LOCK_NOT_AVAILABLE = '55P03';

export class Partitions {
  constructor(
    private readonly sql: Sql,
    private readonly schema: string,
    private readonly logger: DeliveryLogger,
  ) {}

  /** @returns the names of the partitions that were dropped */
  async maintain(retention: Retention): Promise<string[]> {
    await this.sql.rows({
      text: `SELECT ${this.schema}.create_partitions((now() AT TIME ZONE 'UTC')::date,
        (now() AT TIME ZONE 'UTC')::date + ${PARTITIONS_AHEAD_DAYS})`,
    });
    const dropped: string[] = [];
    const inUse = new Set<Partition['parent']>();
    for (const { name, parent } of await this.expired(retention)) {
      if (inUse.has(parent)) continue;
      const outcome = await this.drop({ name, parent });
      if (outcome === 'dropped') dropped.push(name);
      if (outcome === 'in use') inUse.add(parent);
    }
    return dropped;
  }

  /** Partitions whose last day ended before the time to live, oldest first. */
  private expired({ eventsDays, attemptsDays }: Retention): Promise<Partition[]> {
    const text = `SELECT c.relname AS name, p.relname AS parent
      FROM pg_inherits i
      JOIN pg_class c ON c.oid = i.inhrelid JOIN pg_class p ON p.oid = i.inhparent
      JOIN pg_namespace n ON n.oid = p.relnamespace
      WHERE n.nspname = $1 AND p.relname IN ('events', 'delivery_attempts')
        AND to_date(right(c.relname, 8), 'YYYYMMDD') + 1 <= (now() AT TIME ZONE 'UTC')::date
          - CASE p.relname WHEN 'events' THEN $2::integer ELSE $3::integer END
      ORDER BY c.relname`;
    return this.sql.rows<Partition>({ text }, [this.schema, eventsDays, attemptsDays]);
  }

  /** Drops a partition, unless an endpoint still needs its events or the table is in use. */
  private async drop({ name, parent }: Partition): Promise<'dropped' | 'needed' | 'in use'> {
    const { schema } = this;
    try {
      return await this.sql.transaction(async (sql) => {
        if (parent === 'events' && (await this.isNeeded(sql, name))) return 'needed';
        await sql.rows({ text: `SET LOCAL lock_timeout = '${LOCK_TIMEOUT}'` });
        await sql.rows({
          text: `ALTER TABLE ${schema}.${parent} DETACH PARTITION ${schema}.${name}`,
        });
        await sql.rows({ text: `DROP TABLE ${schema}.${name}` });
        return 'dropped' as const;
      });
    } catch (error) {
      if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE) throw error;
      this.logger.warn({ partition: name }, 'partition is in use; it is dropped later');
      return 'in use';
    }
  }

  private async isNeeded(sql: SqlExecutor, name: string): Promise<boolean> {
    const { schema } = this;
    const [row] = await sql.rows<{ isNeeded: boolean }>({
      text: `SELECT EXISTS (
          SELECT FROM ${schema}.endpoints e
          WHERE e.wanted > e.cursor AND e.enabled AND e.state <> 'stopped'
            AND EXISTS (SELECT FROM ${schema}.${name} l
              WHERE l.source_id = e.source_id AND l.sequence > e.cursor))
        OR EXISTS (
          SELECT FROM ${schema}.replays r JOIN ${schema}.endpoints e ON e.id = r.endpoint_id
          WHERE EXISTS (SELECT FROM ${schema}.${name} l
            WHERE l.source_id = e.source_id AND l.sequence > r.cursor AND l.sequence <= r.until))
        AS "isNeeded"`,
    });
    return row?.isNeeded ?? false;
  }
}
