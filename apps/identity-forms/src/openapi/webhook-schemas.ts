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

const EVENT: Schemas = {
  event: enumOf(LOGGED_IDENTITY_EVENTS),
  data: mapOf(true, { description: 'See /events/catalogue.json.' }),
  id: text(undefined, { format: 'uuid' }),
  sequence: integer('Ascending, with gaps.'),
  created_at: time(),
};
const OUTCOME: Schemas = {
  at: time(),
  status_code: orNull(integer('Null without a response.')),
  duration_ms: integer(),
  error: orNull(text()),
};
const NEXT_PAGE = text('Empty on the last page.', { example: '' });
const ENDPOINT_ID = text('The only endpoint to receive it; by default all.');

export const WEBHOOK_SCHEMAS: Schemas = {
  Event: record(EVENT),
  EventListResponse: record({
    events: arrayOf(schemaRef('Event')),
    next_page_token: text('Empty on the last page.', { example: '' }),
  }),
  EventRecordResponse: record({
    ...EVENT,
    state: enumOf(['pending', 'delivered', 'dead', 'not_sent'], {
      description:
        'Pending: an endpoint is still to receive it. Dead: parked by an endpoint. Not sent: no ' +
        'endpoint took it when it was logged.',
    }),
    attempts: arrayOf(record({ endpoint_id: text(), ...OUTCOME }), {
      description: 'The oldest first.',
    }),
  }),
  ResendEventRequest: object({ endpoint_id: ENDPOINT_ID }),
  ReplayEventsRequest: object({
    after: text('The id of the event after which the replay begins.'),
    from_time: time('Or the time at which it begins.'),
    until: time('The time at which it ends; by default now.'),
    types: TYPES,
    endpoint_id: ENDPOINT_ID,
  }),
  ReplayEventsResponse: record({ endpoints: integer('The endpoints that receive it.') }),
  WebhookEndpointStatusResponse: record({
    pending: integer('Events that wait for the endpoint, counted to 100,000.'),
    oldest_pending_age_seconds: orNull(integer()),
    dead: integer('Events that it refused while it took others, counted to 100,000.'),
  }),
  DeliveryAttempt: record({
    id: text(),
    event_id: text(),
    url: text(),
    ...OUTCOME,
    response: orNull(text('The first 2 KiB of the response, if the endpoint has logs_attempts.')),
  }),
  DeliveryAttemptListResponse: record({
    attempts: arrayOf(schemaRef('DeliveryAttempt')),
    next_page_token: NEXT_PAGE,
  }),
  ParkedEvent: record({
    event_id: text(),
    sequence: integer(),
    reason: text(),
    attempts: integer(),
    parked_at: time(),
  }),
  ParkedEventListResponse: record({
    parked_events: arrayOf(schemaRef('ParkedEvent')),
    next_page_token: NEXT_PAGE,
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

const STORED_EVENT = {
  event: TYPE,
  data: {
    ...{ identity_id: '01983f6e-7c10-7000-8000-2f6d1c7a9b01', schema_id: 'example' },
    ...{ schema_version: 1, flow_id: '01983f6d-5a0e-7000-8000-9e8d7c6b5a40' },
  },
  ...{ id: '01983f71-3d64-7000-8000-6c2f1e0d8b42', sequence: 4711, created_at: TIME },
};
const DELIVERED = { at: TIME, status_code: 204, duration_ms: 38, error: null };

export const WEBHOOK_EXAMPLES = {
  Event: STORED_EVENT,
  EventRecordResponse: {
    ...STORED_EVENT,
    state: 'delivered',
    attempts: [{ endpoint_id: STORED.id, ...DELIVERED }],
  },
  ResendEventRequest: { endpoint_id: STORED.id },
  ReplayEventsRequest: { from_time: TIME, types: [TYPE] },
  ReplayEventsResponse: { endpoints: 1 },
  WebhookEndpointStatusResponse: { pending: 3, oldest_pending_age_seconds: 12, dead: 0 },
  DeliveryAttempt: {
    ...{ id: '42', event_id: STORED_EVENT.id, url: URL, ...DELIVERED },
    response: null,
  },
  ParkedEvent: {
    ...{ event_id: STORED_EVENT.id, sequence: 4711, reason: 'the endpoint answered 422' },
    ...{ attempts: 5, parked_at: TIME },
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
