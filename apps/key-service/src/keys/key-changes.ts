// Every change of a key goes through here: its audit events are rows of the same transaction, and
// after the commit, never before, caches drop the keys and other services get their hint.
import { Injectable } from '@nestjs/common';
import { EventPublisher, uuidv7 } from '@gatehouse/service-kit';
import { type AuditEvent, AuditRepository } from '../audit/audit.repository.js';
import { KeysDatabase, type SqlRunner } from '../database/keys-database.js';
import { CacheInvalidation } from '../cache/cache-invalidation.js';
import type { JsonObject } from '../wire/body-reader.js';
import type { CallContext } from '../wire/call-context.js';
import type { KeyRecord } from '../records/key.record.js';

/** What a change tells about itself; the rest of the event is the caller's context. */
export interface KeyChange {
  readonly type: string;
  readonly key: Pick<KeyRecord, 'keyId' | 'actorId'>;
  readonly oldKeyId?: string;
  readonly details?: JsonObject;
}

@Injectable()
export class KeyChanges {
  constructor(
    private readonly database: KeysDatabase,
    private readonly audit: AuditRepository,
    private readonly invalidation: CacheInvalidation,
    private readonly events: EventPublisher,
  ) {}

  /** Runs `work` in a transaction; `record` notes what it changed. */
  async commit<T>(
    context: CallContext,
    work: (sql: SqlRunner, record: (change: KeyChange) => void) => Promise<T>,
  ): Promise<T> {
    const events: AuditEvent[] = [];
    let result: T;
    try {
      result = await this.database.transaction(async (sql) => {
        const done = await work(sql, (change) => events.push(auditEventOf(change, context)));
        await this.audit.insert(events, sql);
        return done;
      });
    } finally {
      // After a fault as well: a commit whose answer was lost may stand, and nobody goes on with
      // the key as it was.
      await this.forget(events);
    }
    events.forEach((event) => this.events.publish(event.type, event));
    return result;
  }

  private async forget(events: readonly AuditEvent[]): Promise<void> {
    const keyIds = events.flatMap((event) => [event.key_id, event.old_key_id]);
    const changed = keyIds.filter((keyId) => keyId !== '');
    if (changed.length > 0) await this.invalidation.publish(changed);
  }
}

export function auditEventOf(change: KeyChange, context: CallContext): AuditEvent {
  return {
    event_id: uuidv7(),
    type: change.type,
    key_id: change.key.keyId,
    old_key_id: change.oldKeyId ?? '',
    actor_id: change.key.actorId,
    caller: context.caller,
    ip: context.ip,
    request_id: context.requestId,
    create_time: new Date().toISOString(),
    details: change.details ?? {},
  };
}
