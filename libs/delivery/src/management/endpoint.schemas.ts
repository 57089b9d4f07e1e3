/** OpenAPI schemas of endpoints as endpoint.view.ts shows them, and of what sets them. */
import {
  arrayOf,
  enumOf,
  flag,
  integer,
  mapOf,
  type Schema,
  type Schemas,
  text,
  time,
} from '@gatehouse/nest-kit/openapi';
import { ENDPOINT_STATES, POISON_POLICIES } from '../endpoints/endpoint.input.js';

const orNull = (schema: Schema): Schema => ({ ...schema, nullable: true });

export const WEBHOOK_SECRET = text('16 to 512 printable characters. Generated if left out.', {
  minLength: 16,
  maxLength: 512,
});

/** The members of CountsView. */
export const ENDPOINT_COUNTS: Schemas = {
  pending: integer('Events that wait for the endpoint, counted to 100,000.'),
  oldest_pending_age_seconds: orNull(integer()),
  dead: integer('Events that it refused while it took others, counted to 100,000.'),
};

/** The types that an endpoint takes, of all event types of a service. */
export const endpointTypes = (known: readonly string[]): Schema =>
  orNull(arrayOf(enumOf(known), { description: 'Null: all types.' }));

/** The members that callers set. */
export const endpointSettings = (types: Schema): Schemas => ({
  url: text('An http or https address. A private one needs WEBHOOK_ALLOW_PRIVATE.', {
    maxLength: 2048,
  }),
  types,
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
});

/** The members of EndpointView. */
export const endpointMembers = (types: Schema): Schemas => ({
  id: text(undefined, { format: 'uuid' }),
  url: text(),
  types,
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
});
