import { bareObject, isObject } from '../model/bare-object.js';
import { pointerSegment } from '../model/field-names.js';
import { type JsonObject, type JsonValue } from '../model/form-decoder.types.js';
import { entryNumbers, numbered } from '../decode/entry-numbers.js';
import { isTitledChoice } from './labels.js';
import { type Location } from '../schema/location.js';

/**
 * A page sends something for every control: `false` for an unticked box, the blank of a list, the
 * fixed value of a hidden field. An optional object with nothing else was left out by the user. It
 * is removed if it has errors; otherwise it stays, because an unticked box means false.
 */
export function withoutUntouched(
  value: JsonObject,
  location: Location,
  faults: ReadonlySet<string>,
  pointer = '',
): JsonObject {
  const result = bareObject();
  for (const name of Object.keys(value)) {
    const member = value[name] as JsonValue;
    const child = location.wide.member(name);
    const place = `${pointer}/${pointerSegment(name)}`;
    const optional = !location.required.has(name);
    if (child === null || !faults.has(place)) {
      result[name] = member;
    } else if (!optional || !isLeftOut(member, child)) {
      const kept = within(member, child, faults, place);
      // The page shows the required rows of the list, and none of them was filled in.
      if (!optional || !isEmptied(member, kept)) result[name] = kept;
    }
  }
  return result;
}

/** The places of errors and all their ancestors. */
export function placesAround(pointers: readonly string[]): ReadonlySet<string> {
  const places = new Set<string>();
  for (const pointer of pointers) {
    for (let place = pointer; place !== '' && !places.has(place);) {
      places.add(place);
      place = place.slice(0, place.lastIndexOf('/'));
    }
  }
  return places;
}

function within(
  value: JsonValue,
  location: Location,
  faults: ReadonlySet<string>,
  pointer: string,
): JsonValue {
  if (isObject(value)) return withoutUntouched(value, location, faults, pointer);
  if (!Array.isArray(value)) return value;
  const kept: JsonValue[] = [];
  const sent = entryNumbers(value);
  const numbers: number[] = [];
  value.forEach((entry, index) => {
    const place = `${pointer}/${index}`;
    const item = location.wide.item(index);
    const isFaulty = faults.has(place);
    if (isFaulty && isLeftOut(entry, item)) return;
    kept.push(isFaulty ? within(entry, item, faults, place) : entry);
    numbers.push(sent?.[index] ?? index);
  });
  return numbered(kept, sent && numbers);
}

function isEmptied(before: JsonValue, after: JsonValue): boolean {
  return Array.isArray(before) && before.length > 0 && Array.isArray(after) && after.length === 0;
}

function isLeftOut(value: JsonValue, location: Location): boolean {
  return isObject(value) && isUntouched(value, location);
}

function isUntouched(value: JsonValue, location: Location): boolean {
  if (value === null || (value === false && !isTitledChoice(location.wide))) return true;
  if (Array.isArray(value)) return value.length === 0;
  if (!isObject(value)) return isFixed(value, location);
  return Object.keys(value).every((name) => {
    const child = location.wide.member(name);
    return child !== null && isUntouched(value[name] as JsonValue, child);
  });
}

/** Whether a form has no control for a value, because only one is allowed. */
function isFixed(value: JsonValue, { wide }: Location): boolean {
  const { members } = wide;
  return members?.length === 1 && members[0] === value && typeof value !== 'boolean';
}
