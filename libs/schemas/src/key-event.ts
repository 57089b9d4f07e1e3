import { ANY_OBJECT, exactObject, type JsonSchema, TEXT, TIME, UUID } from './json-schema.js';

/**
 * Events of the key service; also the types of its audit events. `verification.failed` is written to
 * the audit log only, not published.
 */
export const KeyEvents = {
  issued: 'key.issued',
  imported: 'key.imported',
  updated: 'key.updated',
  rotated: 'key.rotated',
  revoked: 'key.revoked',
  deleted: 'key.deleted',
  paused: 'key.paused',
  resumed: 'key.resumed',
  undeleted: 'key.undeleted',
  erased: 'key.erased',
  exposed: 'key.exposed',
  tokenDerived: 'token.derived',
  verificationFailed: 'verification.failed',
} as const;
export type KeyEventType = (typeof KeyEvents)[keyof typeof KeyEvents];

/** A change or a failed verification, with its caller. `details` never contains a credential. */
export interface KeyEvent {
  event_id: string;
  type: KeyEventType;
  /** The key; after a rotation, the new key. '' when no key was confirmed. */
  key_id: string;
  /** The old key of a rotation; otherwise ''. */
  old_key_id: string;
  actor_id: string;
  caller: string;
  ip: string;
  request_id: string;
  create_time: string;
  details: Readonly<Record<string, unknown>>;
}

/** @returns the schema of events of this type */
export function keyEventSchema(type: KeyEventType): JsonSchema {
  return exactObject({
    event_id: UUID,
    type: { const: type },
    key_id: TEXT,
    old_key_id: TEXT,
    actor_id: TEXT,
    caller: TEXT,
    ip: TEXT,
    request_id: TEXT,
    create_time: TIME,
    details: ANY_OBJECT,
  });
}
