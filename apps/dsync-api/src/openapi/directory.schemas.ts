/** Requests and responses about directories. libs/directory-sync validates input. */
import { DIRECTORY_FAULTS, HEALTH_STATES } from '@gatehouse/directory-sync';
import {
  arrayOf,
  enumOf,
  flag,
  integer,
  mapOf,
  object,
  optionalParameters,
  record,
  type Schema,
  schemaRef,
  type Schemas,
  text,
  time,
  orNull,
} from '@gatehouse/nest-kit/openapi';
import { KEY_LINK_STATE } from './key-link.schemas.js';
import { REQUESTS_STATUS } from './request.schemas.js';

const MAPPING = mapOf(text(), {
  example: { department: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department' },
});

export const TYPES = [
  'azure-scim-v2',
  'okta-scim-v2',
  'onelogin-scim-v2',
  'jumpcloud-scim-v2',
  'generic-scim-v2',
  'workspace',
];

const PROVIDERS = ['google', 'entra'];

/** The type of a new directory. */
export const NEW_TYPE = enumOf([...TYPES, 'google'], { default: 'generic-scim-v2' });
export const WORKSPACE_PROVIDER = enumOf(PROVIDERS, {
  default: 'google',
  description: 'Where a directory of the type workspace is read from.',
});

function duration(description: string): Schema {
  return { oneOf: [text(undefined, { example: '1h' }), integer('seconds')], description };
}

export const DOMAIN =
  'The domain whose users and groups are read, or all of the account without one; the tenant at Entra ID.';
const ADMINISTRATOR =
  'In whose name the service account reads; without one, an administrator consents.';
const STRICT = 'Refuse SCIM requests that the SCIM interoperability profile forbids.';
const CLEARS = 'Let a PUT of a group without `members` remove them. By default, it keeps them.';

/** Without a name of its own: OpenAPI 3.0 has no reference that may be null. */
const WORKSPACE_STATE = record({
  provider: enumOf(PROVIDERS),
  state: enumOf(['authorized', 'needs_authorization']),
  reason: orNull(text('Why it needs authorization.')),
  since: time('When the state changed.'),
  push: record({
    active: { type: 'boolean', description: 'Whether the provider notifies of changes.' },
    expires_at: orNull(time('Channels are renewed before.')),
    error: orNull(text('Why they could not be opened or renewed.')),
  }),
});

const LAST_SYNC = record({
  started_at: orNull(time()),
  finished_at: orNull(time('Null while a run is under way or held.')),
  result: text('The state of the last run; succeeded or failed for a SCIM request.'),
  error: orNull(text('The error of the last failed run or request.')),
  counts: orNull(mapOf(true, { description: 'Counts of a run.' })),
  last_success_at: orNull(time()),
  last_error_at: orNull(time()),
});

const DIRECTORY: Schemas = {
  id: text(undefined, { format: 'uuid' }),
  name: text(),
  tenant: text(),
  product: text(),
  type: enumOf(TYPES),
  log_webhook_events: flag(),
  deactivated: flag(),
  strict: flag(),
  'put_clears_members?': flag('True if it is set.'),
  webhook: schemaRef('Webhook'),
  scim: schemaRef('Scim'),
  'attribute_mapping?': MAPPING,
  'workspace_provider?': enumOf(PROVIDERS),
  'workspace_domain?': text(DOMAIN),
  'workspace_administrator?': text(ADMINISTRATOR),
  'workspace_access_token?': text('Empty until an administrator has consented.'),
  'workspace_refresh_token?': text(),
};

export const HEALTH_QUERY = optionalParameters('query', {
  state: enumOf(HEALTH_STATES, {
    description: 'Only directories with this among their errors, or healthy or deactivated ones.',
  }),
  has_errors: { type: 'boolean', description: 'Only directories with errors, or without.' },
  quiet: {
    type: 'boolean',
    description: 'Active directories with requests.quiet_since, or all without it.',
  },
});

export const DIRECTORY_SCHEMAS: Schemas = {
  DirectoryInput: record({
    'name?': text('Default: scim-{tenant}-{product}.'),
    tenant: text('Holds no colon.'),
    product: text('Holds no colon.'),
    'type?': NEW_TYPE,
    'webhook_url?': text('Where events are POSTed.', { format: 'uri' }),
    'webhook_secret?': text(
      'Signs webhooks: 16 to 512 printable ASCII characters. One is made when an address comes without.',
    ),
    'log_webhook_events?': flag(undefined, { default: false }),
    'strict?': flag(STRICT, { default: false }),
    'put_clears_members?': flag(CLEARS, { default: false }),
    'attribute_mapping?': MAPPING,
    'workspace_provider?': WORKSPACE_PROVIDER,
    'workspace_domain?': text(DOMAIN),
    'workspace_administrator?': text(ADMINISTRATOR),
  }),
  DirectoryChanges: object({
    name: text(),
    log_webhook_events: flag(),
    strict: flag(STRICT),
    put_clears_members: flag(CLEARS),
    deactivated: flag('SCIM requests of a deactivated directory get 403.'),
    webhook_url: text('Empty: no webhook. Any address starts a stopped webhook.'),
    webhook_secret: text('Signs webhooks: 16 to 512 printable ASCII characters.'),
    webhook: object({
      endpoint: text('As webhook_url, which cannot be sent with it.'),
      secret: text('As webhook_secret.'),
    }),
    webhook_secret_overlap: duration('How long the old secret signs beside the new one.'),
    attribute_mapping: orNull(MAPPING),
    workspace_domain: orNull(text(DOMAIN)),
    workspace_administrator: orNull(text(ADMINISTRATOR)),
  }),
  SecretRotation: object({
    overlap: duration('How long the old SCIM secret works beside the new one; none by default.'),
  }),
  Webhook: record({ endpoint: text('Empty without a webhook.'), secret: text() }),
  Scim: record({
    path: text(undefined, { example: '/api/scim/v2.0/8e1522ff-ab24-457a-a35a-cff7391d7ac3' }),
    endpoint: text(undefined, { format: 'uri' }),
    secret: text('The bearer token of the identity provider. Empty after it was retired.'),
  }),
  Directory: record(DIRECTORY),
  ListedDirectory: record({ ...DIRECTORY, health: schemaRef('DirectoryHealth') }),
  DirectoryHealth: record({
    state: enumOf(HEALTH_STATES, { description: 'The first of the errors, if there is one.' }),
    has_errors: flag(),
    errors: arrayOf(
      record({
        state: enumOf(DIRECTORY_FAULTS),
        reason: orNull(text('What was answered, or why it is not healthy.')),
        since: orNull(time('Since when; the last time for failed and unauthorized.')),
      }),
      { description: 'The gravest first; each state once.' },
    ),
  }),
  AuthorizationUrl: record({
    authorizationUrl: text('Where an administrator consents; valid for 10 minutes, once.', {
      format: 'uri',
    }),
  }),
  WebhookState: record({
    state: enumOf(['none', 'healthy', 'failing', 'paused', 'stopped']),
    reason: orNull(text('Why it is not healthy.')),
    failing_since: orNull(time()),
    last_success_at: orNull(time()),
    next_attempt_at: orNull(time('The next attempt of a webhook that is failing or paused.')),
  }),
  DirectoryStatus: record({
    health: schemaRef('DirectoryHealth'),
    last_sync: orNull(LAST_SYNC),
    last_request_at: orNull(time('The last SCIM request, accurate to a minute.')),
    requests: orNull(REQUESTS_STATUS),
    pending: integer('Events that wait for delivery.'),
    oldest_pending_age_seconds: orNull(integer()),
    dead: integer('Parked events: the webhook refused them while it accepted others.'),
    ignored_members: integer('Member references that match no user or group of the directory.'),
    webhook: schemaRef('WebhookState'),
    key_link: orNull(KEY_LINK_STATE),
    workspace: orNull(WORKSPACE_STATE),
  }),
};
