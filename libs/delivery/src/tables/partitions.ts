/** The daily partitions of a system. A day of events stays for as long as an endpoint needs it. */
import { DayPartitions, type Sql, type SqlExecutor } from '@gatehouse/kit/sql';
import { type DeliveryLogger } from '../system.js';

/** A partition is dropped once all of its day is older; 0 keeps it forever. */
export interface Retention {
  eventsTtlSeconds: number;
  webhookLogsTtlSeconds: number;
}

export class Partitions {
  private readonly days: DayPartitions;

  constructor(
    private readonly sql: Sql,
    private readonly schema: string,
    logger: DeliveryLogger,
  ) {
    this.days = new DayPartitions(sql, schema, 'create_partitions', logger);
  }

  /** @returns the names of the partitions that were dropped */
  async maintain({ eventsTtlSeconds, webhookLogsTtlSeconds }: Retention): Promise<string[]> {
    const isNeeded = (sql: SqlExecutor, partition: string) => this.isNeeded(sql, partition);
    const dropped = await this.days.maintain([
      { name: 'events', ttlSeconds: eventsTtlSeconds, isNeeded },
      { name: 'delivery_attempts', ttlSeconds: webhookLogsTtlSeconds },
    ]);
    await this.sql.rows({ text: `SELECT ${this.schema}.bound_ordered_reads()` });
    if (dropped.some((name) => name.startsWith('events_'))) await this.forgetParked();
    return dropped;
  }

  /** A parked event that is no longer in the log cannot be sent again. */
  private async forgetParked(): Promise<void> {
    const { schema } = this;
    await this.sql.rows({
      text: `DELETE FROM ${schema}.parked_events p WHERE NOT EXISTS (
        SELECT FROM ${schema}.events e WHERE e.source_id = p.source_id AND e.sequence = p.sequence)`,
    });
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
          SELECT FROM ${schema}.replays r JOIN ${schema}.endpoints e
            ON e.id = r.endpoint_id AND e.source_id = r.source_id
          WHERE e.enabled AND e.state <> 'stopped'
            AND EXISTS (SELECT FROM ${schema}.${name} l
              WHERE l.source_id = e.source_id AND l.sequence > r.cursor AND l.sequence <= r.until))
        AS "isNeeded"`,
    });
    return row?.isNeeded ?? false;
  }
}
