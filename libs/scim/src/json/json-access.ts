import { type JsonObject, type JsonValue } from './json.js';

/**
 * Reads and compares JSON whose keys come from a client. Nothing here follows the prototype chain.
 */

const UNSAFE_NAMES = new Set(['__proto__', 'constructor', 'prototype']);

/** True for names that must not become object keys, in any case. */
export function isUnsafeName(name: string): boolean {
  return UNSAFE_NAMES.has(name) || UNSAFE_NAMES.has(name.toLowerCase());
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value of an own property, or undefined. */
export function own(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** The own key that equals `name` without case; an exact match wins. */
export function findKey(object: object, name: string): string | undefined {
  if (Object.hasOwn(object, name)) {
    return name;
  }
  const wanted = name.toLowerCase();
  for (const key of Object.keys(object)) {
    if (key.length === wanted.length && key.toLowerCase() === wanted) {
      return key;
    }
  }
  return undefined;
}

/** Finds own keys without case, for many look-ups in one object. */
export function keyFinder(object: object): (name: string) => string | undefined {
  let keys: Map<string, string> | undefined;
  return (name) => {
    if (Object.hasOwn(object, name)) {
      return name;
    }
    keys ??= new Map(Object.keys(object).map((key) => [key.toLowerCase(), key]));
    return keys.get(name.toLowerCase());
  };
}

/** The value under `name` without case. */
export function ownAnyCase(object: JsonObject, name: string): JsonValue | undefined {
  const key = findKey(object, name);
  return key === undefined ? undefined : object[key];
}

/** A copy without some of its own properties. */
export function without(object: JsonObject, ...names: string[]): JsonObject {
  const copy = { ...object };
  names.forEach((name) => delete copy[name]);
  return copy;
}

/** Unassigned by RFC 7643 section 2.5: absent, null or an empty array. */
export function isUnassigned(value: JsonValue | undefined): value is null | undefined | [] {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}

/** Unassigned, or the empty text, by which Entra ID unassigns in PATCH. */
export function isBlank(value: JsonValue | undefined): boolean {
  return value === '' || isUnassigned(value);
}

/** A simple value or a list: what an attribute may have, but an extension may not. */
export function isAttributeValue(value: JsonValue | undefined): boolean {
  return !isUnassigned(value) && !isObject(value);
}

/** Deep equality of JSON. The order of keys is ignored, the order of elements is not. */
export function sameJson(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (a === b) {
    return true;
  }
  if (Array.isArray(a)) {
    return (
      Array.isArray(b) &&
      a.length === b.length &&
      a.every((item, index) => sameJson(item, b[index]))
    );
  }
  if (!isObject(a) || !isObject(b)) {
    return false;
  }
  const keys = Object.keys(a).filter((key) => a[key] !== undefined);
  const others = Object.keys(b).filter((key) => b[key] !== undefined);
  return (
    keys.length === others.length &&
    keys.every((key) => Object.hasOwn(b, key) && sameJson(a[key], b[key]))
  );
}

/** Folds text for comparisons that ignore case. Fill lower-case columns with it. */
export function foldCase(text: string): string {
  return text.toLowerCase();
}

const SURROGATE = /\p{Surrogate}/u;

/** False for text that PostgreSQL cannot store: U+0000 or half of a surrogate pair. */
export function isStorableText(text: string): boolean {
  return !text.includes('\u0000') && !SURROGATE.test(text);
}

/** The same text for all values that `sameJson` considers equal. */
export function canonicalText(value: JsonValue): string {
  return JSON.stringify(value, (_key, item: unknown) =>
    isObject(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  );
}
