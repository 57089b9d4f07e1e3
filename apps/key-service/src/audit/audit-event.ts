import { type JsonObject, uuidv7 } from '@gatehouse/service-kit';
import type { CallContext } from '../wire/call-context.js';

/** A change or a failed verification, with its caller. `details` never contains a credential. */
export interface AuditEvent {
  event_id: string;
  type: string;
  /** Of a rotation: the new key. */
  key_id: string;
  old_key_id: string;
  actor_id: string;
  caller: string;
  ip: string;
  request_id: string;
  create_time: string;
  details: JsonObject;
}

/** The part of an event that the change itself knows; the rest is the caller's context. */
export interface AuditedChange {
  readonly type: string;
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
