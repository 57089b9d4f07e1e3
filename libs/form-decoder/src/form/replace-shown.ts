import { bareObject, canonicalJson, isObject } from '../model/bare-object.js';
import { type JsonObject, type JsonValue } from '../model/form-decoder.types.js';
import { type Location } from '../schema/location.js';
import { TYPE } from '../schema/schema-node.js';
import { isSecret } from './secrets.js';

/**
 * The value after a form with every writable property was submitted: visible properties come from
 * `decoded` and are removed if missing there; hidden ones keep their stored value. A secret left
 * blank is kept, because the form never shows it. So is a value that returns as the text the form
 * showed for it. `within` marks the whole value as secret.
 */
export function replaceShown(
  stored: JsonObject,
  decoded: JsonObject,
  location: Location,
  within = false,
): JsonObject {
  const { wide } = location;
  const result = keptOf(stored, decoded, location, within);
  for (const name of Object.keys(decoded)) {
    const child = wide.property(name);
    const before = stored[name];
    const after = decoded[name] as JsonValue;
    if (child?.readOnly === true) continue;
    const secret = within || (child !== null && isSecret(child, name));
    if (secret && before !== undefined && isLeftBlank(after)) continue;
    result[name] =
      isObject(before) && isObject(after) && child !== null && hasFields(child)
        ? replaceShown(before, after, child, secret)
        : asStored(before, after, child);
  }
  return result;
}

/** Values that the form does not show: hidden and read-only properties, and secrets. */
function keptOf(
  stored: JsonObject,
  decoded: JsonObject,
  { wide }: Location,
  within: boolean,
): JsonObject {
  const result = bareObject();
  for (const name of Object.keys(stored)) {
    const child = wide.property(name);
    const before = stored[name] as JsonValue;
    if (child === null || child.readOnly || within || isSecret(child, name)) {
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
): JsonValue {
  if (location === null || before === undefined || before === null) return after;
  if (Array.isArray(before) && Array.isArray(after)) {
    return entriesAsStored(before, after, location);
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
): JsonValue[] {
  const rows = new Map<string, JsonObject[]>();
  before.forEach((entry, index) => {
    if (!isObject(entry) || !hasFields(wide.item(index))) return;
    const shown = canonicalJson(shownOf(entry, wide.item(index)));
    const same = rows.get(shown);
    if (same === undefined) rows.set(shown, [entry]);
    else same.push(entry);
  });
  return after.map((entry, index) => {
    const item = wide.item(index);
    if (!isObject(entry) || !hasFields(item)) return asStored(before[index], entry, item);
    const row = rows.get(canonicalJson(shownOf(entry, item)))?.shift();
    return row === undefined ? entry : replaceShown(row, entry, item);
  });
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
