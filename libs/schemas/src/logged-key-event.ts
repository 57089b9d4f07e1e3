/** The events of keys in the log of the key service, which webhooks deliver. */
import {
  ANY_OBJECT,
  exactObject,
  type JsonSchema,
  orNull,
  TEXT,
  TEXTS,
  TIME,
  UUID,
} from './json-schema.js';
import { KeyEvents } from './key-event.js';
import { loggedEventSchema } from './logged-event.js';
import {
  KEY_STATUSES,
  KEY_VISIBILITIES,
  type KeyStatus,
  type KeyVisibility,
} from './verify-key.js';

/** The key as it was after the event, and what is special about the type. Never a secret. */
export interface LoggedKeyData {
  /** Of a rotation: the new key. */
  key_id: string;
  kind: 'issued' | 'imported';
  name: string;
  actor_id: string;
  metadata: Readonly<Record<string, unknown>>;
  visibility: KeyVisibility;
  status: KeyStatus;
  expire_time: string | null;
}

/** Changes of a key that no caller makes. */
export const KeyExpiryEvents = { expiring: 'key.expiring', expired: 'key.expired' } as const;

const KEY = {
  key_id: UUID,
  kind: { enum: ['issued', 'imported'] },
  name: TEXT,
  actor_id: TEXT,
  metadata: ANY_OBJECT,
  visibility: { enum: KEY_VISIBILITIES },
  status: { enum: KEY_STATUSES },
  expire_time: orNull(TIME),
} satisfies Record<keyof LoggedKeyData, JsonSchema>;

const keyData = (
  required: Readonly<Record<string, JsonSchema>> = {},
  optional: Readonly<Record<string, JsonSchema>> = {},
) => exactObject({ ...KEY, ...required }, optional);

/** The data of each type. */
const DATA = {
  [KeyEvents.issued]: keyData(),
  [KeyEvents.imported]: keyData(),
  /** `fields`: the names of the fields that were set. */
  [KeyEvents.updated]: keyData({ fields: TEXTS }),
  /** Without a grace period, the old key ended at once. */
  [KeyEvents.rotated]: keyData({ old_key_id: UUID }, { grace_period: TEXT }),
  /** `by`: `holder` if the holder of the secret revoked it. */
  [KeyEvents.revoked]: keyData({ reason: TEXT }, { by: { const: 'holder' } }),
  [KeyEvents.deleted]: keyData(),
  /** `threshold`: how long before the expiry, in seconds, such as `604800s`. */
  [KeyExpiryEvents.expiring]: keyData({ threshold: TEXT }),
  [KeyExpiryEvents.expired]: keyData(),
} as const satisfies Record<string, JsonSchema>;

export type LoggedKeyEventType = keyof typeof DATA;

export const LOGGED_KEY_EVENTS = Object.keys(DATA) as LoggedKeyEventType[];

/** The JSON Schema of the events of each type. */
export const LOGGED_KEY_EVENT_SCHEMAS = Object.fromEntries(
  Object.entries(DATA).map(([type, data]) => [type, loggedEventSchema(type, data)]),
) as Readonly<Record<LoggedKeyEventType, JsonSchema>>;
