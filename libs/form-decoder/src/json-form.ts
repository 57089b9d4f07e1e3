import { isObject } from './bare-object.js';
import type { FieldError, FormLimits, JsonObject } from './form-decoder.types.js';
import { fieldError } from './messages/localize.js';

type Read = { document: JsonObject } | { conflict: FieldError };

/**
 * Whether a value that came as JSON can be decoded at all: an object within the limits of depth and
 * number of values. Walks without recursion, so that nothing can exhaust the stack.
 */
export function readJsonForm(value: unknown, limits: FormLimits): Read {
  if (!isObject(value)) return { conflict: fieldError('', 'type', { types: ['object'] }) };
  let values = 0;
  const open: { value: unknown; depth: number }[] = [{ value, depth: 1 }];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    if (place.value === null || typeof place.value !== 'object') {
      values += 1;
      if (values > limits.fieldsMax) {
        return { conflict: fieldError('', 'limit.fields', { limit: limits.fieldsMax }) };
      }
      continue;
    }
    if (place.depth > limits.depthMax) {
      return { conflict: fieldError('', 'limit.depth', { limit: limits.depthMax }) };
    }
    for (const child of Object.values(place.value)) {
      open.push({ value: child, depth: place.depth + 1 });
    }
  }
  return { document: value };
}
