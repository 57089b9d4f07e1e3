import { Injectable } from '@nestjs/common';
import { type KeyEvent } from '@gatehouse/schemas';
import { AuditEvents } from '@gatehouse/kit/audit';
import { Sql, type SqlExecutor } from '@gatehouse/kit/sql';
import { EventPublisher } from '@gatehouse/nest-kit/exchange';
import { type AuditedChange, auditEventOf } from '../events/audit/audit-event.js';
import { CacheInvalidation, TRUST_RULES } from '../store/cache/cache-invalidation.js';
import { KeyEventLog } from '../events/key-event-log.js';
import { type LoggedChange } from '../events/logged-change.js';
import { type CallContext } from '../api/call-context.js';

/** A change; `handles` are names under which caches may remember that the key does not exist. */
export type KeyChange = AuditedChange & LoggedChange & { readonly handles?: readonly string[] };

/** Refuses a change by throwing, within its transaction. */
export type TransactionGuard = (sql: SqlExecutor) => Promise<void>;

/**
 * Commits every change of a key: its audit events and the events that webhooks deliver are rows of the
 * same transaction, and only after the commit do caches drop the key and other services receive the
 * event.
 */
@Injectable()
export class KeyChanges {
  constructor(
    private readonly sql: Sql,
    private readonly audit: AuditEvents,
    private readonly log: KeyEventLog,
    private readonly invalidation: CacheInvalidation,
    private readonly events: EventPublisher,
  ) {}

  /** Runs `work` in a transaction; `work` calls `record` for each change. */
  async commit<T>(
    context: CallContext,
    work: (sql: SqlExecutor, record: (change: KeyChange) => void) => Promise<T>,
  ): Promise<T> {
    let events: KeyEvent[] = [];
    let changes: KeyChange[] = [];
    let result: T;
    try {
      result = await this.sql.transaction(async (sql) => {
        // A transaction that lost a race runs again; its events are those of the last try.
        changes = [];
        const done = await work(sql, (change) => changes.push(change));
        events = changes.map((change) => auditEventOf(change, context));
        await this.audit.insert(events, sql);
        await this.log.write(sql, changes);
        return done;
      });
    } finally {
      // Also after an error: a commit whose confirmation was lost may have succeeded.
      await this.invalidate(changes);
    }
    if (changes.length > 0) this.log.wake();
    events.forEach((event) => this.events.publish(event.type, event));
    return result;
  }

  private async invalidate(changes: readonly KeyChange[]): Promise<void> {
    const changed = changes.flatMap(({ key, oldKeyId, handles = [] }) =>
      oldKeyId === undefined ? [key.keyId, ...handles] : [key.keyId, oldKeyId, ...handles],
    );
    if (changes.some(({ key }) => key.kind === 'trust')) changed.push(TRUST_RULES);
    if (changed.length > 0) await this.invalidation.publish([...new Set(changed)]);
  }
}
