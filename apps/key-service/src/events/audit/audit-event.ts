import { type KeyEvent, type KeyEventType } from '@gatehouse/schemas';
import { type AuditEvents, auditRecordOf, type AuditTable } from '@gatehouse/kit/audit';
import { type CallContext } from '@gatehouse/kit/clients';
import { type JsonObject } from '@gatehouse/kit/input';
import { type ADMIN_DENIED } from '@gatehouse/nest-kit/audit';

export const AUDIT_TABLE: AuditTable = {
  name: 'keys.audit_events',
  subjects: ['key_id', 'old_key_id', 'actor_id'],
};

export type WebhookAuditType =
  | `webhook_endpoint.${'created' | 'updated' | 'deleted' | 'paused' | 'resumed' | 'tested'}`
  | 'webhook_endpoint.secret_rotated';

export type HashAuditType = 'imported_hashes.planned';

export type PortalAuditType = `portal_session.${'created' | 'opened' | 'reopened' | 'revoked'}`;

export type DeliveryAuditType = 'event.resent' | 'events.replayed';

/** An event about a key, or about none: an endpoint, a delivery or a refused call. */
export type AuditEvent = Omit<KeyEvent, 'type'> & {
  type:
    | KeyEventType
    | WebhookAuditType
    | DeliveryAuditType
    | HashAuditType
    | PortalAuditType
    | typeof ADMIN_DENIED;
};

/** The audit events as this service lists them: `@Inject(AuditEvents)`. */
export type KeyAuditEvents = AuditEvents<AuditEvent>;

/** The part of an event that comes from the change; the rest comes from the caller's context. */
export interface AuditedChange {
  readonly type: KeyEventType;
  readonly key: { readonly keyId: string; readonly actorId: string };
  readonly oldKeyId?: string;
  readonly details?: JsonObject;
}

export function auditEventOf(
  { type, key, oldKeyId = '', details }: AuditedChange,
  call: CallContext,
): KeyEvent {
  const { keyId: key_id, actorId: actor_id } = key;
  const subjects = { key_id, old_key_id: oldKeyId, actor_id };
  return Object.assign(auditRecordOf(type, call, details), { type, ...subjects });
}
