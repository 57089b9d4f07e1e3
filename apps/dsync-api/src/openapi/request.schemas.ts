/** The log of SCIM requests. */
import {
  arrayOf,
  enumOf,
  type Examples,
  flag,
  integer,
  object,
  record,
  type Schemas,
  text,
  time,
  number,
  orNull,
} from '@gatehouse/nest-kit/openapi';

const REQUEST: Schemas = {
  id: text(undefined, { format: 'uuid' }),
  time: time(),
  request_id: text('As in the logs of the service.'),
  method: text(),
  path: text('Below the address of the directory, without the query.'),
  filter: orNull(text()),
  status: integer(),
  scim_type: orNull(text('RFC 7644, table 9.')),
  detail: orNull(text('Why it was refused.')),
  duration_ms: number(),
  user_agent: orNull(text()),
  attributes: arrayOf(text(), { description: 'Names of the attributes that it wrote, up to 50.' }),
  resource_id: orNull(text('The user or group that it named or created.')),
  token_id: orNull(
    text(
      'The SCIM token that it was sent with, even one that has expired. Null for the SCIM secret, and for any other secret that is not valid.',
      { format: 'uuid' },
    ),
  ),
  captured: flag('Whether its bodies were captured.'),
};

const BODIES = record({
  request: orNull(text('JSON, redacted, at most 16,384 characters.')),
  response: orNull(text()),
});

/** Without a name of its own: OpenAPI 3.0 has no reference that may be null. */
export const REQUESTS_STATUS = record({
  requests: integer('Requests with a valid secret in the last 24 hours.'),
  errors: integer('Refused requests, without 404.'),
  error_rate: number(undefined, { minimum: 0, maximum: 1 }),
  unauthorized: integer('Requests without a valid secret in the last 24 hours.'),
  last_unauthorized_at: orNull(time()),
  secret_last_used_at: orNull(
    time('The last use of the SCIM secret of the directory, accurate to a minute.'),
  ),
  provider: orNull(
    text(
      'Recognized by what it sends: okta, entra, onelogin, jumpcloud, ping, rippling or google.',
    ),
  ),
  user_agent: orNull(text()),
  usual_gap_seconds: orNull(integer('Between two synchronizations.')),
  quiet_since: orNull(time('The last request of a directory that directory.quiet was sent for.')),
  capture_until: orNull(time('Bodies are captured until then.')),
});

export const REQUEST_SCHEMAS: Schemas = {
  ScimRequest: record(REQUEST),
  ScimRequestDetails: record({ ...REQUEST, bodies: orNull(BODIES) }),
  ScimUsage: record({
    time: time('The start of the hour.'),
    status: enumOf(['2xx', '4xx', '5xx'], { description: '2xx contains 304.' }),
    count: integer(),
  }),
  CaptureStart: object({ duration: text('From a minute to a day.', { example: '4h' }) }, [
    'duration',
  ]),
  Capture: record({ capture_until: time() }),
};

const TIME = '2026-01-15T09:30:00.000Z';
const EXAMPLE = {
  id: '01983f74-2c10-7000-8000-7d5e4c3b2a19',
  time: TIME,
  request_id: 'b7f0c1d2e3a4',
  method: 'POST',
  path: '/Users',
  filter: null,
  status: 409,
  scim_type: 'uniqueness',
  detail: 'A user with this userName exists in the directory.',
  duration_ms: 4.2,
  user_agent: 'Okta SCIM Client 1.0.0',
  attributes: ['userName', 'name', 'emails'],
  resource_id: null,
  token_id: null,
  captured: true,
};

export const REQUESTS_STATUS_EXAMPLE = {
  requests: 1_840,
  errors: 3,
  error_rate: 0.0016,
  unauthorized: 0,
  last_unauthorized_at: null,
  secret_last_used_at: TIME,
  provider: 'okta',
  user_agent: 'Okta SCIM Client 1.0.0',
  usual_gap_seconds: 2_400,
  quiet_since: null,
  capture_until: null,
};

export const REQUEST_EXAMPLES: Examples = {
  ScimRequest: EXAMPLE,
  ScimRequestDetails: {
    ...EXAMPLE,
    bodies: { request: '{"userName":"ada@example.com"}', response: '{"status":"409"}' },
  },
  ScimUsage: { time: '2026-01-15T09:00:00.000Z', status: '2xx', count: 417 },
  CaptureStart: { duration: '4h' },
  Capture: { capture_until: TIME },
};
