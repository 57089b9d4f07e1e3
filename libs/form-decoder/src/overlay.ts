import { bareCopy, bareObject, isObject } from './bare-object.js';
import { RESERVED_NAMES } from './field-names.js';
import type { JsonObject, JsonValue } from './form-decoder.types.js';
import { isSecret } from './form-input.js';
import type { Location } from './location.js';
import { TYPE } from './schema-node.js';

/**
 * Lays changes over a stored value, member by member; lists and scalars are replaced as a whole.
 * With `nullRemoves` a null member removes (as in RFC 7396). Neither argument is changed.
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

/**
 * The value that a form with every writable property of a schema leaves behind: what the form shows
 * comes from `decoded`, and is gone when it is not there; what it does not show stays as stored. A
 * secret left blank stays: its control is blank because the form does not show it. So does a value
 * that comes back as the text which the form showed it as.
 */
export function replaceShown(
  stored: JsonObject,
  decoded: JsonObject,
  location: Location,
): JsonObject {
  const { wide } = location;
  const result = bareObject();
  for (const name of Object.keys(stored)) {
    const child = wide.property(name);
    const before = stored[name] as JsonValue;
    if (child === null || child.readOnly) result[name] = before;
    else if (isSecret(child, name)) result[name] = decoded[name] ?? before;
    else if (isObject(before) && child.wide.isObject && decoded[name] === undefined) {
      const kept = replaceShown(before, bareObject(), child);
      if (Object.keys(kept).length > 0) result[name] = kept;
    }
  }
  for (const name of Object.keys(decoded)) {
    const child = wide.property(name);
    const before = stored[name];
    const after = decoded[name] as JsonValue;
    if (child?.readOnly === true) continue;
    if (after === null && before !== undefined && child && isSecret(child, name)) continue;
    result[name] =
      isObject(before) && isObject(after) && child !== null && child.wide.isObject
        ? replaceShown(before, after, child)
        : asStored(before, after, child);
  }
  return result;
}

function asStored(
  before: JsonValue | undefined,
  after: JsonValue,
  location: Location | null,
): JsonValue {
  if (location === null || before === undefined || before === null) return after;
  if (Array.isArray(before) && Array.isArray(after)) {
    return after.map((entry, index) => asStored(before[index], entry, location.wide.item(index)));
  }
  if (typeof before === 'string' || JSON.stringify(before) !== after) return after;
  const type = Array.isArray(before) ? 'array' : (typeof before as 'boolean' | 'number' | 'object');
  return (location.wide.types & TYPE[type]) === 0 ? after : before;
}

/** A value without what a form never shows: `writeOnly` properties and passwords. */
export function withoutSecrets(value: JsonObject, location: Location): JsonObject {
  const result = bareObject();
  for (const name of Object.keys(value)) {
    const child = location.wide.property(name);
    const member = value[name] as JsonValue;
    if (child === null) result[name] = member;
    else if (!isSecret(child, name)) result[name] = shownPart(member, child);
  }
  return result;
}

function shownPart(value: JsonValue, location: Location): JsonValue {
  if (isObject(value)) return withoutSecrets(value, location);
  if (!Array.isArray(value)) return value;
  return value.map((entry, index) => shownPart(entry, location.wide.item(index)));
}
