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
} from '@gatehouse/nest-kit/openapi';
import { LOGGED_IDENTITY_EVENTS } from '@gatehouse/schemas';
import {
  ENDPOINT_COUNTS,
  endpointMembers,
  endpointSettings,
  endpointTypes,
  WEBHOOK_SECRET,
} from '@gatehouse/delivery';

const orNull = (schema: Schema): Schema => ({ ...schema, nullable: true });
const TYPES = endpointTypes(LOGGED_IDENTITY_EVENTS);
const SETTINGS = endpointSettings(TYPES);
const ENDPOINT = endpointMembers(TYPES);

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
  WebhookEndpointStatusResponse: record(ENDPOINT_COUNTS),
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
  CreateWebhookEndpointRequest: object({ ...SETTINGS, secret: WEBHOOK_SECRET }, ['url']),
  PatchWebhookEndpointRequest: object(SETTINGS),
  RotateWebhookSecretRequest: object({
    secret: WEBHOOK_SECRET,
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
  id: '01983f70-2c53-7000-8000-5b1e0d9c7a31',
  url: URL,
  types: [TYPE],
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

const STORED_EVENT = {
  event: TYPE,
  data: {
    identity_id: '01983f6e-7c10-7000-8000-2f6d1c7a9b01',
    schema_id: 'example',
    schema_version: 1,
    flow_id: '01983f6d-5a0e-7000-8000-9e8d7c6b5a40',
  },
  id: '01983f71-3d64-7000-8000-6c2f1e0d8b42',
  sequence: 4711,
  created_at: TIME,
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
    id: '42',
    event_id: STORED_EVENT.id,
    url: URL,
    ...DELIVERED,
    response: null,
  },
  ParkedEvent: {
    event_id: STORED_EVENT.id,
    sequence: 4711,
    reason: 'the endpoint answered 422',
    attempts: 5,
    parked_at: TIME,
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
