import { type Sql, type SqlExecutor, type Statement } from '../sql/sql.js';
import { uuidv7Bound } from '../ids/uuid-v7.js';
import { type AuditRecord } from './audit-event.js';

/** The audit table of a service. */
export interface AuditTable {
  /** With its schema, such as `keys.audit_events`. */
  readonly name: string;
  /** The text columns with the ids of the subjects of an event; '' if it has no subject. */
  readonly subjects: readonly string[];
  /** The column with the `owner_id` of an event, unless a subject column has it. Lists leave it out. */
  readonly owner?: string;
}

export interface AuditListQuery {
  /** Values that events have in these columns; undefined adds no condition. */
  readonly equal: Readonly<Record<string, string | undefined>>;
  /** The id of the last event of the previous page. */
  readonly after?: string;
  /** The number of events to skip. */
  readonly offset?: number;
  readonly limit: number;
}

const COMMON = ['event_id', 'type', 'caller', 'ip', 'request_id', 'create_time', 'details'];
const DELETE_BATCH = 5000;

/** The audit events of a service: they are added, listed, and deleted by age, never changed. */
export class AuditEvents<Event extends AuditRecord = AuditRecord> {
  private readonly insertion: Statement;
  private readonly columns: string;
  /** Exported for the test of its query plan. */
  readonly deletion: Statement;

  constructor(
    private readonly sql: Sql,
    private readonly table: AuditTable,
  ) {
    const { name, subjects, owner } = table;
    this.columns = [...COMMON, ...subjects].join(', ');
    const stored = owner === undefined ? this.columns : `${this.columns}, ${owner}`;
    const given = owner === undefined ? subjects : [...subjects, 'owner_id'];
    const values = [...COMMON, ...given.map((each) => `coalesce(${each}, '')`)].join(', ');
    this.insertion = {
      name: 'audit_insert',
      text: `INSERT INTO ${name} (${stored})
        SELECT ${values} FROM jsonb_to_recordset($1::jsonb) AS added (
          event_id uuid, type text, caller text, ip text, request_id text,
          create_time timestamptz, details jsonb, ${given.map((each) => `${each} text`).join(', ')})`,
    };
    // Ids are in the order of time, so the index finds exactly the rows to delete.
    this.deletion = {
      text: `DELETE FROM ${name} WHERE event_id IN (
          SELECT event_id FROM ${name} WHERE event_id < $1 ORDER BY event_id LIMIT ${DELETE_BATCH})
        RETURNING 1`,
    };
  }

  /** Adds events, in the transaction of the change that they describe if one is given. */
  async insert(events: readonly AuditRecord[], sql: SqlExecutor = this.sql): Promise<void> {
    if (events.length > 0) await sql.rows(this.insertion, [JSON.stringify(events)]);
  }

  /** Newest first. Absent filters add no condition, so that every page can use an index. */
  async list({ equal, after, offset = 0, limit }: AuditListQuery): Promise<Event[]> {
    const values: unknown[] = [limit, offset];
    const conditions = ['true'];
    const order = ['event_id DESC'];
    for (const [column, value] of Object.entries(equal)) {
      if (value === undefined) continue;
      const given = `$${values.push(value)}`;
      // A range of one value, so that the column stays in the order and its index is read (ADR 0057).
      if (order.length === 1) order.unshift(column);
      conditions.push(`${column} BETWEEN ${given} AND ${given}`);
    }
    if (after !== undefined) conditions.push(`event_id < $${values.push(after)}`);
    const text = `SELECT ${this.columns} FROM ${this.table.name}
      WHERE ${conditions.join(' AND ')} ORDER BY ${order.join(', ')} LIMIT $1 OFFSET $2`;
    const rows = await this.sql.rows<Event & { create_time: Date }>({ text }, values);
    return rows.map((row) => ({ ...row, create_time: row.create_time.toISOString() }));
  }

  /** Deletes the events that are older than `time`, in batches; returns their number. */
  async deleteBefore(time: Date): Promise<number> {
    let deleted = 0;
    for (;;) {
      const rows = await this.sql.rows(this.deletion, [uuidv7Bound(time)]);
      deleted += rows.length;
      if (rows.length < DELETE_BATCH) return deleted;
    }
  }
}
