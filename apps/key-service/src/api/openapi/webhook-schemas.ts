/** Key events and webhook endpoints as JSON Schema (OpenAPI 3.1). */
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
  timeOrNull,
} from '@gatehouse/nest-kit/openapi';
import { LOGGED_KEY_EVENTS } from '@gatehouse/schemas';
import { DELIVERY_STATES, POISON_POLICIES, WEBHOOK_ENDPOINT_STATES } from '../enums.js';

const TYPES = arrayOf(enumOf(LOGGED_KEY_EVENTS), { description: 'Empty: all types.' });

const MUTABLE_FIELDS: Schemas = {
  url: text('An http or https address. A private one needs WEBHOOK_ALLOW_PRIVATE.', {
    maxLength: 2048,
  }),
  types: TYPES,
  headers: mapOf(text(), {
    description: 'At most 16 headers that every webhook carries. Their values are never shown.',
  }),
  logs_attempts: flag('Whether attempts keep their payload and the start of the response.'),
  on_poison: schemaRef('PoisonPolicy'),
};

const SECRET: Schema = text('16 to 512 printable characters. Generated if left out.', {
  minLength: 16,
  maxLength: 512,
});

const EVENT: Schemas = {
  event: enumOf(LOGGED_KEY_EVENTS),
  data: {
    type: 'object',
    additionalProperties: true,
    description: 'See /events/catalogue.json.',
  },
  id: text(),
  sequence: integer('Ascending, with gaps.'),
  created_at: time(),
};

const OUTCOME: Schemas = {
  attempt_time: time(),
  status_code: { type: ['integer', 'null'], description: 'Null without a response.' },
  duration_ms: integer(),
  error: text('Empty when it was delivered.'),
};

const NEXT_PAGE = text('Empty on the last page.', { example: '' });

const ENDPOINT_ID = text('The only endpoint to receive it; by default all.');

export const WEBHOOK_SCHEMAS: Schemas = {
  WebhookEndpointState: enumOf(WEBHOOK_ENDPOINT_STATES),
  PoisonPolicy: enumOf(POISON_POLICIES, {
    description:
      'What happens to an event that the endpoint refuses while it accepts others: it is parked ' +
      '(default), or it blocks those that follow.',
  }),
  WebhookEndpoint: record({
    endpoint_id: text(),
    url: text(),
    types: TYPES,
    header_names: arrayOf(text()),
    logs_attempts: flag(),
    on_poison: schemaRef('PoisonPolicy'),
    state: schemaRef('WebhookEndpointState'),
    reason: text('Why it is not healthy.'),
    failures: integer('Attempts that failed since the last success.'),
    failing_since: timeOrNull(),
    last_success_time: timeOrNull(),
    next_attempt_time: timeOrNull('Null: with the next event, or never.'),
    create_time: time(),
    update_time: time(),
  }),
  CreateWebhookEndpointRequest: object({ ...MUTABLE_FIELDS, secret: SECRET }, ['url']),
  UpdateWebhookEndpointRequest: object(MUTABLE_FIELDS),
  RotateWebhookSecretRequest: object({
    secret: SECRET,
    grace_period: text('How long the old secret signs as well, at most 30 days; by default 0.'),
  }),
  WebhookEndpointSecretResponse: record({
    webhook_endpoint: schemaRef('WebhookEndpoint'),
    secret: text('Shown once.'),
  }),
  ListWebhookEndpointsResponse: record({
    webhook_endpoints: arrayOf(schemaRef('WebhookEndpoint')),
  }),
  TestWebhookEndpointResponse: record({
    is_delivered: flag(),
    status_code: { type: ['integer', 'null'], description: 'Null without a response.' },
    duration_ms: integer(),
    error: text('Empty when it was delivered.'),
  }),
  KeyEvent: record(EVENT),
  ListKeyEventsResponse: record({
    key_events: arrayOf(schemaRef('KeyEvent')),
    next_page_token: NEXT_PAGE,
  }),
  DeliveryState: enumOf(DELIVERY_STATES, {
    description:
      'Pending: an endpoint is still to receive it. Dead: parked by an endpoint. Not sent: no ' +
      'endpoint took it when it was logged.',
  }),
  KeyEventRecord: record({
    ...EVENT,
    state: schemaRef('DeliveryState'),
    attempts: arrayOf(record({ endpoint_id: text(), ...OUTCOME }), {
      description: 'The oldest first.',
    }),
  }),
  ResendKeyEventRequest: object({ endpoint_id: ENDPOINT_ID }),
  ReplayKeyEventsRequest: object({
    after: text('The id of the event after which the replay begins.'),
    from_time: time('Or the time at which it begins.'),
    until: time('The time at which it ends; by default now.'),
    types: TYPES,
    endpoint_id: ENDPOINT_ID,
  }),
  ReplayKeyEventsResponse: record({ endpoints: integer('The endpoints that receive it.') }),
  WebhookEndpointStatus: record({
    pending: integer('Events that wait for the endpoint, counted to 100,000.'),
    oldest_pending_age_seconds: { type: ['integer', 'null'] },
    dead: integer('Events that it refused while it took others, counted to 100,000.'),
  }),
  DeliveryAttempt: record({
    attempt_id: text(),
    event_id: text(),
    url: text(),
    ...OUTCOME,
    response: {
      type: ['string', 'null'],
      description: 'The first 2 KiB of the response, if the endpoint has logs_attempts.',
    },
  }),
  ListDeliveryAttemptsResponse: record({
    delivery_attempts: arrayOf(schemaRef('DeliveryAttempt')),
    next_page_token: NEXT_PAGE,
  }),
  ParkedKeyEvent: record({
    event_id: text(),
    sequence: integer(),
    reason: text(),
    attempts: integer(),
    park_time: time(),
  }),
  ListParkedKeyEventsResponse: record({
    parked_events: arrayOf(schemaRef('ParkedKeyEvent')),
    next_page_token: NEXT_PAGE,
  }),
};

const ENDPOINT = {
  url: 'https://example.com/webhooks/keys',
  types: ['key.rotated', 'key.revoked'],
  logs_attempts: false,
  on_poison: 'POISON_POLICY_PARK',
};

const STORED = {
  endpoint_id: '01983f70-2c53-7000-8000-5b1e0d9c7a31',
  ...ENDPOINT,
  header_names: ['x-team'],
  state: 'WEBHOOK_ENDPOINT_STATE_HEALTHY',
  reason: '',
  failures: 0,
  failing_since: null,
  last_success_time: '2026-01-15T09:31:00.000Z',
  next_attempt_time: null,
  create_time: '2026-01-15T09:30:00.000Z',
  update_time: '2026-01-15T09:30:00.000Z',
};

const STORED_EVENT = {
  event: 'key.revoked',
  data: {
    key_id: '01983f6e-7c10-7000-8000-2f6d1c7a9b01',
    kind: 'issued',
    name: 'Checkout in production',
    actor_id: 'customer-17',
    metadata: { team: 'checkout' },
    visibility: 'KEY_VISIBILITY_SECRET',
    status: 'KEY_STATUS_REVOKED',
    expire_time: '2026-02-14T09:30:00.000Z',
    reason: 'REVOCATION_REASON_KEY_COMPROMISE',
  },
  id: '01983f71-3d64-7000-8000-6c2f1e0d8b42',
  sequence: 4711,
  created_at: '2026-01-15T09:31:00.000Z',
};

const DELIVERED = {
  attempt_time: '2026-01-15T09:31:00.000Z',
  status_code: 204,
  duration_ms: 38,
  error: '',
};

export const WEBHOOK_EXAMPLES = {
  CreateWebhookEndpointRequest: { ...ENDPOINT, headers: { 'X-Team': 'checkout' } },
  UpdateWebhookEndpointRequest: { url: 'https://example.com/webhooks/moved' },
  RotateWebhookSecretRequest: { grace_period: '24h' },
  WebhookEndpoint: STORED,
  WebhookEndpointSecretResponse: {
    webhook_endpoint: STORED,
    secret: 'whsec_the-secret-that-is-shown-once',
  },
  TestWebhookEndpointResponse: { is_delivered: true, status_code: 204, duration_ms: 38, error: '' },
  KeyEvent: STORED_EVENT,
  KeyEventRecord: {
    ...STORED_EVENT,
    state: 'DELIVERY_STATE_DELIVERED',
    attempts: [{ endpoint_id: STORED.endpoint_id, ...DELIVERED }],
  },
  ResendKeyEventRequest: { endpoint_id: STORED.endpoint_id },
  ReplayKeyEventsRequest: { from_time: '2026-01-15T09:00:00Z', types: ['key.revoked'] },
  ReplayKeyEventsResponse: { endpoints: 1 },
  WebhookEndpointStatus: { pending: 3, oldest_pending_age_seconds: 12, dead: 0 },
  DeliveryAttempt: {
    attempt_id: '42',
    event_id: STORED_EVENT.id,
    url: ENDPOINT.url,
    ...DELIVERED,
    response: null,
  },
  ParkedKeyEvent: {
    event_id: STORED_EVENT.id,
    sequence: 4711,
    reason: 'the endpoint answered 422',
    attempts: 5,
    park_time: '2026-01-15T09:35:00.000Z',
  },
};
