import { Buffer } from 'node:buffer';
import { isObject } from './bare-object.js';
import type { FieldError, FormLimits, JsonObject } from './form-decoder.types.js';
import { fieldError } from './messages/localize.js';

type Read = { document: JsonObject } | { conflict: FieldError };

/**
 * Whether a value that came as JSON can be decoded at all: an object within the limits of depth,
 * number of values, and length of names and texts. Walks without recursion, so that nothing can
 * exhaust the stack.
 */
export function readJsonForm(value: unknown, limits: FormLimits): Read {
  if (!isObject(value)) return { conflict: fieldError('', 'type', { types: ['object'] }) };
  let values = 0;
  const open: { value: unknown; depth: number }[] = [{ value, depth: 1 }];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const { value: current, depth } = place;
    if (current === null || typeof current !== 'object') {
      values += 1;
      if (values > limits.fieldsMax) return refused('limit.fields', limits.fieldsMax);
      if (isTooLong(current, limits.valueBytesMax)) {
        return refused('limit.value', limits.valueBytesMax);
      }
      continue;
    }
    if (depth > limits.depthMax) return refused('limit.depth', limits.depthMax);
    for (const [name, child] of Object.entries(current)) {
      if (isTooLong(name, limits.nameBytesMax)) return refused('limit.name', limits.nameBytesMax);
      open.push({ value: child, depth: depth + 1 });
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

function refused(code: string, limit: number): Read {
  return { conflict: fieldError('', code, { limit }) };
}
