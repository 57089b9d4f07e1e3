import { bareObject, canonicalJson, isObject, sameJson } from '../model/bare-object.js';
import { entryNumbers, numbered } from '../decode/entry-numbers.js';
import { asBrowsersSend, escapeSegment } from '../model/field-names.js';
import { type JsonObject, type JsonValue } from '../model/form-decoder.types.js';
import { type Location } from '../schema/location.js';
import { TYPE } from '../schema/schema-node.js';
import { isSecret } from './secrets.js';

/** A part of the value: its location, its field name, and what the untouched form sends for it. */
interface Part<Shown> {
  readonly location: Location;
  readonly name: string;
  readonly shown: Shown | undefined;
  /** Whether it is a secret or within one, which the form does not show. */
  readonly secret: boolean;
}

/**
 * The value after a form with every writable property was submitted: visible properties come from
 * `decoded` and are removed if missing there; hidden ones keep their stored value. A secret left
 * blank is kept, because the form never shows it. So is a value that returns as the form showed it.
 */
export class ShownReplacer {
  /**
   * @param isShownKnown whether parts know what the untouched form sends: nothing for a blank one
   * @param removed the rows that the untouched form sends and this one does not; undefined if it
   *   cannot be known
   */
  constructor(
    private readonly isShownKnown: boolean,
    private readonly removed: ReadonlySet<string> | undefined,
  ) {}

  replace(stored: JsonObject, decoded: JsonObject, part: Part<JsonObject>): JsonObject {
    const result = this.keptOf(stored, decoded, part);
    for (const name of Object.keys(decoded)) {
      const child = part.location.wide.property(name);
      const before = stored[name];
      const after = decoded[name] as JsonValue;
      if (child?.readOnly === true) continue;
      const secret = part.secret || (child !== null && isSecret(child, name));
      if (secret && before !== undefined && isLeftBlank(after)) continue;
      const value =
        child === null ? after : this.afterForm(before, after, member(part, name, child, secret));
      if (value !== undefined) result[name] = value;
    }
    return result;
  }

  private afterForm(
    before: JsonValue | undefined,
    after: JsonValue,
    part: Part<JsonValue>,
  ): JsonValue | undefined {
    const { location, shown } = part;
    // An unticked box is an answer, so it adds its `false`, unless it may also stand for null.
    const isNullable = (location.wide.types & TYPE.null) !== 0;
    const isAnswer = before === undefined && typeof after === 'boolean' && !isNullable;
    if (shown !== undefined && !isAnswer && sameJson(after, shown)) return before;
    if (isObject(before) && isObject(after) && hasFields(location)) {
      return this.replace(before, after, { ...part, shown: isObject(shown) ? shown : undefined });
    }
    if (Array.isArray(before) && Array.isArray(after)) {
      return this.entries(before, after, {
        ...part,
        shown: Array.isArray(shown) ? shown : undefined,
      });
    }
    return asStored(before, after, location);
  }

  /** Values that the form does not show: hidden and read-only properties, secrets, and blanks. */
  private keptOf(stored: JsonObject, decoded: JsonObject, part: Part<JsonObject>): JsonObject {
    const result = bareObject();
    for (const name of Object.keys(stored)) {
      const child = part.location.wide.property(name);
      const before = stored[name] as JsonValue;
      if (child === null || child.readOnly || part.secret || isSecret(child, name)) {
        result[name] = before;
      } else if (decoded[name] === undefined) {
        const kept = this.unsent(before, member(part, name, child, false));
        if (kept !== undefined) result[name] = kept;
      }
    }
    return result;
  }

  /** What is left of a visible value for which nothing was sent. */
  private unsent(before: JsonValue, part: Part<JsonValue>): JsonValue | undefined {
    const { shown } = part;
    const isBlank = this.isShownKnown && shown === undefined;
    if (this.isShownKnown && this.removed !== undefined && isFilledList(before)) {
      const list = Array.isArray(shown) ? shown : undefined;
      const kept = this.entries(before, [], { ...part, shown: isBlank ? [] : list });
      return kept.length > 0 ? kept : undefined;
    }
    if (isObject(before) && hasFields(part.location)) {
      const inner = { ...part, shown: isObject(shown) ? shown : undefined };
      const kept = this.replace(before, bareObject(), inner);
      const isEmpty = Object.keys(kept).length === 0;
      return isEmpty && !isBlank ? undefined : kept;
    }
    return isBlank ? before : undefined;
  }

  /**
   * An entry is the stored one of its number. A form that numbers its rows anew, and JSON, send an
   * unchanged entry under another number, so entries are first compared by what the form shows.
   */
  private entries(
    before: readonly JsonValue[],
    after: readonly JsonValue[],
    part: Part<readonly JsonValue[]>,
  ): JsonValue[] {
    const { wide } = part.location;
    const isBlank = this.isShownKnown && part.shown === undefined;
    const seen = entriesShown(before, isBlank ? [] : part.shown);
    const numbers = part.secret ? undefined : entryNumbers(after);
    const origins = originsOf(before, after, seen ?? [], numbers, wide);
    const claimed = new Set(origins);
    const result: [number: number, entry: JsonValue][] = after.map((entry, position) => {
      const item = wide.item(position);
      const number = numbers?.[position] ?? position;
      const origin = origins[position];
      if (origin === undefined) {
        const isRow = isObject(entry) && hasFields(item);
        return [number, isRow ? entry : asStored(before[position], entry, item)];
      }
      const name = `${part.name}.${origin}`;
      const entryPart = { location: item, name, shown: seen?.[origin], secret: part.secret };
      // A stored entry is never undefined, so neither is what becomes of it.
      return [number, this.afterForm(before[origin], entry, entryPart) as JsonValue];
    });
    if (numbers !== undefined || after.length === 0) {
      before.forEach((entry, index) => {
        const isUnseen = seen !== undefined && seen[index] === undefined && !claimed.has(index);
        if (isUnseen && this.isStillThere(`${part.name}.${index}`)) result.push([index, entry]);
      });
      result.sort(([a], [b]) => a - b);
    }
    const list = result.map(([, entry]) => entry);
    return numbered(list, numbers && result.map(([number]) => number));
  }

  private isStillThere(row: string): boolean {
    return this.removed?.has(asBrowsersSend(row)) === false;
  }
}

function member(
  { name, shown }: Part<JsonObject>,
  property: string,
  location: Location,
  secret: boolean,
): Part<JsonValue> {
  const segment = escapeSegment(property);
  return {
    location,
    name: name === '' ? segment : `${name}.${segment}`,
    shown: shown?.[property],
    secret,
  };
}

/** Whether a form shows an object by its members; without declared members it is JSON text. */
function hasFields({ wide }: Location): boolean {
  return wide.isObject && wide.propertyNames.length > 0;
}

function isLeftBlank(value: JsonValue): boolean {
  return value === null || (Array.isArray(value) && value.length === 0);
}

function isFilledList(value: JsonValue): value is JsonValue[] {
  return Array.isArray(value) && value.length > 0;
}

/** A value of another type that returns as the text by which the form shows it. */
function asStored(before: JsonValue | undefined, after: JsonValue, { wide }: Location): JsonValue {
  if (before === undefined || before === null) return after;
  if (typeof before === 'string' || JSON.stringify(before) !== after) return after;
  const type = Array.isArray(before) ? 'array' : (typeof before as 'boolean' | 'number' | 'object');
  return (wide.types & TYPE[type]) === 0 ? after : before;
}

/** The index of the stored entry that each entry comes from; undefined for a new one. */
function originsOf(
  before: readonly JsonValue[],
  after: readonly JsonValue[],
  seen: readonly (JsonValue | undefined)[],
  numbers: readonly number[] | undefined,
  wide: Location,
): (number | undefined)[] {
  const keys = before.map((entry, index) => keyOf(seen[index] ?? entry, wide.item(index)));
  const sent = after.map((entry, position) => keyOf(entry, wide.item(position)));
  const origins = after.map((_, position) => {
    const number = numbers?.[position];
    return number !== undefined && keys[number] === sent[position] ? number : undefined;
  });
  const free = new Set(before.keys());
  for (const origin of origins) if (origin !== undefined) free.delete(origin);
  const alike = new Map<string, number[]>();
  for (const index of free) {
    const key = keys[index] as string;
    const same = alike.get(key);
    if (same === undefined) alike.set(key, [index]);
    else same.push(index);
  }
  const moved = origins.map(
    (origin, position) => origin ?? alike.get(sent[position] as string)?.shift(),
  );
  for (const origin of moved) if (origin !== undefined) free.delete(origin);
  return moved.map((origin, position) => {
    const number = numbers?.[position];
    return origin ?? (number !== undefined && free.has(number) ? number : undefined);
  });
}

/**
 * The shown entry for each stored one; undefined for blank ones, which a form leaves out. Without numbers
 * and of another length, it is not clear which is which, so there is no list.
 */
function entriesShown(
  before: readonly JsonValue[],
  shown: readonly JsonValue[] | undefined,
): readonly (JsonValue | undefined)[] | undefined {
  if (shown === undefined) return undefined;
  const numbers = entryNumbers(shown);
  if (numbers === undefined) {
    return shown.length === before.length || shown.length === 0 ? shown : undefined;
  }
  const seen = new Map(numbers.map((number, position) => [number, shown[position]]));
  return before.map((_, index) => seen.get(index));
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
