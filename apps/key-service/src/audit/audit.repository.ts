import { Injectable } from '@nestjs/common';
import { uuidv7Bound } from '@gatehouse/service-kit';
import { KeysDatabase, type SqlRunner } from '../database/keys-database.js';
import type { AuditEvent } from './audit-event.js';

export interface AuditListQuery {
  keyId?: string;
  actorId?: string;
  type?: string;
  /** Event id of the last event of the page before. */
  after?: string;
  limit: number;
}

const COLUMNS = `event_id, type, key_id, old_key_id, actor_id, caller, ip, request_id, create_time,
  details`;

const INSERT = {
  name: 'audit_insert',
  text: `
    INSERT INTO keys.audit_events (${COLUMNS})
    SELECT ${COLUMNS} FROM jsonb_to_recordset($1::jsonb) AS added (
      event_id uuid, type text, key_id text, old_key_id text, actor_id text, caller text, ip text,
      request_id text, create_time timestamptz, details jsonb)`,
};

/** By id, which tells the time of an event as well: that many old ones are found, and no others read. */
const DELETE_BATCH = 5000;
export const DELETE_OLD = `
  DELETE FROM keys.audit_events WHERE event_id IN (
    SELECT event_id FROM keys.audit_events WHERE event_id < $1
    ORDER BY event_id LIMIT ${DELETE_BATCH})
  RETURNING 1`;

@Injectable()
export class AuditRepository {
  constructor(private readonly database: KeysDatabase) {}

  async insert(events: readonly AuditEvent[], sql: SqlRunner = this.database): Promise<void> {
    if (events.length > 0) await sql.rows(INSERT, [JSON.stringify(events)]);
  }

  /** Newest first. */
  async list(query: AuditListQuery): Promise<AuditEvent[]> {
    const values: unknown[] = [query.limit];
    const conditions = ['true'];
    const compare = (left: string, value: string | undefined) => {
      if (value !== undefined) conditions.push(`${left} $${values.push(value)}`);
    };
    compare('key_id =', query.keyId);
    compare('actor_id =', query.actorId);
    compare('type =', query.type);
    compare('event_id <', query.after);
    const rows = await this.database.rows<Omit<AuditEvent, 'create_time'> & { create_time: Date }>(
      `SELECT ${COLUMNS} FROM keys.audit_events WHERE ${conditions.join(' AND ')}
       ORDER BY event_id DESC LIMIT $1`,
      values,
    );
    return rows.map((row) => ({ ...row, create_time: row.create_time.toISOString() }));
  }

  /** Deletes events from before a moment in batches; returns how many there were. */
  async deleteBefore(moment: Date): Promise<number> {
    let deleted = 0;
    for (;;) {
      const rows = await this.database.rows(DELETE_OLD, [uuidv7Bound(moment)]);
      deleted += rows.length;
      if (rows.length < DELETE_BATCH) return deleted;
    }
  }
}
