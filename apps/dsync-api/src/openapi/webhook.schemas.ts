/** The webhook endpoints of a directory. */
import {
  ENDPOINT_COUNTS,
  endpointMembers,
  endpointSettings,
  endpointTypes,
  WEBHOOK_SECRET,
} from '@gatehouse/delivery';
import { DIRECTORY_EVENTS } from '@gatehouse/schemas';
import {
  type Examples,
  integer,
  object,
  record,
  type Schema,
  type Schemas,
  text,
  time,
} from '@gatehouse/nest-kit/openapi';

const orNull = (schema: Schema): Schema => ({ ...schema, nullable: true });
const UUID = text(undefined, { format: 'uuid' });
const TYPES = endpointTypes(DIRECTORY_EVENTS);
const SETTINGS = endpointSettings(TYPES);
const ENDPOINT: Schemas = {
  ...endpointMembers(TYPES),
  id: text('That of the directory, for its webhook.', { format: 'uuid' }),
};

export const WEBHOOK_SCHEMAS: Schemas = {
  NewWebhookEndpoint: object({ ...SETTINGS, secret: WEBHOOK_SECRET }, ['url']),
  WebhookEndpointChanges: object(SETTINGS),
  WebhookSecretRotation: object({
    secret: WEBHOOK_SECRET,
    overlap: {
      oneOf: [text(undefined, { example: '1h' }), integer('seconds')],
      description: 'How long the old secret signs as well, at most 30 days; by default 0.',
    },
  }),
  WebhookEndpoint: record(ENDPOINT),
  WebhookEndpointSecret: record({ ...ENDPOINT, secret: text('Shown once.') }),
  WebhookEndpointStatus: record(ENDPOINT_COUNTS),
  EndpointAttempt: record({
    id: text(),
    event_id: UUID,
    at: time(),
    url: text(),
    status_code: integer('Null if the endpoint did not respond.', { nullable: true }),
    duration_ms: integer(),
    error: orNull(text()),
    response: orNull(text('The first 2 KiB of the response, if the endpoint has logs_attempts.')),
  }),
};

const TIME = '2026-01-15T09:30:00.000Z';
const URL = 'https://example.com/webhooks/directory';
const STORED = {
  id: '01983f73-2c53-7000-8000-5b1e0d9c7a31',
  url: URL,
  types: ['user.created'],
  header_names: ['x-team'],
  logs_attempts: false,
  on_poison: 'park',
  state: 'healthy',
  reason: null,
  failures: 0,
  failing_since: null,
  last_success_at: TIME,
  next_attempt_at: null,
  created_at: TIME,
  updated_at: TIME,
};

export const WEBHOOK_EXAMPLES: Examples = {
  NewWebhookEndpoint: { url: URL, types: ['user.created'], headers: { 'X-Team': 'accounts' } },
  WebhookEndpointChanges: { types: null },
  WebhookSecretRotation: { overlap: '24h' },
  WebhookEndpoint: STORED,
  WebhookEndpointSecret: { ...STORED, secret: 'whsec_the-secret-that-is-shown-once-in-base64' },
  WebhookEndpointStatus: { pending: 3, oldest_pending_age_seconds: 12, dead: 0 },
  EndpointAttempt: {
    id: '42',
    event_id: '01983f72-0c4e-7000-8000-5e8b2a9d7f44',
    at: TIME,
    url: URL,
    status_code: 204,
    duration_ms: 38,
    error: null,
    response: null,
  },
};
