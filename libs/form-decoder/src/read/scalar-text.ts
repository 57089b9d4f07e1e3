import { type JsonValue } from '../model/form-decoder.types.js';

/** HTML number syntax, with a leading `+` and a trailing `.` allowed. */
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

/**
 * The words of Go's `ParseBool`, and `on` and `off`: a checkbox without a value sends `on`.
 * Undefined for any other text.
 */
export function booleanOf(text: string): boolean | undefined {
  switch (text) {
    case 'true':
    case '1':
    case 'on':
    case 't':
    case 'T':
    case 'TRUE':
    case 'True':
      return true;
    case 'false':
    case '0':
    case 'off':
    case 'f':
    case 'F':
    case 'FALSE':
    case 'False':
      return false;
    default:
      return undefined;
  }
}

/**
 * The number that a text writes. Undefined if it is not a number, overflows, or is a whole number
 * that a double may not hold exactly (beyond 2^53 - 1).
 */
export function numberOf(text: string, integer: boolean): number | undefined {
  if (!NUMBER.test(text)) return undefined;
  const value = Number(text);
  if (value === 0) return 0;
  if (integer) return Number.isSafeInteger(value) ? value : undefined;
  if (!Number.isFinite(value)) return undefined;
  return Math.abs(value) <= Number.MAX_SAFE_INTEGER || /[eE]/.test(text) ? value : undefined;
}

/** Whether `numberOf` refuses a number only because it would lose digits. */
export function losesDigits(text: string, integer: boolean): boolean {
  const trimmed = text.trim();
  if (!NUMBER.test(trimmed) || numberOf(trimmed, integer) !== undefined) return false;
  const value = Number(trimmed);
  return Number.isFinite(value) && Math.abs(value) > Number.MAX_SAFE_INTEGER;
}

/** The allowed value that a text means: as written, or by the syntax of the value's type. */
export function memberOf(members: readonly JsonValue[], text: string): JsonValue | undefined {
  for (const member of members) {
    if (typeof member === 'object' ? member === null && text === 'null' : String(member) === text) {
      return member;
    }
  }
  const trimmed = text.trim();
  const word = booleanOf(trimmed);
  const number = numberOf(trimmed, false);
  return members.find(
    (member) =>
      (typeof member === 'boolean' && member === word) ||
      (typeof member === 'number' && member === number),
  );
}
