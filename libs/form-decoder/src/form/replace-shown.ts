import { bareObject, canonicalJson, isObject, sameJson } from '../model/bare-object.js';
import { type JsonObject, type JsonValue } from '../model/form-decoder.types.js';
import { type Location } from '../schema/location.js';
import { TYPE } from '../schema/schema-node.js';
import { isSecret } from './secrets.js';

/**
 * The value after a form with every writable property was submitted: visible properties come from
 * `decoded` and are removed if missing there; hidden ones keep their stored value. A secret left
 * blank is kept, because the form never shows it. So is a value that returns as the form showed it:
 * `shown` is what the untouched form sends, decoded. `within` marks the whole value as
 * secret.
 */
export function replaceShown(
  stored: JsonObject,
  decoded: JsonObject,
  location: Location,
  shown?: JsonObject,
  within = false,
): JsonObject {
  const { wide } = location;
  const result = keptOf(stored, decoded, location, shown, within);
  for (const name of Object.keys(decoded)) {
    const child = wide.property(name);
    const before = stored[name];
    const after = decoded[name] as JsonValue;
    if (child?.readOnly === true) continue;
    const secret = within || (child !== null && isSecret(child, name));
    if (secret && before !== undefined && isLeftBlank(after)) continue;
    const value = afterForm(before, after, child, shown?.[name], secret);
    if (value !== undefined) result[name] = value;
  }
  return result;
}

function afterForm(
  before: JsonValue | undefined,
  after: JsonValue,
  child: Location | null,
  shown: JsonValue | undefined,
  secret = false,
): JsonValue | undefined {
  // An unticked box is an answer, so it adds its `false`, unless it may also stand for null.
  const isNullable = ((child?.wide.types ?? 0) & TYPE.null) !== 0;
  const isAnswer = before === undefined && typeof after === 'boolean' && !isNullable;
  if (shown !== undefined && !isAnswer && sameJson(after, shown)) return before;
  if (isObject(before) && isObject(after) && child !== null && hasFields(child)) {
    return replaceShown(before, after, child, isObject(shown) ? shown : undefined, secret);
  }
  return asStored(before, after, child, shown);
}

/** Values that the form does not show: hidden and read-only properties, secrets, and blanks. */
function keptOf(
  stored: JsonObject,
  decoded: JsonObject,
  { wide }: Location,
  shown: JsonObject | undefined,
  within: boolean,
): JsonObject {
  const result = bareObject();
  for (const name of Object.keys(stored)) {
    const child = wide.property(name);
    const before = stored[name] as JsonValue;
    const isBlank = shown !== undefined && shown[name] === undefined && decoded[name] === undefined;
    if (child === null || child.readOnly || within || isBlank || isSecret(child, name)) {
      result[name] = before;
    } else if (isObject(before) && hasFields(child) && decoded[name] === undefined) {
      const kept = replaceShown(before, bareObject(), child);
      if (Object.keys(kept).length > 0) result[name] = kept;
    }
  }
  return result;
}

/** Whether a form shows an object by its members; without declared members it is JSON text. */
function hasFields({ wide }: Location): boolean {
  return wide.isObject && wide.propertyNames.length > 0;
}

function isLeftBlank(value: JsonValue): boolean {
  return value === null || (Array.isArray(value) && value.length === 0);
}

function asStored(
  before: JsonValue | undefined,
  after: JsonValue,
  location: Location | null,
  shown: JsonValue | undefined,
): JsonValue {
  if (location === null || before === undefined || before === null) return after;
  if (Array.isArray(before) && Array.isArray(after)) {
    const seen = Array.isArray(shown) ? entriesShown(before, shown, location) : [];
    return entriesAsStored(before, after, location, seen);
  }
  if (typeof before === 'string' || JSON.stringify(before) !== after) return after;
  const type = Array.isArray(before) ? 'array' : (typeof before as 'boolean' | 'number' | 'object');
  return (location.wide.types & TYPE[type]) === 0 ? after : before;
}

/**
 * Rows move up when one is removed, so a row keeps its hidden properties only if all its visible ones
 * are unchanged: hidden properties of one row must never move to another.
 */
function entriesAsStored(
  before: readonly JsonValue[],
  after: readonly JsonValue[],
  { wide }: Location,
  shown: readonly (JsonValue | undefined)[],
): JsonValue[] {
  const known = new Map<string, number[]>();
  before.forEach((entry, index) => {
    const key = keyOf(shown[index] ?? entry, wide.item(index));
    const same = known.get(key);
    if (same === undefined) known.set(key, [index]);
    else same.push(index);
  });
  return after.map((entry, position) => {
    const item = wide.item(position);
    const index = known.get(keyOf(entry, item))?.shift();
    const row = index === undefined ? undefined : before[index];
    if (!isObject(entry) || !hasFields(item)) {
      return row ?? asStored(before[position], entry, item, undefined);
    }
    if (!isObject(row)) return entry;
    const seen = shown[index as number];
    return replaceShown(row, entry, item, isObject(seen) ? seen : undefined);
  });
}

/** The shown entry for each stored one; undefined for blank ones, which a form leaves out. */
function entriesShown(
  before: readonly JsonValue[],
  shown: readonly JsonValue[],
  { wide }: Location,
): (JsonValue | undefined)[] {
  if (shown.length === before.length) return [...shown];
  const blank = before.map((entry, index) => isBlank(entry, wide.item(index)));
  if (blank.filter((each) => !each).length !== shown.length) return [];
  const left = [...shown];
  return blank.map((each) => (each ? undefined : left.shift()));
}

function isBlank(entry: JsonValue, item: Location): boolean {
  if (isObject(entry) && hasFields(item)) return Object.keys(shownOf(entry, item)).length === 0;
  return entry === null || entry === '';
}

function keyOf(entry: JsonValue, item: Location): string {
  return canonicalJson(isObject(entry) && hasFields(item) ? shownOf(entry, item) : entry);
}

/** The visible, non-blank part of a value, which identifies a row. */
function shownOf(value: JsonObject, location: Location): JsonObject {
  const shown = bareObject();
  for (const name of Object.keys(value)) {
    const child = location.wide.property(name);
    const member = value[name] as JsonValue;
    if (child === null || child.readOnly || isSecret(child, name)) continue;
    if (member === null || member === false) continue;
    const part = isObject(member) && hasFields(child) ? shownOf(member, child) : member;
    if (typeof part !== 'object' || Object.keys(part).length > 0) shown[name] = part;
  }
  return shown;
}
