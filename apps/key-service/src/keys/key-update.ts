// Reads the body and the mask of a PATCH (AIP-134): in the mask and unset in the body is a reset,
// in the body and not in the mask is ignored, no mask is every populated mutable field.
import { BodyReader, isObject } from '../wire/body-reader.js';
import {
  readAllowedCidrs,
  readMetadata,
  readRateLimitPolicy,
  readScopes,
} from '../wire/key-fields.js';
import { MUTABLE_FIELDS, type MutableField, parseUpdateMask } from '../wire/update-mask.js';
import type { KeyUpdate } from './keys.repository.js';

/** `wrapper` is the name under which the key may stand in the body, such as issued_api_key. */
export function readKeyUpdate(json: unknown, wrapper: string, mask: unknown): KeyUpdate {
  const body = BodyReader.of(json);
  const key = body.child(wrapper) ?? body;
  body.finish();
  const fields =
    parseUpdateMask(mask) ?? new Set(MUTABLE_FIELDS.filter((f) => isPopulated(key, f)));
  const update: KeyUpdate = {};
  if (fields.has('name')) update.name = key.text('name');
  if (fields.has('scopes')) update.scopes = readScopes(key);
  if (fields.has('metadata')) update.metadata = readMetadata(key);
  if (fields.has('rate_limit_policy')) {
    update.rateLimitPolicy = isEmptyObject(key.raw('rate_limit_policy'))
      ? null
      : readRateLimitPolicy(key);
  }
  if (fields.has('ip_restriction')) update.allowedCidrs = readAllowedCidrs(key);
  key.finish();
  return update;
}

function isPopulated(key: BodyReader, field: MutableField): boolean {
  const value = key.raw(field);
  if (value === undefined || value === '') return false;
  if (Array.isArray(value)) return value.length > 0;
  return !isEmptyObject(value);
}

function isEmptyObject(value: unknown): boolean {
  return isObject(value) && Object.keys(value).length === 0;
}
