import { type JsonObject, type JsonValue } from './form-decoder.types.js';

/**
 * Objects built from user input. They do not inherit from `Object.prototype`, so no name can reach
 * it. A constructor, unlike `Object.create(null)`, keeps them as fast as object literals.
 */
const Bare = function Bare() {} as unknown as new () => JsonObject;
Bare.prototype = Object.freeze(Object.create(null) as JsonObject);

export function bareObject(): JsonObject {
  return new Bare();
}

/** A deep copy whose objects are bare. Also used to copy defaults of the schema. */
export function bareCopy(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(bareCopy);
  if (value === null || typeof value !== 'object') return value;
  const copy = bareObject();
  for (const name of Object.keys(value)) copy[name] = bareCopy(value[name] as JsonValue);
  return copy;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether an object has a member of its own; works for bare objects too. */
export function hasMember(object: object, name: string): boolean {
  return Object.prototype.hasOwnProperty.call(object, name);
}

/** Equality of JSON values; members in any order. */
export function sameJson(a: JsonValue, b: JsonValue): boolean {
  if (a === b) return true;
  if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object') return false;
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false;
    return a.every((entry, index) => sameJson(entry, b[index] as JsonValue));
  }
  if (Array.isArray(b)) return false;
  const names = Object.keys(a);
  if (names.length !== Object.keys(b).length) return false;
  return names.every(
    (name) => hasMember(b, name) && sameJson(a[name] as JsonValue, b[name] as JsonValue),
  );
}

/** One text for equal JSON values, whatever the order of members: a key for sets. */
export function canonicalJson(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const members = Object.keys(value)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonicalJson(value[name] as JsonValue)}`);
  return `{${members.join()}}`;
}
