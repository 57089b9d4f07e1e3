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
import { parseUpdateMask } from '../api/update-mask.js';
import { type IssuedKeyView } from './key.view.js';
import { type KeyUpdate } from '../store/keys/key.record.js';

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
type MutableField = (typeof MUTABLE_FIELDS)[number];

const READ: Readonly<Record<MutableField, (key: InputReader) => KeyUpdate>> = {
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
};

/** The other fields of a record, which is accepted as it was read. */
const IMMUTABLE_FIELDS: readonly (keyof IssuedKeyView)[] = [
  ...(['key_id', 'actor_id', 'status', 'visibility', 'key_preview'] as const),
  ...(['create_time', 'update_time', 'expire_time', 'last_used_time'] as const),
  ...(['revocation_reason', 'revocation_description', 'credits'] as const),
];

/** @param wrapper the member that may contain the key, such as `issued_api_key` */
export function readKeyUpdate(body: InputReader, wrapper: string, mask: unknown): KeyUpdate {
  const key = body.child(wrapper) ?? body;
  key.allow([...MUTABLE_FIELDS, ...IMMUTABLE_FIELDS]);
  const masked = parseUpdateMask(mask, MUTABLE_FIELDS);
  const update = [...(masked ?? MUTABLE_FIELDS)].map((field) => READ[field](key));
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
