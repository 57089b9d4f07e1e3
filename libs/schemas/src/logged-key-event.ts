/** The events of keys in the log of the key service, which webhooks deliver. */
import { type EventCatalog, type Logged, loggedEvents } from './event-catalog.js';
import {
  ANY_OBJECT,
  described,
  exactObject,
  type JsonSchema,
  orNull,
  TEXT,
  TEXTS,
  TIME,
  UUID,
} from './json-schema.js';
import { KeyEvents } from './key-event.js';
import {
  KEY_STATUSES,
  KEY_VISIBILITIES,
  type KeyStatus,
  type KeyVisibility,
} from './verify-key.js';

/** The key as it was after the event, and what is special about the type. Never a secret. */
export interface LoggedKeyData {
  /** The key; after a rotation, the new key. */
  key_id: string;
  /** A trust rule is a key without a secret. */
  kind: 'issued' | 'imported' | 'trust';
  name: string;
  actor_id: string;
  metadata: Readonly<Record<string, unknown>>;
  /** Absent when the key has none. */
  tags?: readonly string[];
  visibility: KeyVisibility;
  status: KeyStatus;
  expire_time: string | null;
}

/** Changes of a key that no caller makes. */
export const KeyExpiryEvents = { expiring: 'key.expiring', expired: 'key.expired' } as const;

/** Events that the use of a key causes. */
export const KeyUsageEvents = {
  rotationCompleted: 'key.rotation_completed',
  rateLimited: 'key.rate_limited',
  creditsExhausted: 'key.credits_exhausted',
  unused: 'key.unused',
} as const;

const RATE_LIMIT = exactObject({ quota: TEXT, unit: TEXT, window: TEXT });

const CREDITS = exactObject({
  remaining: described(TEXT, 'Less than the verification cost'),
  refill_time: orNull(described(TIME, 'The next refill')),
});

const KEY = {
  key_id: described(UUID, 'Of a rotation, the new key'),
  kind: described({ enum: ['issued', 'imported', 'trust'] }, '`trust` for a trust rule'),
  name: TEXT,
  actor_id: described(TEXT, 'The owner'),
  metadata: ANY_OBJECT,
  visibility: { enum: KEY_VISIBILITIES },
  status: described({ enum: KEY_STATUSES }, 'After the event'),
  expire_time: orNull(TIME),
} satisfies Record<Exclude<keyof LoggedKeyData, 'tags'>, JsonSchema>;

const keyData = (
  required: Readonly<Record<string, JsonSchema>> = {},
  optional: Readonly<Record<string, JsonSchema>> = {},
) =>
  exactObject(
    { ...KEY, ...required },
    { tags: described(TEXTS, 'Absent when the key has none'), ...optional },
  );

/** Absent unless the actor of the key left, or came back. */
const LEAVER = {
  cause: described(
    { enum: ['directory', 'identity'] },
    'Who the actor of the key was that left or came back',
  ),
  directory_id: described(UUID, 'The directory of the person'),
  user_id: described(UUID, 'The person in the directory'),
  identity_id: described(UUID, 'The identity that was deleted'),
};

const EVENTS = {
  [KeyEvents.issued]: ['A key was issued, or a trust rule created', keyData()],
  [KeyEvents.imported]: ['A key was imported', keyData()],
  [KeyEvents.updated]: [
    'A key was changed',
    keyData({ fields: described(TEXTS, 'The names of the fields that were set') }),
  ],
  [KeyEvents.rotated]: [
    'A key was replaced',
    keyData(
      { old_key_id: UUID },
      { grace_period: described(TEXT, 'Absent if the old key ended at once') },
    ),
  ],
  [KeyUsageEvents.rotationCompleted]: [
    'The key that replaces another one was used for the first time',
    keyData({ old_key_id: UUID }),
  ],
  [KeyEvents.revoked]: [
    'A key was revoked',
    keyData(
      { reason: TEXT },
      {
        by: described({ enum: ['holder', 'leak_report'] }, 'Absent if an administrator revoked it'),
        ...LEAVER,
      },
    ),
  ],
  [KeyEvents.deleted]: ['An imported key was deleted', keyData()],
  [KeyEvents.paused]: ['A key is refused until it is resumed', keyData({}, LEAVER)],
  [KeyEvents.resumed]: ['A paused key is accepted again', keyData({}, LEAVER)],
  [KeyEvents.undeleted]: ['The revocation of a key was undone', keyData()],
  [KeyEvents.erased]: ['The personal data of a key was removed, also from its events', keyData()],
  [KeyEvents.exposed]: [
    'The secret of a key was found where it should not be; once for each key and place',
    keyData({
      url: described(TEXT, 'Where it was found; empty if that is unknown'),
      source: described(TEXT, 'The kind of the place, such as `commit`; empty if that is unknown'),
    }),
  ],
  [KeyExpiryEvents.expiring]: [
    'A key expires within a threshold; once for each key and threshold',
    keyData({ threshold: described(TEXT, 'How long before the expiry, such as `604800s`') }),
  ],
  [KeyExpiryEvents.expired]: ['A key has expired', keyData()],
  [KeyUsageEvents.unused]: [
    'A key has not been used for a long time; once until it is used again',
    keyData({ unused_since: described(TIME, 'Its last use, or its creation') }),
  ],
  [KeyUsageEvents.rateLimited]: [
    'A request exceeded the rate limit of a key; at most once an hour for each key',
    keyData({ rate_limit_policy: orNull(RATE_LIMIT) }),
  ],
  [KeyUsageEvents.creditsExhausted]: [
    'A verification was refused because the key had too few credits; once until it gets some',
    keyData({ credits: CREDITS }),
  ],
} as const satisfies Record<string, Logged>;

export type LoggedKeyEventType = keyof typeof EVENTS;

export const LOGGED_KEY_EVENTS = Object.keys(EVENTS) as LoggedKeyEventType[];

export const KEY_EVENT_CATALOG: EventCatalog = {
  title: 'Webhooks of the Gatehouse key service',
  channels: {
    keys: {
      title: 'Events of keys',
      description: 'Sent to the webhook endpoints of the key service.',
      events: loggedEvents(EVENTS),
    },
  },
};
