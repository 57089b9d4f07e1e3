import { Buffer, isUtf8 } from 'node:buffer';
import { FormError } from './form-decoder.errors.js';
import type { FormEntry, FormLimits } from './form-decoder.types.js';
import { DEFAULT_FORM_LIMITS } from './form-limits.js';
import { isWellFormed } from './text-check.js';
import { encodingError, textOfUtf8 } from './utf8.js';

/**
 * Reads `application/x-www-form-urlencoded` exactly as the WHATWG URL standard does (section 5.1),
 * and so as `URLSearchParams` does, with two differences: a leading `?` is data, and bytes that are
 * not UTF-8 are refused instead of replaced, because what is stored must be what was sent.
 */

const PERCENT = 0x25;
const HEX_DIGITS = '0123456789abcdef';

/**
 * Entries in the order of the body. A broken percent escape stays text, `;` does not separate.
 * Throws FormError: `limit.fields`, `limit.name`, `limit.value` (413), `encoding` (400).
 */
export function parseUrlencoded(
  body: string | Uint8Array,
  limits: Partial<FormLimits> = DEFAULT_FORM_LIMITS,
): FormEntry[] {
  const sent = typeof body === 'string' ? wellFormed(body) : textOfBytes(body);
  const text = sent.includes('+') ? sent.replaceAll('+', ' ') : sent;
  const fieldsMax = limits.fieldsMax ?? DEFAULT_FORM_LIMITS.fieldsMax;
  const nameBytesMax = limits.nameBytesMax ?? DEFAULT_FORM_LIMITS.nameBytesMax;
  const valueBytesMax = limits.valueBytesMax ?? DEFAULT_FORM_LIMITS.valueBytesMax;
  // Chosen here and not asked for each pair: the compiler of V8 moves a plain `includes` into the
  // loop, where it would search the whole text each time.
  const unescape = text.includes('%') ? unescapeText : asItIs;
  const entries: FormEntry[] = [];
  // One search for the next `=` serves all pairs before it, so that no text is searched twice.
  let equals = -2;
  let start = 0;
  while (start <= text.length) {
    const from = start;
    const ampersand = text.indexOf('&', from);
    const end = ampersand === -1 ? text.length : ampersand;
    start = end + 1;
    if (end === from) continue;
    if (equals !== -1 && equals < from) equals = text.indexOf('=', from);
    if (entries.length === fieldsMax) throw fieldsError(fieldsMax);
    const paired = equals !== -1 && equals < end;
    const name = unescape(text.slice(from, paired ? equals : end));
    const value = paired ? unescape(text.slice(equals + 1, end)) : '';
    if (tooLong(name, nameBytesMax)) throw nameError(name, nameBytesMax);
    if (tooLong(value, valueBytesMax)) throw valueError(name, valueBytesMax);
    entries.push([name, value]);
  }
  return entries;
}

/**
 * The limits of `parseUrlencoded` for entries that were read in another way, such as multipart.
 * Throws the same FormErrors.
 */
export function checkEntries(
  entries: readonly FormEntry[],
  limits: Partial<FormLimits> = DEFAULT_FORM_LIMITS,
): void {
  const fieldsMax = limits.fieldsMax ?? DEFAULT_FORM_LIMITS.fieldsMax;
  const nameBytesMax = limits.nameBytesMax ?? DEFAULT_FORM_LIMITS.nameBytesMax;
  const valueBytesMax = limits.valueBytesMax ?? DEFAULT_FORM_LIMITS.valueBytesMax;
  if (entries.length > fieldsMax) throw fieldsError(fieldsMax);
  for (const [name, value] of entries) {
    if (tooLong(name, nameBytesMax)) throw nameError(name, nameBytesMax);
    if (tooLong(value, valueBytesMax)) throw valueError(name, valueBytesMax);
  }
}

/** Browsers write `"`, CR and LF in multipart names as `%22`, `%0D`, `%0A`, and nothing else so. */
export function unescapeMultipartName(name: string): string {
  return name.replaceAll('%22', '"').replaceAll('%0D', '\r').replaceAll('%0A', '\n');
}

/**
 * WHATWG unescapes bytes, not characters: of one character some may be written out and some escaped.
 * With all of them escaped such a body is text, and each name and value is looked at by itself.
 */
function textOfBytes(body: Uint8Array): string {
  if (isUtf8(body)) return textOfUtf8(body);
  const target = Buffer.allocUnsafe(body.length * 3);
  let length = 0;
  for (const byte of body) {
    if (byte < 0x80) {
      target[length++] = byte;
    } else {
      target[length++] = PERCENT;
      target[length++] = HEX_DIGITS.charCodeAt(byte >> 4);
      target[length++] = HEX_DIGITS.charCodeAt(byte & 15);
    }
  }
  return target.toString('latin1', 0, length);
}

function asItIs(text: string): string {
  return text;
}

/** Nearly all escapes are of ASCII characters, which need no decoder. */
function unescapeText(text: string): string {
  let percent = text.indexOf('%');
  if (percent === -1) return text;
  let plain = '';
  let from = 0;
  while (percent !== -1) {
    const high = hexDigit(text.charCodeAt(percent + 1));
    const low = hexDigit(text.charCodeAt(percent + 2));
    if (high === -1 || high > 7 || low === -1) return unescapeAny(text);
    plain += text.slice(from, percent) + String.fromCharCode(high * 16 + low);
    from = percent + 3;
    percent = text.indexOf('%', from);
  }
  return plain + text.slice(from);
}

function unescapeAny(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return unescapeLoosely(text);
  }
}

/** For texts with a `%` that starts no escape, which stays; escapes that are no UTF-8 are refused. */
function unescapeLoosely(text: string): string {
  const source = Buffer.from(text, 'utf8');
  const target = Buffer.allocUnsafe(source.length);
  let length = 0;
  for (let index = 0; index < source.length; index += 1) {
    const byte = source[index] as number;
    const high = byte === PERCENT ? hexDigit(source[index + 1]) : -1;
    const low = high === -1 ? -1 : hexDigit(source[index + 2]);
    if (low === -1) {
      target[length] = byte;
    } else {
      target[length] = high * 16 + low;
      index += 2;
    }
    length += 1;
  }
  return textOfUtf8(target.subarray(0, length));
}

function hexDigit(byte: number | undefined): number {
  if (byte === undefined) return -1;
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}

/** A string with half a surrogate pair was not read from UTF-8. */
function wellFormed(text: string): string {
  if (isWellFormed(text)) return text;
  throw encodingError();
}

/** A UTF-16 unit is one to three bytes, so most texts need no counting. */
function tooLong(text: string, bytesMax: number): boolean {
  if (text.length * 3 <= bytesMax) return false;
  return text.length > bytesMax || Buffer.byteLength(text, 'utf8') > bytesMax;
}

function fieldsError(limit: number): FormError {
  return new FormError('limit.fields', 413, `The form has more than ${limit} fields.`, { limit });
}

function nameError(name: string, limit: number): FormError {
  const start = name.slice(0, 64);
  return new FormError(
    'limit.name',
    413,
    `A field name is longer than ${limit} bytes: "${start}…".`,
    { limit, name: start },
  );
}

function valueError(name: string, limit: number): FormError {
  return new FormError(
    'limit.value',
    413,
    `The value of "${name}" is longer than ${limit} bytes.`,
    { limit, name },
  );
}
