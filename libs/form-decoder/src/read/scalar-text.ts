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

/** Digits of which a double keeps all. */
const DIGITS_KEPT = 15;

/**
 * The number that a text writes. Undefined if it is not a number, is too large or too small for a double, or is a
 * whole number that a double may not hold exactly (beyond 2^53 - 1). Numbers that are not of type
 * integer may be larger if they lose no digit and have an exponent, or few digits before their zeros.
 * An `exact` number loses no digit.
 */
export function numberOf(text: string, integer: boolean, exact = false): number | undefined {
  if (!NUMBER.test(text)) return undefined;
  const value = Number(text);
  if (value === 0) return /^[^eE]*[1-9]/.test(text) ? undefined : 0;
  if (integer) {
    const isWhole = text.length <= DIGITS_KEPT || decimalOf(text).exponent >= 0;
    return isWhole && Number.isSafeInteger(value) ? value : undefined;
  }
  const isLarge = Math.abs(value) > Number.MAX_SAFE_INTEGER;
  if (!isLarge && !exact) return value;
  const { digits } = decimalOf(text);
  if (isLarge && !/[eE]/.test(text) && digits.length > DIGITS_KEPT) return undefined;
  return Number.isFinite(value) && keepsDigits(text, value) ? value : undefined;
}

/** Whether `numberOf` refuses a number only because it would lose digits. */
export function losesDigits(text: string, integer: boolean, exact = false): boolean {
  const trimmed = text.trim();
  if (!NUMBER.test(trimmed) || numberOf(trimmed, integer, exact) !== undefined) return false;
  const value = Number(trimmed);
  if (!integer) return Number.isFinite(value);
  return Number.isInteger(value);
}

/** Whether a value is a multiple of another, both as they are written in decimals. */
export function isMultipleOf(value: number, base: number): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(base)) return value % base === 0;
  const [dividend, divisor] = [decimalOf(String(value)), decimalOf(String(base))];
  const least = Math.min(dividend.exponent, divisor.exponent);
  const scaled = ({ digits, exponent }: Decimal): bigint =>
    BigInt(digits) * 10n ** BigInt(exponent - least);
  return scaled(dividend) % scaled(divisor) === 0n;
}

/** A number without its sign: digits without zeros around, times a power of ten. */
interface Decimal {
  readonly digits: string;
  readonly exponent: number;
}

/** Linear, unlike a pattern that looks for the zeros at the end. */
function decimalOf(text: string): Decimal {
  const [mantissa = '', power = '0'] = text.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.replace(/^[+-]/, '').split('.');
  const all = whole + fraction;
  let start = 0;
  let end = all.length;
  while (end > 0 && all[end - 1] === '0') end -= 1;
  while (start < end && all[start] === '0') start += 1;
  const exponent = Number(power) - fraction.length + all.length - end;
  return { digits: all.slice(start, end), exponent };
}

function keepsDigits(text: string, value: number): boolean {
  const [sent, kept] = [decimalOf(text), decimalOf(String(value))];
  return sent.digits === kept.digits && sent.exponent === kept.exponent;
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
