/** Events about deliveries and directories, for operators. */
import { type EventChannel, type Logged, loggedEvents } from './event-catalog.js';
import { described, exactObject, orNull, TEXT, TIME, UUID } from './json-schema.js';

const ENDPOINT = {
  endpoint_id: UUID,
  source_id: described(UUID, 'What the events of the endpoint are about, such as a directory'),
};

const ENDPOINT_STATE = exactObject({
  ...ENDPOINT,
  state: { enum: ['healthy', 'failing', 'paused', 'stopped'] },
  reason: described(orNull(TEXT), 'The last failure'),
  failing_since: orNull(TIME),
});

const DELIVERY = {
  'webhook.failing': ['The first attempt at an endpoint failed', ENDPOINT_STATE],
  'webhook.paused': [
    'An endpoint failed for the whole retry schedule, or answered 410 (`stopped`)',
    ENDPOINT_STATE,
  ],
  'webhook.recovered': ['An endpoint accepts events again', ENDPOINT_STATE],
  'event.parked': [
    'An endpoint refuses an event while it accepts others; the event is not sent again by itself',
    exactObject({
      ...ENDPOINT,
      event_id: UUID,
      event_type: TEXT,
      reason: TEXT,
      attempts: described({ type: 'integer', minimum: 1 }, 'How often it was refused'),
    }),
  ],
} as const satisfies Record<string, Logged>;

const DIRECTORY_MEMBERS = { directory_id: UUID, name: TEXT, tenant: TEXT, product: TEXT };
const DIRECTORY = exactObject(DIRECTORY_MEMBERS);
const UNAUTHORIZED = exactObject({
  ...DIRECTORY_MEMBERS,
  reason: described(TEXT, 'For an administrator'),
});
const TOKEN_MEMBERS = {
  ...DIRECTORY_MEMBERS,
  token_id: UUID,
  token_name: TEXT,
  expires_at: TIME,
  last_used_at: described(orNull(TIME), 'Null if it was not used since it was created or rotated'),
};
const SETUP = exactObject({ ...DIRECTORY_MEMBERS, link_id: UUID });
const RUN = exactObject({
  ...DIRECTORY_MEMBERS,
  run_id: UUID,
  reason: described(TEXT, 'For an administrator'),
});

const DIRECTORIES = {
  'directory.created': ['A directory was created', DIRECTORY],
  'directory.activated': ['A directory was activated', DIRECTORY],
  'directory.deactivated': ['A directory was deactivated', DIRECTORY],
  'directory.deleted': ['A directory was deleted', DIRECTORY],
  'directory.quiet': [
    'A directory has received no request for a week; the next one ends its silence',
    exactObject({
      ...DIRECTORY_MEMBERS,
      last_request_at: described(TIME, 'Accurate to a minute'),
    }),
  ],
  'directory.token_expiring': [
    'A SCIM token of a directory expires in 30 days, 7 days or one day',
    exactObject({
      ...TOKEN_MEMBERS,
      threshold: described(TEXT, 'Such as `604800s`'),
    }),
  ],
  'directory.token_expired': [
    'A SCIM token of a directory has expired; its requests are refused',
    exactObject(TOKEN_MEMBERS),
  ],
  'directory.setup_opened': ['A setup link was opened', SETUP],
  'directory.setup_connected': [
    'A directory has accepted a request since its setup link was opened, or was read with the consent',
    SETUP,
  ],
  'directory.setup_completed': ['The setup of a directory was completed', SETUP],
  'directory.needs_authorization': [
    'The provider of a workspace directory no longer gives access; an administrator must connect it',
    UNAUTHORIZED,
  ],
  'directory.sync_held': [
    'A run of a workspace directory, or what a guard holds, waits for a decision',
    RUN,
  ],
  'directory.sync_failed': [
    'A run of a workspace directory failed, and the one before did not',
    RUN,
  ],
} as const satisfies Record<string, Logged>;

export type DeliveryNoticeType = keyof typeof DELIVERY;
export type DirectoryNoticeType = keyof typeof DIRECTORIES;

export const OPERATIONS_CHANNEL: EventChannel = {
  title: 'Notices for operators',
  description: 'Sent to `OPERATIONS_WEBHOOK_URL`.',
  events: loggedEvents({ ...DELIVERY, ...DIRECTORIES }),
};
