import { exactObject, type JsonSchema, TEXT, TIME, UUID } from './json-schema.js';

/** Events of identity forms. */
export const IdentityEvents = {
  created: 'identity.created',
  updated: 'identity.updated',
  deleted: 'identity.deleted',
  /** Somebody signed up again with an identifier of this identity, and was not told so. */
  signUpRepeated: 'identity.sign_up_repeated',
} as const;
export type IdentityEventType = (typeof IdentityEvents)[keyof typeof IdentityEvents];

/** Without the traits: subscribers that may read them request the identity. */
export interface IdentityEventPayload {
  event_id: string;
  type: IdentityEventType;
  identity_id: string;
  schema_id: string;
  schema_version: number;
  occurred_at: string;
  /** The flow whose submission caused the event; absent for changes by administrators. */
  flow_id?: string;
}

/** @returns the schema of events of this type */
export function identityEventSchema(type: IdentityEventType): JsonSchema {
  return exactObject(
    {
      event_id: UUID,
      type: { const: type },
      identity_id: UUID,
      schema_id: TEXT,
      schema_version: { type: 'integer', minimum: 1 },
      occurred_at: TIME,
    },
    { flow_id: UUID },
  );
}
