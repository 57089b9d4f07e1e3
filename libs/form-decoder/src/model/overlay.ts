import { bareCopy, bareObject, isObject } from './bare-object.js';
import { RESERVED_NAMES } from './field-names.js';
import { type JsonObject, type JsonValue } from './form-decoder.types.js';

/**
 * Merges changes into a stored value, member by member; lists and scalars are replaced as a whole.
 * With `nullRemoves`, null removes a member (as in RFC 7396). Neither argument is changed.
 *
 * @example
 * overlay({ a: { b: 1 } }, { a: { c: 2 } }); // { a: { b: 1, c: 2 } }
 */
export function overlay(
  stored: JsonObject,
  changes: JsonObject,
  options: { nullRemoves?: boolean } = {},
): JsonObject {
  const result = bareObject();
  for (const name of Object.keys(stored)) result[name] = stored[name] as JsonValue;
  for (const name of Object.keys(changes)) {
    if (RESERVED_NAMES.has(name)) continue;
    const change = changes[name] as JsonValue;
    const known = result[name];
    if (change === null && options.nullRemoves === true) {
      delete result[name];
    } else if (isObject(change)) {
      result[name] = overlay(isObject(known) ? known : bareObject(), change, options);
    } else {
      result[name] = bareCopy(change);
    }
  }
  return result;
}
