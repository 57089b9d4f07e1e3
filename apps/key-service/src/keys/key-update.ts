// Reads the body and the mask of a PATCH (AIP-134): in the mask and unset in the body is a reset,
// in the body and not in the mask is ignored, no mask is every populated mutable field.
import { type InputReader, isObject } from '@gatehouse/service-kit';
import { bodyReader } from '../wire/input.js';
import {
  readAllowedCidrs,
  readMetadata,
  readRateLimitPolicy,
  readScopes,
} from '../wire/key-fields.js';
import { MUTABLE_FIELDS, type MutableField, parseUpdateMask } from '../wire/update-mask.js';
import type { KeyUpdate } from '../records/key.record.js';

const READ: Readonly<Record<MutableField, (key: InputReader) => KeyUpdate>> = {
  name: (key) => ({ name: key.text('name') }),
  scopes: (key) => ({ scopes: readScopes(key) }),
  metadata: (key) => ({ metadata: readMetadata(key) }),
  rate_limit_policy: (key) => ({
    rateLimitPolicy: isEmptyObject(key.raw('rate_limit_policy')) ? null : readRateLimitPolicy(key),
  }),
  ip_restriction: (key) => ({ allowedCidrs: readAllowedCidrs(key) }),
};

/** `wrapper` is the name under which the key may stand in the body, such as issued_api_key. */
export function readKeyUpdate(json: unknown, wrapper: string, mask: unknown): KeyUpdate {
  const body = bodyReader(json);
  const key = body.child(wrapper) ?? body;
  body.throwIfInvalid();
  const masked = parseUpdateMask(mask);
  const update = [...(masked ?? MUTABLE_FIELDS)].map((field) => READ[field](key));
  key.throwIfInvalid();
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
