import { Injectable } from '@nestjs/common';
import { Sql, type SqlExecutor, type Statement, uuidv7Bound } from '@gatehouse/service-kit';
import type { AuditEvent } from './audit-event.js';

export interface AuditListQuery {
  keyId?: string;
  actorId?: string;
  type?: string;
  /** Event id of the last event of the previous page. */
  after?: string;
  limit: number;
}

type StoredEvent = Omit<AuditEvent, 'create_time'> & { create_time: Date };

const COLUMNS = `event_id, type, key_id, old_key_id, actor_id, caller, ip, request_id, create_time,
  details`;

const INSERT: Statement = {
  name: 'audit_insert',
  text: `
    INSERT INTO keys.audit_events (${COLUMNS})
    SELECT ${COLUMNS} FROM jsonb_to_recordset($1::jsonb) AS added (
      event_id uuid, type text, key_id text, old_key_id text, actor_id text, caller text, ip text,
      request_id text, create_time timestamptz, details jsonb)`,
};

const DELETE_BATCH = 5000;
/** Ids are in the order of time, so the index finds exactly the rows to delete. */
export const DELETE_OLD: Statement = {
  text: `
    DELETE FROM keys.audit_events WHERE event_id IN (
      SELECT event_id FROM keys.audit_events WHERE event_id < $1
      ORDER BY event_id LIMIT ${DELETE_BATCH})
    RETURNING 1`,
};

@Injectable()
export class AuditRepository {
  constructor(private readonly sql: Sql) {}

  async insert(events: readonly AuditEvent[], sql: SqlExecutor = this.sql): Promise<void> {
    if (events.length > 0) await sql.rows(INSERT, [JSON.stringify(events)]);
  }

  /** Newest first. */
  async list(query: AuditListQuery): Promise<AuditEvent[]> {
    const { statement, values } = listStatement(query);
    const rows = await this.sql.rows<StoredEvent>(statement, values);
    return rows.map((row) => ({ ...row, create_time: row.create_time.toISOString() }));
  }

  /** Deletes the events that are older than `time`, in batches; returns their number. */
  async deleteBefore(time: Date): Promise<number> {
    let deleted = 0;
    for (;;) {
      const rows = await this.sql.rows(DELETE_OLD, [uuidv7Bound(time)]);
      deleted += rows.length;
      if (rows.length < DELETE_BATCH) return deleted;
    }
  }
}

/** A page of events. Absent filters add no condition, so that every page can use an index. */
function listStatement(query: AuditListQuery): { statement: Statement; values: unknown[] } {
  const values: unknown[] = [query.limit];
  const conditions = ['true'];
  const compare = (left: string, value: string | undefined) => {
    if (value !== undefined) conditions.push(`${left} $${values.push(value)}`);
  };
  compare('key_id =', query.keyId);
  compare('actor_id =', query.actorId);
  compare('type =', query.type);
  compare('event_id <', query.after);
  const text = `
    SELECT ${COLUMNS} FROM keys.audit_events WHERE ${conditions.join(' AND ')}
    ORDER BY event_id DESC LIMIT $1`;
  return { statement: { text }, values };
}
