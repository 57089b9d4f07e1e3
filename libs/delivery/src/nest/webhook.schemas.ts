/** OpenAPI schemas of what the administration of webhooks reads and answers. */
import {
  arrayOf,
  enumOf,
  type Examples,
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
  pageSize,
} from '@gatehouse/nest-kit/openapi';
import { ENDPOINT_STATES, POISON_POLICIES } from '../endpoints/endpoint.input.js';

export const PAGE_PARAMETERS = optionalParameters('query', {
  page_size: pageSize(1000),
  page_token: text('The next_page_token of the page before.'),
});

const SECRET = text('16 to 512 printable characters. Generated if left out.', {
  minLength: 16,
  maxLength: 512,
});
const NEXT_PAGE = text('Empty on the last page.', { example: '' });
const ONLY_ENDPOINT = text('The only endpoint to receive it; by default all.');

/** @param known every event type of the system */
export function webhookSchemas(known: readonly string[]): Schemas {
  const types = typesOf(known);
  const outcome: Schemas = {
    status_code: orNull(integer('Null without a response.')),
    duration_ms: integer(),
    error: orNull(text()),
  };
  const settings: Schemas = {
    url: text('An http or https address. A private one needs WEBHOOK_ALLOW_PRIVATE.', {
      format: 'uri',
      maxLength: 2048,
    }),
    types,
    headers: orNull(
      mapOf(text(), {
        description: 'At most 16 headers that every webhook carries. Their values are never shown.',
      }),
    ),
    logs_attempts: flag('Whether attempts keep their payload and the start of the response.'),
    on_poison: enumOf(POISON_POLICIES, {
      description:
        'Handling of an event that the endpoint refuses while it accepts others: it is parked, ' +
        'or it blocks those that follow.',
    }),
  };
  const endpoint = endpointSchemas(known);
  return {
    WebhookEndpointInput: object({ ...settings, secret: SECRET }, ['url']),
    WebhookEndpointChanges: object(settings),
    WebhookSecretRotation: object({
      secret: SECRET,
      overlap: {
        oneOf: [text(undefined, { example: '1h' }), integer('seconds')],
        description: 'How long the old secret signs as well, at most 30 days; by default 0.',
      },
    }),
    WebhookEndpoint: record(endpoint),
    WebhookEndpointSecret: record({ ...endpoint, secret: text('Shown once.') }),
    WebhookEndpointList: record({ webhook_endpoints: arrayOf(schemaRef('WebhookEndpoint')) }),
    WebhookTest: record({
      delivered: flag('Whether the endpoint answered with a 2xx status.'),
      ...outcome,
    }),
    WebhookEndpointStatus: record({
      pending: integer('Events that wait for the endpoint, counted to 100,000.'),
      oldest_pending_age_seconds: orNull(integer()),
      dead: integer('Parked events: refused while others were accepted. Counted to 100,000.'),
    }),
    DeliveryAttempt: record({
      id: text(),
      event_id: text(undefined, { format: 'uuid' }),
      at: time(),
      url: text(),
      ...outcome,
      response: orNull(text('The first 2 KiB of the response, if the endpoint has logs_attempts.')),
    }),
    DeliveryAttemptList: record({
      attempts: arrayOf(schemaRef('DeliveryAttempt')),
      next_page_token: NEXT_PAGE,
    }),
    ParkedEvent: record({
      event_id: text(undefined, { format: 'uuid' }),
      sequence: integer(),
      reason: text(),
      attempts: integer(),
      parked_at: time(),
    }),
    ParkedEventList: record({
      parked_events: arrayOf(schemaRef('ParkedEvent')),
      next_page_token: NEXT_PAGE,
    }),
    EventAttempt: record({
      endpoint_id: text(undefined, { format: 'uuid' }),
      at: time(),
      ...outcome,
    }),
    EventState: enumOf(['pending', 'delivered', 'dead', 'not_sent'], {
      description:
        'Pending: an endpoint is still to receive it. Dead: parked, because an endpoint refused it ' +
        'while it accepted others. Not sent: no endpoint received it when it was logged.',
    }),
    EventResend: object({ endpoint_id: ONLY_ENDPOINT }),
    EventReplay: object({
      after: text('The id of the event after which the replay begins.'),
      from_time: time('The time at which it begins, instead of after.'),
      until: time('The time at which it ends; by default now.'),
      types,
      endpoint_id: ONLY_ENDPOINT,
    }),
    StartedReplays: record({ endpoints: integer('The endpoints that receive the replay.') }),
  };
}

/** The members of a WebhookEndpoint. */
export function endpointSchemas(known: readonly string[]): Schemas {
  return {
    id: text(undefined, { format: 'uuid' }),
    url: text(),
    types: typesOf(known),
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
}

function typesOf(known: readonly string[]): Schema {
  return orNull(arrayOf(enumOf(known), { description: 'Null: all types.' }));
}

/** The schemas of events that are delivered as they were logged. */
export function plainEventSchemas(known: readonly string[]): Schemas {
  const event: Schemas = {
    event: enumOf(known),
    data: mapOf(true, { description: 'See /events/catalogue.json.' }),
    id: text('The same for every delivery of this event.', { format: 'uuid' }),
    sequence: integer('Ascending, with gaps.'),
    created_at: time(),
  };
  return {
    LoggedEvent: record(event),
    EventList: record({ events: arrayOf(schemaRef('LoggedEvent')), next_page_token: NEXT_PAGE }),
    EventRecord: record({ ...event, ...EVENT_DELIVERY }),
  };
}

/** Fields of an EventRecord beside the event. */
export const EVENT_DELIVERY: Schemas = {
  state: schemaRef('EventState'),
  attempts: arrayOf(schemaRef('EventAttempt'), { description: 'The oldest first.' }),
};

const TIME = '2026-01-15T09:30:00.000Z';
const ENDPOINT_ID = '01983f70-2c53-7000-8000-5b1e0d9c7a31';
const EVENT_ID = '01983f71-3d64-7000-8000-6c2f1e0d8b42';
const OUTCOME = { status_code: 204, duration_ms: 38, error: null };

/** @param event one that the service sends, as it is delivered */
export function webhookExamples(event: { event: string; [member: string]: unknown }): Examples {
  const url = 'https://example.com/webhooks';
  const types = [event.event];
  const stored = {
    id: ENDPOINT_ID,
    url,
    types,
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
  const shown = { id: EVENT_ID, sequence: 4711, created_at: TIME, ...event };
  return {
    WebhookEndpointInput: { url, types, headers: { 'X-Team': 'accounts' } },
    WebhookEndpointChanges: { types: null },
    WebhookSecretRotation: { overlap: '24h' },
    WebhookEndpoint: stored,
    WebhookEndpointSecret: { ...stored, secret: 'whsec_the-secret-that-is-shown-once-in-base64' },
    WebhookTest: { delivered: true, ...OUTCOME },
    WebhookEndpointStatus: { pending: 3, oldest_pending_age_seconds: 12, dead: 0 },
    DeliveryAttempt: { id: '42', event_id: EVENT_ID, at: TIME, url, ...OUTCOME, response: null },
    ParkedEvent: {
      event_id: EVENT_ID,
      sequence: 4711,
      reason: 'the endpoint answered 422',
      attempts: 5,
      parked_at: TIME,
    },
    LoggedEvent: shown,
    EventRecord: {
      ...shown,
      state: 'delivered',
      attempts: [{ endpoint_id: ENDPOINT_ID, at: TIME, ...OUTCOME }],
    },
    EventResend: { endpoint_id: ENDPOINT_ID },
    EventReplay: { from_time: TIME, types },
    StartedReplays: { endpoints: 1 },
  };
}
