/**
 * Requests and responses as JSON Schema (OpenAPI 3.1). Names follow the published client of Ory
 * Talos, so that a client generated from here has the same types.
 */
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

const METADATA: Schema = { type: 'object', additionalProperties: true };
const SCOPES = arrayOf(text(undefined, { minLength: 1, maxLength: 255 }), { maxItems: 256 });

const TAGS = arrayOf(text(undefined, { pattern: '^[A-Za-z0-9][A-Za-z0-9_.:/-]{0,63}$' }), {
  maxItems: 16,
});

const MUTABLE_FIELDS: Schemas = {
  name: text(undefined, { maxLength: 255 }),
  scopes: SCOPES,
  metadata: METADATA,
  tags: TAGS,
  rate_limit_policy: schemaRef('RateLimitPolicy'),
  rate_limits: arrayOf(schemaRef('RateLimit'), {
    maxItems: 8,
    description: 'Named limits, which are counted beside rate_limit_policy.',
  }),
  ip_restriction: schemaRef('IPRestriction'),
  expiring_thresholds: arrayOf(text('A duration of at least one minute, such as "7d".'), {
    maxItems: 10,
    description:
      'How long before its expiry the key is announced, each once; [] announces nothing. ' +
      'Without it, KEY_EXPIRING_THRESHOLDS applies.',
  }),
};

const NEW_KEY_FIELDS: Schemas = {
  ...MUTABLE_FIELDS,
  actor_id: text('Owner of the key.', { minLength: 1, maxLength: 255 }),
  ttl: text('A duration such as "24h" or "3600s".'),
  credits: schemaRef('CreditsInput'),
  visibility: schemaRef('KeyVisibility'),
  request_id: text('A repeat answers with the first key.', { maxLength: 36 }),
};

const TRUST_FIELDS: Schemas = {
  issuer: text('The claim iss of tokens, an https address below which its metadata is.', {
    minLength: 1,
    maxLength: 512,
  }),
  audience: text('The claim aud of tokens, which names nothing else.', {
    minLength: 1,
    maxLength: 1024,
  }),
  subject_pattern: text(
    'What the claim sub has to fit. * stands for any characters but a colon, at the end for any.',
    { minLength: 1, maxLength: 512 },
  ),
  claims: mapOf(
    { type: ['string', 'boolean'] },
    { description: 'Up to 16 further claims, with the values that they must have.' },
  ),
  token_ttl: text('How long the tokens of the rule live; default 1h.'),
  single_use: flag('Whether a token is accepted once, by its jti.'),
};

const PREFIX = text(
  'Prefix of the secret: one of SECRET_PREFIX, or of PUBLIC_PREFIX for a public key.',
  {
    maxLength: 255,
  },
);
const CREDENTIAL = text('A secret, an imported key or a derived token.', { minLength: 1 });
const ALGORITHMS = arrayOf(schemaRef('HashAlgorithm'), {
  maxItems: 7,
  description: 'By default all.',
});
const AUDIENCE_BOUNDS = { maxLength: 1024 };
const AUDIENCE = text(undefined, { minLength: 1, maxLength: 1024 });
const CLIENT_IP = text(
  'The IPv4 or IPv6 address of the client, for keys with ip_restriction. Without it, that of the ' +
    'connection counts, which is your own unless you pass requests of clients on.',
);
const NEXT_PAGE_TOKEN = text('Empty on the last page.', { example: '' });
const JWKS = record({ keys: arrayOf(schemaRef('JsonWebKey')) });

export const MESSAGE_SCHEMAS: Schemas = {
  IssueApiKeyRequest: object({ ...NEW_KEY_FIELDS, prefix: PREFIX }, ['name', 'actor_id']),
  IssueApiKeyResponse: record({
    issued_api_key: schemaRef('IssuedApiKey'),
    secret: text('Shown once. Empty when the request was a repeat.'),
  }),
  ListIssuedApiKeysResponse: record({
    issued_api_keys: arrayOf(schemaRef('IssuedApiKey')),
    next_page_token: NEXT_PAGE_TOKEN,
  }),
  UpdateIssuedApiKeyRequest: object({ ...MUTABLE_FIELDS, issued_api_key: object(MUTABLE_FIELDS) }),
  RotateIssuedApiKeyRequest: object({
    ...MUTABLE_FIELDS,
    visibility: schemaRef('KeyVisibility'),
    prefix: PREFIX,
    grace_period: text('How long the old key lives on; without it, it is revoked at once.'),
  }),
  RotateIssuedApiKeyResponse: record({
    issued_api_key: schemaRef('IssuedApiKey'),
    secret: text('Shown once.'),
    old_issued_api_key: schemaRef('IssuedApiKey'),
  }),
  CreateTrustRuleRequest: object({ ...NEW_KEY_FIELDS, ...TRUST_FIELDS }, [
    'name',
    'actor_id',
    'issuer',
    'audience',
    'subject_pattern',
  ]),
  ListTrustRulesResponse: record({
    trust_rules: arrayOf(schemaRef('TrustRule')),
    next_page_token: NEXT_PAGE_TOKEN,
  }),
  UpdateTrustRuleRequest: object({
    ...MUTABLE_FIELDS,
    ...TRUST_FIELDS,
    trust_rule: object({ ...MUTABLE_FIELDS, ...TRUST_FIELDS }),
  }),
  ApiKeyResponse: object(
    {
      issued_api_key: schemaRef('IssuedApiKey'),
      imported_api_key: schemaRef('ImportedApiKey'),
      trust_rule: schemaRef('TrustRule'),
    },
    [],
  ),
  RevocationInput: object({
    reason: schemaRef('RevocationReason'),
    description: text('Only with PRIVILEGE_WITHDRAWN.', { maxLength: 500 }),
  }),
  ImportApiKeyRequest: object(
    {
      ...NEW_KEY_FIELDS,
      raw_key: text('The key as it was made elsewhere; never stored. Required without hash.', {
        pattern: '^[\\x21-\\x7e]{8,4096}$',
      }),
      hash: schemaRef('ImportedHash'),
    },
    ['name', 'actor_id'],
  ),
  DropImportedHashesRequest: object(
    {
      drop_time: time('May be in the past.'),
      algorithms: ALGORITHMS,
    },
    ['drop_time'],
  ),
  KeepImportedHashesRequest: object({ algorithms: ALGORITHMS }),
  BatchCreateImportedApiKeysRequest: object(
    {
      requests: arrayOf(schemaRef('ImportApiKeyRequest'), { minItems: 1, maxItems: 1000 }),
      validate_only: flag('Whether to import nothing, and only to return what would come of it.'),
    },
    ['requests'],
  ),
  BatchCreateImportedApiKeysResult: object(
    {
      index: { type: 'integer' },
      imported_api_key: schemaRef('ImportedApiKey'),
      error_code: schemaRef('BatchCreateImportedApiKeysErrorCode'),
      error_message: text(),
    },
    ['index'],
  ),
  BatchCreateImportedApiKeysResponse: record({
    results: arrayOf(schemaRef('BatchCreateImportedApiKeysResult')),
    success_count: { type: 'integer' },
    failure_count: { type: 'integer' },
  }),
  ListImportedApiKeysResponse: record({
    imported_api_keys: arrayOf(schemaRef('ImportedApiKey')),
    next_page_token: NEXT_PAGE_TOKEN,
  }),
  UpdateImportedApiKeyRequest: object({
    ...MUTABLE_FIELDS,
    imported_api_key: object(MUTABLE_FIELDS),
  }),
  CreditsInput: object({
    remaining: { type: 'string', format: 'int64', description: 'The refill amount by default.' },
    refill: schemaRef('Refill'),
    strict: { type: 'boolean', description: 'Whether to write each verification at once.' },
  }),
  AddCreditsRequest: object(
    {
      amount: { type: 'string', format: 'int64', description: 'From 1 to 10^15.' },
      request_id: text('A repeat adds nothing.', { maxLength: 36 }),
    },
    ['amount'],
  ),
  KeyCreditsResponse: record({ key_id: text(), credits: orNull(schemaRef('Credits')) }),
  ListRefusalsResponse: record({ refusals: arrayOf(schemaRef('Refusal')) }),
  ListUsageResponse: record({
    usage: arrayOf(schemaRef('UsagePoint')),
    next_page_token: NEXT_PAGE_TOKEN,
  }),
  VerifyApiKeyRequest: object(
    {
      credential: CREDENTIAL,
      required_scopes: SCOPES,
      client_ip: CLIENT_IP,
      expected_audiences: arrayOf(AUDIENCE, {
        maxItems: 64,
        description: 'The credential must name one of them, so no key is valid.',
      }),
      audience: text('The audience that a token must name. Keys are valid too.', AUDIENCE_BOUNDS),
      limits: arrayOf(schemaRef('LimitCost'), {
        maxItems: 9,
        description: 'Cost of this verification by limit; other limits of the key cost 1.',
      }),
      credits: object({ cost: integer('0 to 1000000000; default 1.', { minimum: 0 }) }),
      peek: {
        type: 'boolean',
        description: 'Whether only to look: nothing is counted.',
      },
      tags: {
        ...TAGS,
        description: 'Tags of the verification, counted beside the tags of the key.',
      },
    },
    ['credential'],
  ),
  BatchVerifyApiKeysRequest: object(
    { requests: arrayOf(schemaRef('VerifyApiKeyRequest'), { minItems: 1, maxItems: 100 }) },
    ['requests'],
  ),
  BatchVerifyApiKeysResponse: record({ results: arrayOf(schemaRef('VerifyApiKeyResponse')) }),
  DeriveTokenRequest: object(
    {
      credential: CREDENTIAL,
      algorithm: schemaRef('TokenAlgorithm'),
      ttl: text('Default 1h; never longer than the key lives.'),
      scopes: SCOPES,
      audiences: arrayOf(AUDIENCE, {
        maxItems: 64,
        description: 'Who the token is for: its claim aud, or an aud caveat.',
      }),
      audience: text('Short for audiences with this one.', AUDIENCE_BOUNDS),
      client_ip: CLIENT_IP,
      custom_claims: {
        type: 'object',
        additionalProperties: true,
        description:
          'At most 4 KiB. Reserved names are dropped. aud is an audience or a list of up to 64, as in audiences.',
      },
    },
    ['credential'],
  ),
  DeriveTokenResponse: record({ token: schemaRef('Token') }),
  TokenExchangeRequest: object(
    {
      grant_type: enumOf(['urn:ietf:params:oauth:grant-type:token-exchange']),
      subject_token: text('A key, or a token of a trusted issuer.'),
      subject_token_type: enumOf([
        'urn:gatehouse:params:oauth:token-type:api-key',
        'urn:ietf:params:oauth:token-type:id_token',
        'urn:ietf:params:oauth:token-type:jwt',
      ]),
      requested_token_type: enumOf([
        'urn:ietf:params:oauth:token-type:access_token',
        'urn:ietf:params:oauth:token-type:jwt',
      ]),
      scope: text('Scopes, separated by blanks; by default all of the key or rule.'),
      audience: arrayOf(text(undefined, { minLength: 1, maxLength: 1024 }), {
        maxItems: 64,
        description: 'Who the token is for; may be repeated.',
      }),
    },
    ['grant_type', 'subject_token', 'subject_token_type'],
  ),
  TokenExchangeResponse: record({
    access_token: text('The JWT.'),
    issued_token_type: text(),
    token_type: enumOf(['Bearer']),
    expires_in: integer('Seconds.'),
    scope: text('Separated by blanks.'),
  }),
  AuthorizationServerMetadata: record({
    issuer: text(),
    token_endpoint: text(),
    jwks_uri: text(),
    grant_types_supported: arrayOf(text()),
    response_types_supported: arrayOf(text()),
    token_endpoint_auth_methods_supported: arrayOf(text()),
  }),
  SelfRevokeApiKeyRequest: object(
    { credential: CREDENTIAL, reason: schemaRef('RevocationReason') },
    ['credential'],
  ),
  PublishedKeys: record({ keys: arrayOf(schemaRef('JsonWebKey')), jwks: JWKS }),
  ListAuditEventsResponse: record({
    audit_events: arrayOf(schemaRef('AuditEvent')),
    next_page_token: NEXT_PAGE_TOKEN,
  }),
  ReportLeaksRequest: object(
    {
      requests: arrayOf(
        object(
          {
            credential: text('A secret or an imported key.', { minLength: 1 }),
            url: text('Where it was found.', { maxLength: 2048 }),
            source: text('The kind of the place, such as commit.', { maxLength: 255 }),
          },
          ['credential'],
        ),
        { minItems: 1, maxItems: 100 },
      ),
    },
    ['requests'],
  ),
  ReportLeaksResponse: record({
    results: arrayOf(
      record({
        is_exposed: {
          type: 'boolean',
          description: 'Whether it belongs to a key. False for public keys, which may be seen.',
        },
        key_id: text('Empty if it belongs to no key.'),
        status: schemaRef('KeyStatus'),
      }),
    ),
  }),
  LeakPattern: record({
    pattern: text('A regular expression without lookaround, for any engine.'),
    prefixes: arrayOf(text()),
  }),
  GithubLeakReport: arrayOf(
    object({ token: text(), type: text(), url: text(), source: text() }, ['token']),
    { minItems: 1, maxItems: 10_000 },
  ),
  GithubLeakFeedback: arrayOf(
    record({
      token_hash: text('SHA-256 in hexadecimal.'),
      token_type: text(),
      label: { type: 'string', enum: ['true_positive', 'false_positive'] },
    }),
  ),
  Empty: object({}),
};
