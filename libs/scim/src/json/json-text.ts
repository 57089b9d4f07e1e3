import { type JsonValue } from './json.js';

/**
 * Reads JSON without changing a number in silence. A number that a double does not hold, such as
 * 9007199254740993, 1e400 or 0.12345678901234567890, is read as Infinity, which the reader of its attribute
 * refuses by name.
 */

/** A number of 16 digits or more, or with an exponent; also in texts, which `exactNumbers` skips. */
const MAY_LOSE_DIGITS = /[:,[\s]-?\d(?:[\d.]{15}|[\d.]*[eE])/;
const QUOTE_OR_NUMBER = /"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
const DECIMAL = /^-?(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i;
/** Longer than any decimal with the digits of a double that is not written to take time. */
const NUMBER_LENGTH_MAX = 400;
const LOST = '1e999';

/** @throws SyntaxError when the text is no JSON */
export function parseJsonText(text: string): JsonValue {
  return JSON.parse(MAY_LOSE_DIGITS.test(text) ? exactNumbers(text) : text) as JsonValue;
}

/**
 * False for what `parseJsonText` cannot hold, and for a number beyond 2^53 of any other parser whose
 * digits may be rounded.
 */
export function isExactNumber(value: number): boolean {
  const isSafe = Math.abs(value) <= Number.MAX_SAFE_INTEGER;
  return isSafe || (Number.isFinite(value) && Number(value.toPrecision(15)) === value);
}

function exactNumbers(text: string): string {
  let result = '';
  let copied = 0;
  const tokens = new RegExp(QUOTE_OR_NUMBER);
  for (let match = tokens.exec(text); match !== null; match = tokens.exec(text)) {
    const [token] = match;
    if (token === '"') {
      tokens.lastIndex = endOfText(text, match.index + 1);
    } else if (!keepsDigits(token)) {
      result += text.slice(copied, match.index) + LOST;
      copied = tokens.lastIndex;
    }
  }
  return result + text.slice(copied);
}

/** Offset behind the quote that closes a text. */
function endOfText(text: string, start: number): number {
  let end = start;
  while (end < text.length && text[end] !== '"') {
    end += text[end] === '\\' ? 2 : 1;
  }
  return end + 1;
}

function keepsDigits(token: string): boolean {
  return (
    token.length <= NUMBER_LENGTH_MAX &&
    canonicalDecimal(token) === canonicalDecimal(String(Number(token)))
  );
}

/** The digits without zeros at either end, and the power of ten that they are multiplied by. */
function canonicalDecimal(text: string): string {
  const [, whole = '', fraction = '', exponent = '0'] = DECIMAL.exec(text) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  const power = Number(exponent) - fraction.length + digits.length - significant.length;
  return significant === '' ? '0' : `${significant}e${power}`;
}
