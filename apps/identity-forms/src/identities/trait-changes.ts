import {
  type FieldError,
  fieldError,
  type JsonObject,
  type JsonValue,
  losesDigits,
  pointerSegment,
  RESERVED_NAMES,
  writtenNumber,
} from '@gatehouse/form-decoder';

/**
 * Faults of a change that the merged traits no longer show: reserved names, and numbers that lost
 * digits in JSON.
 */
export function changeFaults(traits: JsonObject): FieldError[] {
  return faultsAt(traits, '/traits');
}

function faultsAt(value: JsonValue, pointer: string): FieldError[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([member, inner]) => {
    if (RESERVED_NAMES.has(member)) return [fieldError(pointer, 'json.reserved', { member })];
    const place = `${pointer}/${pointerSegment(member)}`;
    if (typeof inner !== 'number') return faultsAt(inner, place);
    const text = writtenNumber(value, member) ?? String(inner);
    const isLost = !Number.isFinite(inner) || losesDigits(text, false);
    return isLost ? [fieldError(place, 'number.precision')] : [];
  });
}
