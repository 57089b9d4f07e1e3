import type { KeyEvent, KeyEventType } from '@gatehouse/schemas';
import { type JsonObject, uuidv7 } from '@gatehouse/service-kit';
import type { CallContext } from '../wire/call-context.js';

export type AuditEvent = KeyEvent;

/** The part of an event that the change itself knows; the rest is the caller's context. */
export interface AuditedChange {
  readonly type: KeyEventType;
  readonly key: { readonly keyId: string; readonly actorId: string };
  readonly oldKeyId?: string;
  readonly details?: JsonObject;
}

export function auditEventOf(change: AuditedChange, context: CallContext): AuditEvent {
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
