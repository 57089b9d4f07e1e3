/** The SCIM tokens of a directory. */
import {
  type Examples,
  integer,
  object,
  record,
  type Schemas,
  text,
  time,
  orNull,
} from '@gatehouse/nest-kit/openapi';

const NAME = text('No other token of the directory has it.', { minLength: 1, maxLength: 100 });

const EXPIRY: Schemas = {
  expires_at: orNull(time('Within the next ten years. Null, and the default: it does not expire.')),
  ttl: text('Instead of expires_at: how long from now.', { example: '90d' }),
};

const TOKEN: Schemas = {
  id: text(undefined, { format: 'uuid' }),
  name: text(),
  preview: text('The start and the end of the secret, to recognize it.'),
  created_at: time(),
  rotated_at: orNull(time()),
  expires_at: orNull(time('Null: it does not expire.')),
  last_used_at: orNull(time('Last use of the current secret; accurate to a minute.')),
  previous: {
    ...orNull(
      record({
        expires_at: time(),
        last_used_at: orNull(time('Accurate to a minute.')),
      }),
    ),
    description: 'The secret before the last rotation, while it is valid.',
  },
};

export const SCIM_TOKEN_SCHEMAS: Schemas = {
  ScimTokenInput: object({ name: NAME, ...EXPIRY }, ['name']),
  ScimTokenChanges: object({ name: NAME, ...EXPIRY }),
  ScimTokenRotation: object({
    ...EXPIRY,
    expires_at: orNull(
      time('Expiry of the new secret. This or ttl is required if the token expires.'),
    ),
    overlap: {
      oneOf: [text(undefined, { example: '24h' }), integer('seconds')],
      description:
        'How long the current secret stays valid, at most 30 days, and no longer than the token; by default 0.',
    },
  }),
  ScimToken: record(TOKEN),
  ScimTokenSecret: record({ ...TOKEN, secret: text('The bearer token. Shown once.') }),
};

const TIME = '2026-01-15T09:30:00.000Z';
const STORED = {
  id: '01983f75-5b20-7000-8000-9a8b7c6d5e4f',
  name: 'Okta production',
  preview: 'gate_scim_v1_…7Kq2',
  created_at: TIME,
  rotated_at: null,
  expires_at: '2026-04-15T09:30:00.000Z',
  last_used_at: TIME,
  previous: null,
};

export const SCIM_TOKEN_EXAMPLES: Examples = {
  ScimTokenInput: { name: 'Okta production', ttl: '90d' },
  ScimTokenChanges: { ttl: '90d' },
  ScimTokenRotation: { ttl: '90d', overlap: '24h' },
  ScimToken: STORED,
  ScimTokenSecret: { ...STORED, last_used_at: null, secret: 'gate_scim_v1_<payload>_<checksum>' },
};
