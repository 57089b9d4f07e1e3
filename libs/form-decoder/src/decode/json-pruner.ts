import { bareObject, isObject } from '../model/bare-object.js';
import { pointerSegment, RESERVED_NAMES, nameOfPointer } from '../model/field-names.js';
import { type JsonObject, type JsonValue } from '../model/form-decoder.types.js';
import { type Location } from '../schema/location.js';
import { type RawEntry } from './raw-node.js';
import { writtenNumber } from '../read/json.reader.js';
import { losesDigits } from '../read/scalar-text.js';
import { ANY_TYPE, TYPE } from '../schema/schema-node.js';
import { type Submission } from './submission.js';

/**
 * Takes JSON without conversion, except for white space around a trimmed format. Members that have
 * no place, or that a form may not write, are removed and listed; numbers that lost digits are
 * refused. `written` is a number as it was sent, if JavaScript writes it otherwise.
 */
export function pruneJson(
  value: JsonValue,
  location: Location,
  pointer: string,
  origin: RawEntry,
  submission: Submission,
  written?: string,
): JsonValue {
  if (typeof value === 'number') {
    return pruneNumber(value, written, location, () => {
      submission.conflict(pointer, 'number.precision', { value: written ?? value });
    });
  }
  if (typeof value === 'string') return location.isTrimmed ? value.trim() : value;
  const { wide } = location;
  if (Array.isArray(value)) {
    return value.map((entry, index) => {
      const sent = typeof entry === 'number' ? writtenNumber(value, index) : undefined;
      return pruneJson(entry, wide.item(index), `${pointer}/${index}`, origin, submission, sent);
    });
  }
  return isObject(value) ? pruneObject(value, wide, pointer, origin, submission) : value;
}

function pruneObject(
  object: JsonObject,
  wide: Location,
  pointer: string,
  origin: RawEntry,
  submission: Submission,
): JsonObject {
  const pruned = bareObject();
  // An object where none is allowed stays: validation refuses it, so it is never stored.
  const anything = !wide.isObject || (wide.isFreeForm && wide.types === ANY_TYPE);
  for (const name of Object.keys(object)) {
    const place = `${pointer}/${pointerSegment(name)}`;
    const child = RESERVED_NAMES.has(name)
      ? null
      : (wide.member(name) ?? (anything ? wide.anything : null));
    if (child === null || child.readOnly) {
      submission.ignore(origin, nameOfPointer(place));
      continue;
    }
    const member = object[name] as JsonValue;
    const sent = typeof member === 'number' ? writtenNumber(object, name) : undefined;
    pruned[name] = pruneJson(member, child, place, origin, submission, sent);
  }
  return pruned;
}

function pruneNumber(
  value: number,
  written: string | undefined,
  { types, isExact }: Location,
  refuse: () => void,
): JsonValue {
  const text = written ?? String(value);
  if (!Number.isFinite(value)) {
    // Validation names a text where a number belongs, as it does in a form.
    if ((types & TYPE.string) !== 0) refuse();
    return text;
  }
  const isPlain = written === undefined && Math.abs(value) <= Number.MAX_SAFE_INTEGER;
  if (!isPlain && losesDigits(text, (types & TYPE.number) === TYPE.integer, isExact)) refuse();
  return value === 0 ? 0 : value;
}
