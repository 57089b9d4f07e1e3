// The records of the API as JSON Schema (OpenAPI 3.0).
import {
  BATCH_IMPORT_ERRORS,
  KEY_STATUSES,
  KEY_VISIBILITIES,
  REVOCATION_REASONS,
  TOKEN_ALGORITHMS,
  VERIFICATION_ERRORS,
} from '../wire/enums.js';
import { arrayOf, enumOf, object, ref, type Schema, text, time } from './schema-parts.js';

const metadata: Schema = {
  type: 'object',
  additionalProperties: true,
  description: 'Any JSON object of at most 64 KiB.',
};

const keyFields: Record<string, Schema> = {
  key_id: text('Identifier of the key.'),
  name: text('Label, at most 255 characters.'),
  actor_id: text('Owner; never changes.'),
  scopes: arrayOf(text('1 to 255 characters without white space.')),
  status: ref('KeyStatus'),
  metadata,
  create_time: time(),
  update_time: time(),
  expire_time: time({ nullable: true }),
  last_used_time: time({ nullable: true, description: 'Written in the background.' }),
  rate_limit_policy: nullable('RateLimitPolicy'),
  ip_restriction: nullable('IPRestriction'),
  visibility: ref('KeyVisibility'),
  revocation_reason: ref('RevocationReason'),
  revocation_description: text('Only with PRIVILEGE_WITHDRAWN.'),
};

function nullable(name: string): Schema {
  return { allOf: [ref(name)], nullable: true };
}

export const RECORD_SCHEMAS: Record<string, Schema> = {
  KeyStatus: enumOf(KEY_STATUSES),
  KeyVisibility: enumOf(KEY_VISIBILITIES),
  RevocationReason: enumOf(REVOCATION_REASONS),
  TokenAlgorithm: enumOf(TOKEN_ALGORITHMS),
  VerificationErrorCode: enumOf(VERIFICATION_ERRORS),
  BatchCreateImportedApiKeysErrorCode: enumOf(BATCH_IMPORT_ERRORS),
  RateLimitPolicy: object(
    {
      quota: { type: 'string', format: 'int64', description: 'Requests in a window; above 0.' },
      unit: text('Default "requests".'),
      window: text('A duration of at least one second, such as "60s".'),
    },
    ['quota', 'window'],
  ),
  IPRestriction: object({ allowed_cidrs: arrayOf(text('IPv4 or IPv6 network.')) }),
  ImportedApiKey: object(keyFields),
  IssuedApiKey: object({
    ...keyFields,
    key_preview: text('Prefix and the last four characters of the payload.'),
  }),
  VerifyApiKeyResponse: object(
    {
      is_valid: { type: 'boolean' },
      status: ref('KeyStatus'),
      key_id: text(),
      actor_id: text(),
      scopes: arrayOf(text()),
      metadata,
      expire_time: time({ nullable: true }),
      visibility: ref('KeyVisibility'),
      issuer: text(),
      rate_limit_policy: nullable('RateLimitPolicy'),
      rate_limit_remaining: { type: 'string', format: 'int64' },
      rate_limit_reset_time: time({ nullable: true }),
      error_code: ref('VerificationErrorCode'),
      error_message: text(),
    },
    ['is_valid', 'status'],
  ),
  Token: object(
    {
      token: text('The token to present.'),
      expire_time: time(),
      scopes: arrayOf(text()),
      claims: { type: 'object', additionalProperties: true },
    },
    ['token', 'expire_time', 'scopes', 'claims'],
  ),
  JsonWebKey: object(
    {
      kid: text(),
      kty: text(),
      alg: text(),
      use: text(),
      crv: text(),
      x: text(),
      y: text(),
      n: text(),
      e: text(),
    },
    ['kid', 'kty'],
  ),
  AuditEvent: object({
    event_id: text(),
    type: text('Such as key.issued.'),
    key_id: text('Of a rotation: the new key.'),
    old_key_id: text(),
    actor_id: text(),
    caller: text('Which admin credential asked, or holder; never the credential itself.'),
    ip: text(),
    request_id: text(),
    create_time: time(),
    details: { type: 'object', additionalProperties: true },
  }),
  Error: object(
    {
      error: object(
        {
          code: { type: 'integer' },
          status: text('Such as INVALID_ARGUMENT.'),
          message: text(),
          details: arrayOf({ type: 'object', additionalProperties: true }),
        },
        ['code', 'status', 'message', 'details'],
      ),
    },
    ['error'],
  ),
};
