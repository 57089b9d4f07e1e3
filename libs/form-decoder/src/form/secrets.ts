import { bareObject, isObject } from '../model/bare-object.js';
import { type JsonObject, type JsonValue } from '../model/form-decoder.types.js';
import { type Location } from '../schema/location.js';

/**
 * Values that are never shown again: `writeOnly` properties and passwords, with everything in them,
 * and lists with a `writeOnly` entry.
 */
export function isSecret(location: Location, property: string): boolean {
  if (property === 'password' || location.keyword('writeOnly') === true) return true;
  if (!location.isArray) return false;
  for (let index = 0; index <= location.tupleLength; index += 1) {
    if (location.item(index).keyword('writeOnly') === true) return true;
  }
  return false;
}

/** A value without its secrets. */
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
