import { bareObject, isObject } from '../model/bare-object.js';
import { pointerSegment, RESERVED_NAMES, nameOfPointer } from '../model/field-names.js';
import { type JsonObject, type JsonValue } from '../model/form-decoder.types.js';
import { type Location } from '../schema/location.js';
import { type RawEntry } from './raw-node.js';
import { ANY_TYPE } from '../schema/schema-node.js';
import { type Submission } from './submission.js';

/**
 * Takes JSON without conversion, except for white space around a trimmed format. Members that have no place, or that a form may not write,
 * are removed and listed; numbers that lost digits are refused.
 */
export function pruneJson(
  value: JsonValue,
  location: Location,
  pointer: string,
  origin: RawEntry,
  submission: Submission,
): JsonValue {
  if (typeof value === 'number') {
    if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
      submission.conflict(pointer, 'number.precision', { value });
    }
    return value === 0 ? 0 : value;
  }
  if (typeof value === 'string') return location.isTrimmed ? value.trim() : value;
  const { wide } = location;
  if (Array.isArray(value)) {
    return value.map((entry, index) =>
      pruneJson(entry, wide.item(index), `${pointer}/${index}`, origin, submission),
    );
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
    if (child === null || child.readOnly) submission.ignore(origin, nameOfPointer(place));
    else pruned[name] = pruneJson(object[name] as JsonValue, child, place, origin, submission);
  }
  return pruned;
}
