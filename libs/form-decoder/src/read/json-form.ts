import { Buffer } from 'node:buffer';
import { isObject } from '../model/bare-object.js';
import { pointerOfName, pointerSegment } from '../model/field-names.js';
import { type FieldError, type FormLimits, type JsonObject } from '../model/form-decoder.types.js';
import { fieldError } from '../messages/localize.js';

type Read = { document: JsonObject } | { conflict: FieldError };

/** A value inside a document. Its pointer is built only for errors. */
interface Place {
  value: unknown;
  depth: number;
  name: string;
  above: Place | null;
}

/**
 * Checks that a JSON value can be decoded: an object within the limits of depth, number of values,
 * and length of names and texts. Not recursive, so deep values cannot exhaust the stack.
 */
export function readJsonForm(value: unknown, limits: FormLimits): Read {
  if (!isObject(value)) return { conflict: fieldError('', 'type', { types: ['object'] }) };
  let values = 0;
  const open: Place[] = [{ value, depth: 1, name: '', above: null }];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const { value: current, depth } = place;
    if (current === null || typeof current !== 'object') {
      values += 1;
      if (values > limits.fieldsMax) return refused('limit.fields', limits.fieldsMax, null);
      if (isTooLong(current, limits.valueBytesMax)) {
        return refused('limit.value', limits.valueBytesMax, place);
      }
      continue;
    }
    if (depth > limits.depthMax) return refused('limit.depth', limits.depthMax, place);
    for (const [name, child] of Object.entries(current)) {
      if (isTooLong(name, limits.nameBytesMax)) {
        return refused('limit.name', limits.nameBytesMax, place);
      }
      open.push({ value: child, depth: depth + 1, name, above: place });
    }
  }
  return { document: value };
}

function isTooLong(text: unknown, bytesMax: number): boolean {
  return (
    typeof text === 'string' &&
    text.length * 3 > bytesMax &&
    Buffer.byteLength(text, 'utf8') > bytesMax
  );
}

function refused(code: string, limit: number, place: Place | null): Read {
  return { conflict: fieldError(pointerOf(place), code, { limit }) };
}

/** Members of the document are field names; members below them are plain property names. */
function pointerOf(place: Place | null): string {
  if (place === null || place.above === null) return '';
  if (place.above.above === null) return pointerOfName(place.name);
  return `${pointerOf(place.above)}/${pointerSegment(place.name)}`;
}
