import { Injectable } from '@nestjs/common';
import { type KeyEvent } from '@gatehouse/schemas';
import { AuditEvents, EventPublisher, Sql, type SqlExecutor } from '@gatehouse/service-kit';
import { type AuditedChange, auditEventOf } from '../audit/audit-event.js';
import { CacheInvalidation } from '../cache/cache-invalidation.js';
import { type CallContext } from '../wire/call-context.js';

/** A change; `handles` are names under which caches may remember that the key does not exist. */
export type KeyChange = AuditedChange & { readonly handles?: readonly string[] };

/**
 * Commits every change of a key: its audit events are rows of the same transaction, and only after
 * the commit do caches drop the key and other services receive the event.
 */
@Injectable()
export class KeyChanges {
  constructor(
    private readonly sql: Sql,
    private readonly audit: AuditEvents,
    private readonly invalidation: CacheInvalidation,
    private readonly events: EventPublisher,
  ) {}

  /** Runs `work` in a transaction; `work` calls `record` for each change. */
  async commit<T>(
    context: CallContext,
    work: (sql: SqlExecutor, record: (change: KeyChange) => void) => Promise<T>,
  ): Promise<T> {
    let events: KeyEvent[] = [];
    let handles: string[] = [];
    let result: T;
    try {
      result = await this.sql.transaction(async (sql) => {
        // A transaction that lost a race runs again; its events are those of the last try.
        [events, handles] = [[], []];
        const done = await work(sql, (change) => {
          events.push(auditEventOf(change, context));
          handles.push(...(change.handles ?? []));
        });
        await this.audit.insert(events, sql);
        return done;
      });
    } finally {
      // Also after an error: a commit whose confirmation was lost may have succeeded.
      await this.invalidate(events, handles);
    }
    events.forEach((event) => this.events.publish(event.type, event));
    return result;
  }

  private async invalidate(events: readonly KeyEvent[], handles: readonly string[]): Promise<void> {
    const keyIds = events.flatMap((event) => [event.key_id, event.old_key_id]);
    const changed = [...keyIds, ...handles].filter((handle) => handle !== '');
    if (changed.length > 0) await this.invalidation.publish(changed);
  }
}
