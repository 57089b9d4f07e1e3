/** Examples of requests, records and errors, by the name of their schema. */
import { type Examples } from '@gatehouse/nest-kit/openapi';
import { LEAVER } from './leaver-schemas.js';

const KEY_ID = '01983f6e-7c10-7000-8000-2f6d1c7a9b01';
const NEW_KEY_ID = '01983f70-1b42-7000-8000-8d03c5e6f712';
const SECRET = 'gate_sk_the_secret_that_was_shown_once';
const IMPORTED_SECRET = 'legacy-system-key-4711';
const METADATA = { team: 'checkout' };
const LIMIT = { quota: '100', unit: 'requests', window: '60s' };
const EXPORTS = { name: 'exports', quota: '100', window: '86400s', scope: 'actor' };
const CREDITS = {
  remaining: '600',
  strict: false,
  refill: { amount: '1000', interval: '2592000s', at: '2026-02-01T00:00:00.000Z' },
};
const LIMIT_STATES = [
  {
    name: 'default',
    quota: '100',
    remaining: '99',
    exceeded: false,
    reset_time: '2026-01-15T09:30:00.600Z',
  },
  {
    name: 'exports',
    quota: '100',
    remaining: '5',
    exceeded: false,
    reset_time: '2026-01-15T10:42:00.000Z',
  },
];
const TIMES = {
  create_time: '2026-01-15T09:30:00.000Z',
  update_time: '2026-01-15T09:30:00.000Z',
  expire_time: '2026-02-14T09:30:00.000Z',
};

const NEW_KEY = {
  name: 'Checkout in production',
  actor_id: 'customer-17',
  scopes: ['orders:read', 'orders:write'],
  metadata: METADATA,
  tags: ['production', 'team:checkout'],
  ttl: '720h',
  expiring_thresholds: ['7d', '1d'],
};

const IMPORTED_KEY = {
  key_id: '5f2b6d0c9a41e87d3c5a1b6f4e2d8c7095a3b1c7d9e8f6a4b2c0d1e3f5a7b9c8',
  name: 'Checkout, old system',
  actor_id: 'customer-17',
  scopes: ['orders:read'],
  status: 'KEY_STATUS_ACTIVE',
  metadata: {},
  ...TIMES,
  expire_time: null,
  last_used_time: null,
  rate_limit_policy: null,
  ip_restriction: null,
  visibility: 'KEY_VISIBILITY_SECRET',
  revocation_description: '',
};

const ISSUED_KEY = {
  ...IMPORTED_KEY,
  key_id: KEY_ID,
  name: NEW_KEY.name,
  scopes: NEW_KEY.scopes,
  metadata: METADATA,
  tags: NEW_KEY.tags,
  expire_time: TIMES.expire_time,
  rate_limit_policy: LIMIT,
  key_preview: 'gate_sk_...once',
  rate_limits: [{ ...EXPORTS, burst: '10', on_error: 'deny', strict: false }],
  expiring_thresholds: ['604800s', '86400s'],
};

const TRUST_TERMS = {
  issuer: 'https://token.actions.githubusercontent.com',
  audience: 'https://keys.example.com',
  subject_pattern: 'repo:octo-org/octo-repo:ref:refs/heads/main',
  claims: { repository_owner: 'octo-org' },
  token_ttl: '900s',
  single_use: true,
};

const NEW_TRUST_RULE = {
  name: 'Deployments of octo-repo',
  actor_id: 'octo-repo',
  scopes: ['orders:write'],
  ...TRUST_TERMS,
};

const JSON_WEB_KEY = {
  kid: 'c2lnbmluZy1rZXk',
  kty: 'OKP',
  alg: 'EdDSA',
  use: 'sig',
  crv: 'Ed25519',
  x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
};

export const EXAMPLES: Examples = {
  Empty: {},
  IssueApiKeyRequest: {
    ...NEW_KEY,
    rate_limit_policy: { quota: '100', window: '60s' },
    rate_limits: [{ ...EXPORTS, burst: '10', on_error: 'deny' }],
  },
  IssueApiKeyResponse: { issued_api_key: ISSUED_KEY, secret: SECRET },
  UpdateIssuedApiKeyRequest: { name: 'Checkout in staging', scopes: ['orders:read'] },
  Actor: {
    actor_id: ISSUED_KEY.actor_id,
    issued_api_keys: [
      {
        ...ISSUED_KEY,
        status: 'KEY_STATUS_PAUSED',
        leaver: LEAVER,
        state_reason: {
          cause: 'directory',
          time: '2026-01-20T08:00:00.000Z',
          caller: 'directory-link',
        },
      },
    ],
    next_issued_page_token: '',
    imported_api_keys: [],
    next_imported_page_token: '',
    trust_rules: [],
    next_trust_page_token: '',
    tokens: [],
    usage: { last_24_hours: { paused: '3' }, last_30_days: { valid: '417', paused: '3' } },
    portal_sessions: [],
    people: [
      {
        source: 'directory',
        directory_id: LEAVER.directory_id,
        user_id: LEAVER.user_id,
        tenant: 'acme',
        product: 'checkout',
        state: 'inactive',
        is_current: true,
        state_time: '2026-01-20T08:00:00.000Z',
      },
    ],
  },
  SearchResponse: {
    hits: [
      {
        kind: 'issued_api_key',
        id: KEY_ID,
        title: NEW_KEY.name,
        detail: `active · ${NEW_KEY.actor_id} · ${ISSUED_KEY.key_preview}`,
        parent_id: '',
      },
    ],
    is_more: false,
  },
  RotateIssuedApiKeyRequest: { grace_period: '24h' },
  RotateIssuedApiKeyResponse: {
    issued_api_key: { ...ISSUED_KEY, key_id: NEW_KEY_ID },
    secret: SECRET,
    old_issued_api_key: ISSUED_KEY,
  },
  ApiKeyResponse: { issued_api_key: ISSUED_KEY },
  RevocationInput: { reason: 'REVOCATION_REASON_KEY_COMPROMISE' },
  ImportApiKeyRequest: {
    raw_key: IMPORTED_SECRET,
    name: IMPORTED_KEY.name,
    actor_id: IMPORTED_KEY.actor_id,
    scopes: IMPORTED_KEY.scopes,
  },
  BatchCreateImportedApiKeysResponse: {
    results: [{ index: 0, imported_api_key: IMPORTED_KEY }],
    success_count: 1,
    failure_count: 0,
  },
  DropImportedHashesRequest: {
    drop_time: '2030-01-01T00:00:00Z',
    algorithms: ['HASH_ALGORITHM_BCRYPT'],
  },
  KeepImportedHashesRequest: { algorithms: ['HASH_ALGORITHM_BCRYPT'] },
  ImportedHashes: {
    algorithms: [
      {
        algorithm: 'HASH_ALGORITHM_BCRYPT',
        total_count: 1200,
        rekeyed_count: 950,
        pending_count: 240,
        ended_count: 10,
        dropped_count: 0,
        drop_time: '2030-01-01T00:00:00.000Z',
      },
    ],
  },
  UpdateImportedApiKeyRequest: { name: 'Checkout, to be replaced' },
  ListUsageResponse: {
    usage: [{ time: '2026-01-15T09:00:00.000Z', outcome: 'valid', count: '417', cost: '417' }],
    next_page_token: '',
  },
  ListRefusalsResponse: {
    refusals: [
      {
        error_code: 'VERIFICATION_ERROR_RATE_LIMITED',
        limit: EXPORTS.name,
        network: '192.0.2.0/24',
        first_time: TIMES.create_time,
        last_time: '2026-01-15T09:41:00.000Z',
        count: '12',
      },
    ],
  },
  VerifyApiKeyRequest: {
    credential: SECRET,
    required_scopes: ['orders:read'],
    limits: [{ name: 'exports', cost: 5 }],
  },
  VerifyApiKeyResponse: {
    is_valid: true,
    status: ISSUED_KEY.status,
    key_id: KEY_ID,
    issuer: '',
    actor_id: ISSUED_KEY.actor_id,
    scopes: ISSUED_KEY.scopes,
    metadata: METADATA,
    audiences: [],
    expire_time: TIMES.expire_time,
    visibility: ISSUED_KEY.visibility,
    rate_limit_policy: LIMIT,
    rate_limit_remaining: '99',
    rate_limit_reset_time: '2026-01-15T09:30:00.600Z',
    rate_limits: LIMIT_STATES,
  },
  CreditsInput: { remaining: '500', refill: { amount: '1000', interval: '2592000s' } },
  AddCreditsRequest: { amount: '100', request_id: 'order-4711' },
  KeyCreditsResponse: { key_id: KEY_ID, credits: CREDITS },
  DeriveTokenRequest: {
    credential: SECRET,
    algorithm: 'TOKEN_ALGORITHM_JWT',
    ttl: '5m',
    scopes: ['orders:read'],
    audience: 'orders',
  },
  Token: {
    token: 'header.claims.signature',
    expire_time: '2026-01-15T09:35:00.000Z',
    scopes: ['orders:read'],
    claims: { aud: 'orders', sub: 'customer-17' },
  },
  SelfRevokeApiKeyRequest: { credential: SECRET, reason: 'REVOCATION_REASON_KEY_COMPROMISE' },
  ReportLeaksRequest: {
    requests: [{ credential: SECRET, url: 'https://git.example.com/a/b', source: 'commit' }],
  },
  ReportLeaksResponse: {
    results: [{ is_exposed: true, key_id: KEY_ID, status: 'KEY_STATUS_REVOKED' }],
  },
  LeakPattern: {
    pattern: 'gate_sk_v1_[1-9A-HJ-NP-Za-km-z]{48,66}_[1-9A-HJ-NP-Za-km-z]{16,22}',
    prefixes: ['gate_sk'],
  },
  GithubLeakReport: [
    {
      token: SECRET,
      type: 'gatehouse_api_key',
      source: 'content',
      url: 'https://github.com/octocat/Hello-World/blob/1234560/config.json',
    },
  ],
  GithubLeakFeedback: [
    {
      token_hash: '5b3f0f1d0d6ef0f4f3b6a2d7f8c9e0a1b2c3d4e5f60718293a4b5c6d7e8f9012',
      token_type: 'gatehouse_api_key',
      label: 'true_positive',
    },
  ],
  CreateTrustRuleRequest: NEW_TRUST_RULE,
  UpdateTrustRuleRequest: { subject_pattern: 'repo:octo-org/octo-repo:*' },
  TrustRule: { ...IMPORTED_KEY, ...NEW_TRUST_RULE, key_id: KEY_ID },
  TokenExchangeRequest: {
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    subject_token: SECRET,
    subject_token_type: 'urn:gatehouse:params:oauth:token-type:api-key',
    scope: 'orders:read',
  },
  TokenExchangeResponse: {
    access_token: 'header.claims.signature',
    issued_token_type: 'urn:ietf:params:oauth:token-type:access_token',
    token_type: 'Bearer',
    expires_in: 3600,
    scope: 'orders:read',
  },
  AuthorizationServerMetadata: {
    issuer: 'https://keys.example.com',
    token_endpoint: 'https://keys.example.com/oauth/token',
    jwks_uri: 'https://keys.example.com/v2alpha1/derivedKeys/jwks.json',
    grant_types_supported: ['urn:ietf:params:oauth:grant-type:token-exchange'],
    response_types_supported: [],
    token_endpoint_auth_methods_supported: ['none'],
  },
  IssuedApiKey: ISSUED_KEY,
  ImportedApiKey: IMPORTED_KEY,
  JsonWebKey: JSON_WEB_KEY,
  AuditEvent: {
    event_id: '01983f6e-7c11-7000-8000-b1f0a2c4d6e8',
    type: 'key.issued',
    key_id: KEY_ID,
    old_key_id: '',
    actor_id: ISSUED_KEY.actor_id,
    caller: 'static-key:1',
    ip: '192.0.2.10',
    request_id: 'b7f0c1d2e3a4',
    details: {},
    create_time: TIMES.create_time,
  },
};

/** An import with its own key: two examples may be sent one after the other. */
export function batchImportExample(rawKey: string): object {
  return { requests: [{ ...(EXAMPLES.ImportApiKeyRequest as object), raw_key: rawKey }] };
}

export const ERROR_EXAMPLES = {
  400: error(400, 'INVALID_ARGUMENT', 'name: must not be empty', [
    reason('INVALID_ARGUMENT'),
    {
      '@type': 'type.googleapis.com/google.rpc.BadRequest',
      field_violations: [{ field: 'name', description: 'must not be empty' }],
    },
  ]),
  401: error(
    401,
    'UNAUTHENTICATED',
    'The admin credential is missing. Send "Authorization: Bearer <key>" with one of ADMIN_API_KEYS, or with a live key of the key service that has the scope keys:admin.',
    [reason('UNAUTHENTICATED')],
  ),
  404: error(404, 'NOT_FOUND', 'The key does not exist.', [reason('API_KEY_NOT_FOUND')]),
};

export const TOKEN_ERROR_EXAMPLES = {
  400: { error: 'invalid_grant', error_description: 'The subject token is not valid.' },
};

export const WEBHOOK_ERROR_EXAMPLES = {
  ...ERROR_EXAMPLES,
  404: error(404, 'NOT_FOUND', 'The webhook endpoint does not exist.', [
    reason('WEBHOOK_ENDPOINT_NOT_FOUND'),
  ]),
};

function error(code: number, status: string, message: string, details: object[]): object {
  return { error: { code, status, message, details } };
}

function reason(code: string): object {
  const type = 'type.googleapis.com/google.rpc.ErrorInfo';
  return { '@type': type, reason: code, domain: 'keys.gatehouse', metadata: {} };
}
