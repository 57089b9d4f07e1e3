// Every change of a key goes through here: its audit events are rows of the same transaction, and
// after the commit, never before, caches drop the keys and other services get their hint.
import { Injectable } from '@nestjs/common';
import { EventPublisher, Sql, type SqlExecutor } from '@gatehouse/service-kit';
import { type AuditedChange, type AuditEvent, auditEventOf } from '../audit/audit-event.js';
import { AuditRepository } from '../audit/audit.repository.js';
import { CacheInvalidation } from '../cache/cache-invalidation.js';
import type { CallContext } from '../wire/call-context.js';

@Injectable()
export class KeyChanges {
  constructor(
    private readonly sql: Sql,
    private readonly audit: AuditRepository,
    private readonly invalidation: CacheInvalidation,
    private readonly events: EventPublisher,
  ) {}

  /** Runs `work` in a transaction; `record` notes what it changed. */
  async commit<T>(
    context: CallContext,
    work: (sql: SqlExecutor, record: (change: AuditedChange) => void) => Promise<T>,
  ): Promise<T> {
    let events: AuditEvent[] = [];
    let result: T;
    try {
      result = await this.sql.transaction(async (sql) => {
        // A transaction that lost a race runs again; its events are those of the last try.
        events = [];
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
