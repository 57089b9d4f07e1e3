import {
  type FieldError,
  fieldError,
  type JsonObject,
  type JsonValue,
  pointerSegment,
  RESERVED_NAMES,
} from '@gatehouse/form-decoder';

/**
 * Faults of a change that the merged traits no longer show: reserved names, and whole numbers that
 * lost digits in JSON.
 */
export function changeFaults(traits: JsonObject): FieldError[] {
  return faultsAt(traits, '/traits');
}

function faultsAt(value: JsonValue, pointer: string): FieldError[] {
  if (typeof value === 'number') {
    const isExact = !Number.isInteger(value) || Number.isSafeInteger(value);
    return isExact ? [] : [fieldError(pointer, 'number.precision')];
  }
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) {
    return value.flatMap((entry, index) => faultsAt(entry, `${pointer}/${index}`));
  }
  return Object.entries(value).flatMap(([member, inner]) =>
    RESERVED_NAMES.has(member)
      ? [fieldError(pointer, 'json.reserved', { member })]
      : faultsAt(inner, `${pointer}/${pointerSegment(member)}`),
  );
}
