/** The events of identities in the log of identity forms, which webhooks deliver. */
import { IdentityEvents, type IdentityEventType } from './identity-event.js';
import { exactObject, type JsonSchema, TEXT, TEXTS, UUID } from './json-schema.js';
import { loggedEventSchema } from './logged-event.js';

/** Without the traits: receivers that may read them request the identity. */
export interface LoggedIdentityData {
  identity_id: string;
  schema_id: string;
  schema_version: number;
  /** The flow whose submission caused the event; absent for changes by administrators. */
  flow_id?: string;
  /** Of an update: the names of what changed, such as `traits.email`. */
  fields?: readonly string[];
}

const IDENTITY = {
  identity_id: UUID,
  schema_id: TEXT,
  schema_version: { type: 'integer', minimum: 1 },
} satisfies Partial<Record<keyof LoggedIdentityData, JsonSchema>>;
const FLOW = { flow_id: UUID };

/** The data of each type. Updates that were logged before there were webhooks have no fields. */
const DATA = {
  [IdentityEvents.created]: exactObject(IDENTITY, FLOW),
  [IdentityEvents.updated]: exactObject(IDENTITY, { ...FLOW, fields: TEXTS }),
  [IdentityEvents.deleted]: exactObject(IDENTITY),
  [IdentityEvents.signUpRepeated]: exactObject(IDENTITY, FLOW),
} as const satisfies Record<IdentityEventType, JsonSchema>;

export const LOGGED_IDENTITY_EVENTS = Object.keys(DATA) as IdentityEventType[];

/** The JSON Schema of the events of each type. */
export const LOGGED_IDENTITY_EVENT_SCHEMAS = Object.fromEntries(
  Object.entries(DATA).map(([type, data]) => [type, loggedEventSchema(type, data)]),
) as Readonly<Record<IdentityEventType, JsonSchema>>;
