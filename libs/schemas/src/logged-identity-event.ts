/** The events of identities in the log of identity forms, which webhooks deliver. */
import { type EventCatalog, type Logged, loggedEvents } from './event-catalog.js';
import { IdentityEvents, type IdentityEventType } from './identity-event.js';
import { described, exactObject, type JsonSchema, TEXT, TEXTS, UUID } from './json-schema.js';

/** Without the traits: receivers that may read them request the identity. */
export interface LoggedIdentityData {
  identity_id: string;
  schema_id: string;
  schema_version: number;
  /** The flow whose submission caused the event; absent for changes by administrators. */
  flow_id?: string;
  /** The changed fields of an update, such as `traits.email`. */
  fields?: readonly string[];
}

const IDENTITY = {
  identity_id: UUID,
  schema_id: described(TEXT, 'The schema of its traits'),
  schema_version: { type: 'integer', minimum: 1 },
} satisfies Partial<Record<keyof LoggedIdentityData, JsonSchema>>;
const FLOW = { flow_id: described(UUID, 'The flow whose submission caused the event') };
/** Absent from updates that were logged before there were webhooks. */
const FIELDS = { fields: described(TEXTS, 'The names of what changed, such as `traits.email`') };

const EVENTS = {
  [IdentityEvents.created]: ['An identity was created', exactObject(IDENTITY, FLOW)],
  [IdentityEvents.updated]: [
    'An identity was changed',
    exactObject(IDENTITY, { ...FLOW, ...FIELDS }),
  ],
  [IdentityEvents.deleted]: ['An identity was deleted', exactObject(IDENTITY)],
  [IdentityEvents.signUpRepeated]: [
    'Somebody signed up again with an identifier of this identity, and was not told so',
    exactObject(IDENTITY, FLOW),
  ],
} as const satisfies Record<IdentityEventType, Logged>;

export const LOGGED_IDENTITY_EVENTS = Object.keys(EVENTS) as IdentityEventType[];

export const IDENTITY_EVENT_CATALOG: EventCatalog = {
  title: 'Webhooks of Gatehouse identity forms',
  channels: {
    identities: {
      title: 'Events of identities',
      description: 'Sent to the webhook endpoints of identity forms.',
      events: loggedEvents(EVENTS),
    },
  },
};
