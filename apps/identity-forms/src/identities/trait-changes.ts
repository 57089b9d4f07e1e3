import {
  type FieldError,
  fieldError,
  type JsonObject,
  type JsonValue,
  pointerSegment,
  RESERVED_NAMES,
} from '@gatehouse/form-decoder';

const DEPTH_MAX = 64;

/**
 * What is wrong with changes of traits before they are laid over the stored ones, and could not be
 * told of the result: reserved names, whole numbers that lost digits on the way, nesting without end.
 */
export function changeFaults(traits: JsonObject): FieldError[] {
  return faultsAt(traits, '/traits', 0);
}

function faultsAt(value: JsonValue, pointer: string, depth: number): FieldError[] {
  if (typeof value === 'number') {
    const isExact = !Number.isInteger(value) || Number.isSafeInteger(value);
    return isExact ? [] : [fieldError(pointer, 'number.precision')];
  }
  if (typeof value !== 'object' || value === null) return [];
  if (depth > DEPTH_MAX) return [fieldError(pointer, 'limit.depth', { limit: DEPTH_MAX })];
  if (Array.isArray(value)) {
    return value.flatMap((entry, index) => faultsAt(entry, `${pointer}/${index}`, depth + 1));
  }
  return Object.entries(value).flatMap(([member, inner]) =>
    RESERVED_NAMES.has(member)
      ? [fieldError(pointer, 'json.reserved', { member })]
      : faultsAt(inner, `${pointer}/${pointerSegment(member)}`, depth + 1),
  );
}
