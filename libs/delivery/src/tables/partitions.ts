/**
 * Keeps the daily partitions of a system: creates those of the next days, and drops those whose rows
 * are older than their time to live. Dropping costs no DELETE and leaves nothing to vacuum. Runs in the
 * process that owns the tables; any number of replicas may run it.
 */
import { type Sql, type SqlExecutor } from '@gatehouse/service-kit';
import { type DeliveryLogger } from '../system.js';
import { PARTITIONS_AHEAD_DAYS } from './delivery-tables.js';

/** A partition is dropped once all of its day is older; 0 keeps it forever. */
export interface Retention {
  eventsTtlSeconds: number;
  webhookLogsTtlSeconds: number;
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
    await this.dropDetached();
    await this.sql.rows({
      text: `SELECT ${this.schema}.create_partitions((now() AT TIME ZONE 'UTC')::date,
        (now() AT TIME ZONE 'UTC')::date + ${PARTITIONS_AHEAD_DAYS})`,
    });
    const dropped: string[] = [];
    const inUse = new Set<Partition['parent']>();
    for (const { name, parent } of await this.expired(retention)) {
      if (inUse.has(parent)) continue;
      const outcome = await this.detach({ name, parent });
      if (outcome === 'in use') inUse.add(parent);
      if (outcome !== 'detached') continue;
      // On its own, because writers wait for the detached partition until its transaction ends.
      await this.sql.rows({ text: `DROP TABLE IF EXISTS ${this.schema}.${name}` });
      dropped.push(name);
    }
    if (dropped.some((name) => name.startsWith('events_'))) await this.forgetParked();
    return dropped;
  }

  /** A parked event that is no longer in the log cannot be sent again. */
  private async forgetParked(): Promise<void> {
    const { schema } = this;
    await this.sql.rows({
      text: `DELETE FROM ${schema}.parked_events
        WHERE sequence < (SELECT min(sequence) FROM ${schema}.events)`,
    });
  }

  /** Drops what a process detached that ended before it could drop it. */
  private async dropDetached(): Promise<void> {
    const text = `SELECT c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname = $1 AND c.relkind = 'r' AND NOT c.relispartition
        AND c.relname ~ '^(events|delivery_attempts)_[0-9]{8}$'`;
    for (const { name } of await this.sql.rows<{ name: string }>({ text }, [this.schema])) {
      await this.sql.rows({ text: `DROP TABLE IF EXISTS ${this.schema}.${name}` });
    }
  }

  /** Partitions whose last day ended before the time to live, oldest first. */
  private expired({ eventsTtlSeconds, webhookLogsTtlSeconds }: Retention): Promise<Partition[]> {
    const text = `SELECT c.relname AS name, p.relname AS parent
      FROM pg_inherits i
      JOIN pg_class c ON c.oid = i.inhrelid JOIN pg_class p ON p.oid = i.inhparent
      JOIN pg_namespace n ON n.oid = p.relnamespace
      JOIN (VALUES ('events', $2::float), ('delivery_attempts', $3::float)) AS kept (parent, seconds)
        ON kept.parent = p.relname
      WHERE n.nspname = $1 AND kept.seconds > 0
        AND to_date(right(c.relname, 8), 'YYYYMMDD') + 1
          <= now() AT TIME ZONE 'UTC' - make_interval(secs => kept.seconds)
      ORDER BY c.relname`;
    const values = [this.schema, eventsTtlSeconds, webhookLogsTtlSeconds];
    return this.sql.rows<Partition>({ text }, values);
  }

  /** Detaches a partition, unless an endpoint still needs its events or the table is in use. */
  private async detach({ name, parent }: Partition): Promise<'detached' | 'needed' | 'in use'> {
    const { schema } = this;
    try {
      return await this.sql.transaction(async (sql) => {
        if (parent === 'events' && (await this.isNeeded(sql, name))) return 'needed';
        await sql.rows({ text: `SET LOCAL lock_timeout = '${LOCK_TIMEOUT}'` });
        await sql.rows({
          text: `ALTER TABLE ${schema}.${parent} DETACH PARTITION ${schema}.${name}`,
        });
        return 'detached' as const;
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
          WHERE e.enabled AND e.state <> 'stopped'
            AND EXISTS (SELECT FROM ${schema}.${name} l
              WHERE l.source_id = e.source_id AND l.sequence > r.cursor AND l.sequence <= r.until))
        AS "isNeeded"`,
    });
    return row?.isNeeded ?? false;
  }
}
