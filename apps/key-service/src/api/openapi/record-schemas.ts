/** The records of the API as JSON Schema (OpenAPI 3.1). */
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
  orNull,
} from '@gatehouse/nest-kit/openapi';
import { BATCH_IMPORT_ERRORS, SEARCH_KINDS, STATE_CAUSES, TOKEN_ALGORITHMS } from '../enums.js';
import {
  HASH_ALGORITHMS,
  HASH_ENCODINGS,
  HASHED_PARTS,
  SALT_POSITIONS,
} from '../../store/hashes/hash.types.js';
import { KEY_STATUSES, KEY_VISIBILITIES, VERIFICATION_ERRORS } from '@gatehouse/schemas';
import { REVOCATION_REASONS } from '../../store/keys/key.types.js';
import { RATE_LIMIT_FALLBACKS, RATE_LIMIT_SCOPES } from '../../store/keys/rate-limit.types.js';

const METADATA: Schema = {
  type: 'object',
  additionalProperties: true,
  description: 'Any JSON object of at most 64 KiB.',
};

const KEY_FIELDS: Schemas = {
  key_id: text('Identifier of the key.'),
  name: text('Label, at most 255 characters.'),
  actor_id: text('Owner; never changes.'),
  scopes: arrayOf(text('1 to 255 characters without white space.')),
  status: schemaRef('KeyStatus'),
  metadata: METADATA,
  'tags?': arrayOf(text(), { description: 'Absent when there are none.' }),
  create_time: time(),
  update_time: time(),
  expire_time: orNull(time()),
  last_used_time: orNull(time('Written in the background.')),
  rate_limit_policy: orNull(schemaRef('RateLimitPolicy')),
  'rate_limits?': arrayOf(schemaRef('RateLimit'), { description: 'Absent when there are none.' }),
  'credits?': schemaRef('Credits'),
  ip_restriction: orNull(schemaRef('IPRestriction')),
  'expiring_thresholds?': arrayOf(text('A duration.'), {
    description:
      'How long before its expiry the key is announced; absent while KEY_EXPIRING_THRESHOLDS applies.',
  }),
  visibility: schemaRef('KeyVisibility'),
  /** Absent unless the key was paused or revoked because its actor left. */
  'leaver?': schemaRef('Leaver'),
  /** Absent unless the key was revoked with a reason. */
  'revocation_reason?': schemaRef('RevocationReason'),
  revocation_description: text('Only with PRIVILEGE_WITHDRAWN.'),
};

const STATE_REASON = orNull(
  record({
    cause: enumOf(STATE_CAUSES),
    time: time(),
    caller: text('As in audit events; empty if the key ended by itself.'),
  }),
);

const OUTCOMES: Schema = {
  type: 'object',
  additionalProperties: text(),
  description: 'Numbers of verifications by outcome.',
};

/** As ProtoJSON has it. */
const NUMBERED: Schema = {
  description: 'Requests may send the number of a value instead: its place in this list, from 0.',
};

const AMOUNT: Schema = { type: 'string', format: 'int64', description: 'Up to 10^15.' };

const TRUST_FIELDS = {
  ...KEY_FIELDS,
  issuer: text('The claim iss of the tokens that it accepts.'),
  audience: text('Their claim aud.'),
  subject_pattern: text('What their claim sub has to fit.'),
  claims: mapOf({ type: ['string', 'boolean'] }, { description: 'Further claims.' }),
  token_ttl: text('How long its own tokens live, a duration.'),
  single_use: flag('Whether it accepts a token once.'),
};

export const RECORD_SCHEMAS: Schemas = {
  KeyStatus: enumOf(KEY_STATUSES),
  KeyVisibility: enumOf(KEY_VISIBILITIES, NUMBERED),
  RevocationReason: enumOf(REVOCATION_REASONS, NUMBERED),
  TokenAlgorithm: enumOf(TOKEN_ALGORITHMS, NUMBERED),
  VerificationErrorCode: enumOf(VERIFICATION_ERRORS),
  BatchCreateImportedApiKeysErrorCode: enumOf(BATCH_IMPORT_ERRORS),
  HashAlgorithm: enumOf(HASH_ALGORITHMS, NUMBERED),
  HashEncoding: enumOf(HASH_ENCODINGS, NUMBERED),
  SaltPosition: enumOf(SALT_POSITIONS, NUMBERED),
  HashedPart: enumOf(HASHED_PARTS, NUMBERED),
  ImportedHash: object(
    {
      algorithm: schemaRef('HashAlgorithm'),
      value: text('The digest; or a whole hash such as $2b$10$…, $argon2id$… or $scrypt$….', {
        minLength: 1,
        maxLength: 512,
      }),
      encoding: { ...schemaRef('HashEncoding'), description: 'Encoding of a digest; default HEX.' },
      salt: text('At most 256 bytes.'),
      salt_encoding: { ...schemaRef('HashEncoding'), description: 'Default TEXT.' },
      salt_position: { ...schemaRef('SaltPosition'), description: 'Default BEFORE.' },
      key: text('Key of an HMAC: 16 to 1024 bytes. Stored encrypted.'),
      key_encoding: { ...schemaRef('HashEncoding'), description: 'Default TEXT.' },
      n: integer('Scrypt cost: a power of 2; n times r times p is at most 1048576.', {
        minimum: 2,
      }),
      r: integer('Scrypt block size.', { minimum: 1 }),
      p: integer('Scrypt parallelization.', { minimum: 1 }),
      lookup_prefix: text('How the key begins: not secret. For all but digests without a salt.', {
        pattern: '^([\\x21-\\x7e]{4,64})?$',
      }),
      hashed_part: { ...schemaRef('HashedPart'), description: 'The hashed part; default KEY.' },
    },
    ['algorithm', 'value'],
  ),
  ImportedHashes: record({ algorithms: arrayOf(schemaRef('ImportedHashCounts')) }),
  ImportedHashCounts: record({
    algorithm: schemaRef('HashAlgorithm'),
    total_count: integer(),
    rekeyed_count: integer('Used since; their hashes are gone.'),
    pending_count: integer('Not used yet.'),
    ended_count: integer('Revoked or expired before their first use.'),
    dropped_count: integer('Revoked, because they were not used by drop_time.'),
    drop_time: orNull(time('When the hashes that are pending are dropped.')),
  }),
  RateLimitPolicy: object(
    {
      quota: { type: 'string', format: 'int64', description: 'Requests in a window; above 0.' },
      unit: text('Default "requests".'),
      window: text('A duration of at least one second, such as "60s".'),
    },
    ['quota', 'window'],
  ),
  RateLimit: object(
    {
      name: text('1 to 32 of a-z, 0-9, _ and -; default and key are reserved.', {
        pattern: '^[a-z][a-z0-9_-]{0,31}$',
      }),
      quota: { type: 'string', format: 'int64', description: 'Units in a window; up to 10^12.' },
      window: text('A duration from 1s to 366d, such as "60s".'),
      burst: { type: 'string', format: 'int64', description: 'Units at once; default quota.' },
      scope: {
        ...enumOf(RATE_LIMIT_SCOPES),
        description: 'Whose budget it is: of the key, of its actor, or of a tag of the actor.',
      },
      tag: text('With the scope tag: which one.'),
      on_error: {
        ...enumOf(RATE_LIMIT_FALLBACKS),
        description: 'Decision while Redis is unavailable; default RATE_LIMIT_ON_ERROR.',
      },
      strict: { type: 'boolean', description: 'Whether every verification is counted in Redis.' },
    },
    ['name', 'quota', 'window'],
  ),
  LimitCost: object(
    {
      name: text(undefined, { pattern: '^[a-z][a-z0-9_-]{0,31}$' }),
      cost: integer('0 to 1000000000; default 1.', { minimum: 0 }),
    },
    ['name'],
  ),
  RateLimitState: object(
    {
      name: text('default is the limit of rate_limit_policy.'),
      quota: { type: 'string', format: 'int64' },
      remaining: { type: 'string', format: 'int64', description: 'Absent while Redis is away.' },
      reset_time: orNull(time('When all of it is there again.')),
      exceeded: { type: 'boolean', description: 'Whether this limit refused.' },
      retry_after: text('If it refused: when this cost can be admitted, as a duration.'),
    },
    ['name', 'quota', 'reset_time', 'exceeded'],
  ),
  Credits: record({
    remaining: AMOUNT,
    refill: orNull(schemaRef('Refill')),
    strict: { type: 'boolean', description: 'Whether each verification is written at once.' },
  }),
  Refill: object(
    {
      amount: { ...AMOUNT, description: 'The balance is raised to this amount, if it is lower.' },
      interval: text('A duration from 60s to 366d.'),
      at: time('The next refill; one interval from now when unset.'),
    },
    ['amount', 'interval'],
  ),
  IPRestriction: object(
    { allowed_cidrs: arrayOf(text('IPv4 or IPv6 network.'), { minItems: 1, maxItems: 256 }) },
    ['allowed_cidrs'],
  ),
  ImportedApiKey: record(KEY_FIELDS),
  IssuedApiKey: record({
    ...KEY_FIELDS,
    key_preview: text('Prefix and the last four characters of the secret.'),
  }),
  Actor: record({
    actor_id: text(),
    issued_api_keys: arrayOf(
      record({ ...KEY_FIELDS, key_preview: text(), state_reason: STATE_REASON }),
      { description: 'The newest 100; state_reason is null while a key is active.' },
    ),
    next_issued_page_token: text('Of the list of issued keys with this actor_id; empty for none.'),
    imported_api_keys: arrayOf(record({ ...KEY_FIELDS, state_reason: STATE_REASON })),
    next_imported_page_token: text('Of the list of imported keys.'),
    trust_rules: arrayOf(record({ ...TRUST_FIELDS, state_reason: STATE_REASON })),
    next_trust_page_token: text('Of the list of trust rules.'),
    tokens: arrayOf(
      record({
        token_id: text(),
        key_id: text(),
        algorithm: schemaRef('TokenAlgorithm'),
        expire_time: time(),
        create_time: time(),
      }),
      { description: 'The newest 50 of the last 1000 audit events.' },
    ),
    usage: record({ last_24_hours: OUTCOMES, last_30_days: OUTCOMES }),
    portal_sessions: arrayOf(schemaRef('PortalSession'), { description: 'Those that work.' }),
    people: arrayOf(schemaRef('Person'), {
      description: 'The users of linked directories behind the actor; the last to change first.',
    }),
  }),
  TrustRule: record(TRUST_FIELDS),
  SearchResponse: record({
    hits: arrayOf(
      record({
        kind: enumOf(SEARCH_KINDS),
        id: text('That of the record; of an actor, its actor_id.'),
        title: text('The name, the address or the type of the record.'),
        detail: text('One more line, such as its status and its owner.'),
        parent_id: text('Always empty here.', { example: '' }),
      }),
    ),
    is_more: flag('Whether a kind has more hits than page_size.'),
  }),
  VerifyApiKeyResponse: record({
    is_valid: { type: 'boolean' },
    status: schemaRef('KeyStatus'),
    key_id: text(),
    actor_id: text(),
    scopes: arrayOf(text()),
    metadata: METADATA,
    expire_time: orNull(time()),
    visibility: schemaRef('KeyVisibility'),
    issuer: text(),
    rate_limit_policy: orNull(schemaRef('RateLimitPolicy')),
    audiences: arrayOf(text(), { description: 'Those that a token names.' }),
    'rate_limit_remaining?': { type: 'string', format: 'int64' },
    rate_limit_reset_time: orNull(time()),
    'rate_limits?': arrayOf(schemaRef('RateLimitState'), {
      description: 'Named limits of the key, unless it is refused for another reason.',
    }),
    'credits?': object({ remaining: AMOUNT, refill_time: orNull(time()) }, [
      'remaining',
      'refill_time',
    ]),
    'error_code?': schemaRef('VerificationErrorCode'),
    'error_message?': text(),
  }),
  Token: record({
    token: text('The token to present.'),
    expire_time: time(),
    scopes: arrayOf(text()),
    claims: { type: 'object', additionalProperties: true },
  }),
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
  AuditEvent: record({
    event_id: text(),
    type: text('Such as key.issued.'),
    key_id: text('The key; after a rotation, the new key.'),
    old_key_id: text(),
    actor_id: text(),
    caller: text('Which admin credential asked, or holder; never the credential itself.'),
    ip: text(),
    request_id: text(),
    create_time: time(),
    details: { type: 'object', additionalProperties: true },
  }),
  Error: record({
    error: record({
      code: { type: 'integer', description: 'The status of the answer.' },
      status: text('Such as INVALID_ARGUMENT.'),
      message: text(),
      details: arrayOf(schemaRef('ErrorDetail')),
    }),
  }),
  OAuthError: record({
    error: text('Such as invalid_grant.'),
    error_description: text(),
    'request_id?': text('Of a fault of the service.'),
  }),
  ErrorDetail: object(
    {
      '@type': text('google.rpc.ErrorInfo has a reason, google.rpc.BadRequest names fields.'),
      reason: text('Stable, such as API_KEY_NOT_FOUND.'),
      domain: text(),
      metadata: { type: 'object', additionalProperties: text() },
      field_violations: arrayOf(record({ field: text(), description: text() })),
    },
    ['@type'],
  ),
  Refusal: record({
    error_code: schemaRef('VerificationErrorCode'),
    limit: text('The limit that refused; empty for none.'),
    network: text('The /24 or /48 network of the client; empty without an address.'),
    first_time: time(),
    last_time: time(),
    count: text('How often, a decimal number; at least.'),
  }),
  UsagePoint: record({
    time: time('The start of the minute, hour or day.'),
    'key_id?': text('With group_by=key, as the other dimensions with their names.'),
    'actor_id?': text(),
    'tag?': text(),
    'outcome?': text('valid, or why not, such as rate_limited.'),
    'limit?': text('The limit that refused; empty for none.'),
    'prefix?': text('The prefix or the kind of a credential that is no key.'),
    count: text('Verifications, a decimal number.'),
    cost: text('Their cost in credits: 1 for each valid one.'),
  }),
};
