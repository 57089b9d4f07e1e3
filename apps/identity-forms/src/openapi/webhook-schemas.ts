/** Identity events and webhook endpoints. */
import {
  arrayOf,
  enumOf,
  flag,
  integer,
  mapOf,
  object,
  record,
  type Schema,
  schemaRef,
  type Schemas,
  text,
  time,
} from '@gatehouse/service-kit';
import { LOGGED_IDENTITY_EVENTS } from '@gatehouse/schemas';
import { ENDPOINT_STATES, POISON_POLICIES } from '@gatehouse/delivery';

const orNull = (schema: Schema): Schema => ({ ...schema, nullable: true });
const TYPES = orNull(arrayOf(enumOf(LOGGED_IDENTITY_EVENTS), { description: 'Null: all types.' }));

const MUTABLE: Schemas = {
  url: text('An http or https address. A private one needs WEBHOOK_ALLOW_PRIVATE.', {
    maxLength: 2048,
  }),
  types: TYPES,
  headers: mapOf(text(), {
    nullable: true,
    description: 'At most 16 headers that every webhook carries. Their values are never shown.',
  }),
  logs_attempts: flag('Whether attempts keep their payload and the start of the response.'),
  on_poison: enumOf(POISON_POLICIES, {
    description:
      'What happens to an event that the endpoint refuses while it accepts others: it is parked, ' +
      'or it blocks those that follow.',
  }),
};
const SECRET = text('16 to 512 printable characters. Generated if left out.', {
  minLength: 16,
  maxLength: 512,
});
const ENDPOINT: Schemas = {
  id: text(undefined, { format: 'uuid' }),
  url: text(),
  types: TYPES,
  header_names: arrayOf(text()),
  logs_attempts: flag(),
  on_poison: enumOf(POISON_POLICIES),
  state: enumOf(ENDPOINT_STATES),
  reason: orNull(text('Why it is not healthy.')),
  failures: integer('Attempts that failed since the last success.'),
  failing_since: orNull(time()),
  last_success_at: orNull(time()),
  next_attempt_at: orNull(time('Null: with the next event, or never.')),
  created_at: time(),
  updated_at: time(),
};

export const WEBHOOK_SCHEMAS: Schemas = {
  Event: record({
    event: enumOf(LOGGED_IDENTITY_EVENTS),
    data: mapOf(true, { description: 'See /events/catalogue.json.' }),
    id: text(undefined, { format: 'uuid' }),
    sequence: integer('Ascending, with gaps.'),
    created_at: time(),
  }),
  EventListResponse: record({
    events: arrayOf(schemaRef('Event')),
    next_page_token: text('Empty on the last page.', { example: '' }),
  }),
  CreateWebhookEndpointRequest: object({ ...MUTABLE, secret: SECRET }, ['url']),
  PatchWebhookEndpointRequest: object(MUTABLE),
  RotateWebhookSecretRequest: object({
    secret: SECRET,
    overlap: text('How long the old secret signs as well, at most 30 days; by default 0.'),
  }),
  WebhookEndpointResponse: record(ENDPOINT),
  WebhookEndpointSecretResponse: record({ ...ENDPOINT, secret: text('Shown once.') }),
  WebhookEndpointListResponse: record({
    webhook_endpoints: arrayOf(schemaRef('WebhookEndpointResponse')),
  }),
  WebhookTestResponse: record({
    delivered: flag(),
    status_code: orNull(integer()),
    duration_ms: integer(),
    error: orNull(text()),
  }),
};

const TIME = '2026-01-15T09:30:00.000Z';
const URL = 'https://example.com/webhooks/identities';
const TYPE = 'identity.created';
const STORED = {
  ...{ id: '01983f70-2c53-7000-8000-5b1e0d9c7a31', url: URL, types: [TYPE] },
  ...{ header_names: ['x-team'], logs_attempts: false, on_poison: 'park', state: 'healthy' },
  ...{ reason: null, failures: 0, failing_since: null, last_success_at: TIME },
  ...{ next_attempt_at: null, created_at: TIME, updated_at: TIME },
};

export const WEBHOOK_EXAMPLES = {
  Event: {
    event: TYPE,
    data: {
      ...{ identity_id: '01983f6e-7c10-7000-8000-2f6d1c7a9b01', schema_id: 'example' },
      ...{ schema_version: 1, flow_id: '01983f6d-5a0e-7000-8000-9e8d7c6b5a40' },
    },
    ...{ id: '01983f71-3d64-7000-8000-6c2f1e0d8b42', sequence: 4711, created_at: TIME },
  },
  CreateWebhookEndpointRequest: { url: URL, types: [TYPE], headers: { 'X-Team': 'accounts' } },
  PatchWebhookEndpointRequest: { types: null },
  RotateWebhookSecretRequest: { overlap: '24h' },
  WebhookEndpointResponse: STORED,
  WebhookEndpointSecretResponse: {
    ...STORED,
    secret: 'whsec_the-secret-that-is-shown-once-in-base64',
  },
  WebhookTestResponse: { delivered: true, status_code: 204, duration_ms: 38, error: null },
};
