import { uuidv7 } from '../ids/uuid-v7.js';
import { type CallContext } from '../clients/client-addresses.js';
import { type JsonObject } from '../input/json-text.js';

/** Fields of the audit events of all services. None contains a credential. */
export interface AuditRecord {
  /** UUID v7: the order of ids is the order of time. */
  readonly event_id: string;
  readonly type: string;
  /** The id of an administrator, or a word such as `holder`; '' if the caller was not recognized. */
  readonly caller: string;
  /** The address of the client; '' if it is unknown. */
  readonly ip: string;
  readonly request_id: string;
  readonly create_time: string;
  /** Names of what changed, and ids, also `caller_actor_id` of an issued key; never values. */
  readonly details: JsonObject;
}

/** An audit event of a service whose records have one id each. */
export interface AdminEvent extends AuditRecord {
  /** The id of the record that was changed or read; '' if there is not exactly one. */
  readonly target_id: string;
}

/** An event to store, with its owner, which lists do not show. */
export interface OwnedAdminEvent extends AdminEvent {
  readonly owner_id: string;
}

/** The part of an event that comes from the change; the rest comes from the caller's context. */
export interface AdminChange {
  readonly type: string;
  readonly targetId?: string;
  /** The record whose data the event is kept with: the target, unless that belongs to another record. */
  readonly ownerId?: string;
  readonly details?: JsonObject;
}

export function auditRecordOf(
  type: string,
  { caller, callerActorId, ip, requestId }: CallContext,
  details: JsonObject = {},
): AuditRecord {
  return {
    event_id: uuidv7(),
    type,
    caller,
    ip,
    request_id: requestId,
    create_time: new Date().toISOString(),
    details: callerActorId ? { ...details, caller_actor_id: callerActorId } : details,
  };
}

export function adminEventOf(
  { type, targetId = '', ownerId = targetId, details }: AdminChange,
  call: CallContext,
): OwnedAdminEvent {
  return { ...auditRecordOf(type, call, details), target_id: targetId, owner_id: ownerId };
}
