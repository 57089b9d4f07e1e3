/**
 * Reads the body and the mask of a PATCH (AIP-134). A field in the mask that the body leaves out is
 * reset; a field outside of the mask is ignored; without a mask, every populated field counts.
 */
import { type InputReader, isObject } from '@gatehouse/kit/input';
import {
  readAllowedCidrs,
  readExpiringThresholds,
  readMetadata,
  readRateLimitPolicy,
  readScopes,
  readTags,
} from '../api/fields/key-fields.js';
import { readRateLimits } from '../api/fields/limit-fields.js';
import {
  readIssuer,
  readSubjectPattern,
  readTokenTtl,
  readTrustedAudience,
  readTrustedClaims,
} from '../api/fields/trust-fields.js';
import { parseUpdateMask } from '../api/update-mask.js';
import { type KeyServiceConfig } from '../config.js';
import { type IssuedKeyView } from './key.view.js';
import { type KeyUpdate } from '../store/keys/key.record.js';
import { type KeyKind } from '../store/keys/key.types.js';

const MUTABLE_FIELDS = [
  'name',
  'scopes',
  'metadata',
  'tags',
  'rate_limit_policy',
  'rate_limits',
  'ip_restriction',
  'expiring_thresholds',
] as const;
const TRUST_FIELDS = [
  ...MUTABLE_FIELDS,
  ...(['issuer', 'audience', 'subject_pattern', 'claims', 'token_ttl', 'single_use'] as const),
] as const;
type MutableField = (typeof TRUST_FIELDS)[number];

type Read = (key: InputReader, config: KeyServiceConfig) => KeyUpdate;

const READ: Readonly<Record<MutableField, Read>> = {
  name: (key) => ({ name: key.text('name') }),
  scopes: (key) => ({ scopes: readScopes(key) }),
  metadata: (key) => ({ metadata: readMetadata(key) }),
  tags: (key) => ({ tags: readTags(key) }),
  rate_limit_policy: (key) => ({
    rateLimitPolicy: isEmptyObject(key.raw('rate_limit_policy')) ? null : readRateLimitPolicy(key),
  }),
  rate_limits: (key) => ({ rateLimits: readRateLimits(key) }),
  ip_restriction: (key) => ({ allowedCidrs: readAllowedCidrs(key) }),
  expiring_thresholds: (key) => ({ expiringThresholds: readExpiringThresholds(key) }),
  issuer: (key, { webhooks }) => ({ issuer: readIssuer(key, webhooks) }),
  audience: (key) => ({ audience: readTrustedAudience(key) }),
  subject_pattern: (key) => ({ subjectPattern: readSubjectPattern(key) }),
  claims: (key) => ({ claims: readTrustedClaims(key) }),
  token_ttl: (key, { maxTtlSeconds }) => ({ tokenTtlSeconds: readTokenTtl(key, maxTtlSeconds) }),
  single_use: (key) => ({ isSingleUse: key.boolean('single_use') ?? false }),
};

/** The other fields of a record, which is accepted as it was read. */
const IMMUTABLE_FIELDS: readonly (keyof IssuedKeyView)[] = [
  ...(['key_id', 'actor_id', 'status', 'visibility', 'key_preview'] as const),
  ...(['create_time', 'update_time', 'expire_time', 'last_used_time'] as const),
  ...(['revocation_reason', 'revocation_description', 'credits'] as const),
];

/** @param wrapper the member that may contain the key, such as `issued_api_key` */
export function readKeyUpdate(
  body: InputReader,
  { kind, wrapper, mask }: { kind: KeyKind; wrapper: string; mask: unknown },
  config: KeyServiceConfig,
): KeyUpdate {
  const key = body.child(wrapper) ?? body;
  const fields: readonly MutableField[] = kind === 'trust' ? TRUST_FIELDS : MUTABLE_FIELDS;
  key.allow([...fields, ...IMMUTABLE_FIELDS]);
  const masked = parseUpdateMask(mask, fields);
  const sent = fields.filter((field) => key.raw(field) !== undefined);
  const update = [...(masked ?? sent)].map((field) => READ[field](key, config));
  body.throwIfInvalid();
  const all = Object.assign({}, ...update) as KeyUpdate;
  if (masked) return all;
  return Object.fromEntries(Object.entries(all).filter(([, value]) => !isEmpty(value)));
}

function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return value === null || value === '' || isEmptyObject(value);
}

function isEmptyObject(value: unknown): boolean {
  return isObject(value) && Object.keys(value).length === 0;
}
