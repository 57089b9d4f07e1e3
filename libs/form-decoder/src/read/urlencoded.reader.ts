import { Buffer, isUtf8 } from 'node:buffer';
import { FormError } from '../model/form-decoder.errors.js';
import { type FormEntry, type FormLimits } from '../model/form-decoder.types.js';
import { DEFAULT_FORM_LIMITS } from '../model/form-limits.js';
import { isWellFormed } from '../model/text-check.js';
import { encodingError, textOfUtf8 } from './utf8.js';

const {
  fieldsMax: FIELDS_MAX,
  nameBytesMax: NAME_BYTES_MAX,
  valueBytesMax: VALUE_BYTES_MAX,
} = DEFAULT_FORM_LIMITS;

/**
 * Reads `application/x-www-form-urlencoded` as the WHATWG URL standard (section 5.1) and
 * `URLSearchParams` do, with two differences: a leading `?` is data, and bytes that are not UTF-8 are
 * refused instead of replaced, so that what is stored is what was sent. Returns the entries in the
 * order of the body. A broken percent escape stays text; `;` does not separate.
 * Throws FormError: `limit.fields`, `limit.name`, `limit.value` (413), `encoding` (400).
 *
 * @example
 * parseUrlencoded('a=b+c&a=%C3%A9'); // [['a', 'b c'], ['a', 'é']]
 */
export function parseUrlencoded(
  body: string | Uint8Array,
  limits: Partial<FormLimits> = {},
): FormEntry[] {
  const { fieldsMax = FIELDS_MAX } = limits;
  const text = (typeof body === 'string' ? body : textOfBytes(body)).replaceAll('+', ' ');
  if (!isWellFormed(text)) throw encodingError();
  const entries: FormEntry[] = [];
  for (const pair of text.split('&')) {
    if (pair === '') continue;
    if (entries.length === fieldsMax) throw fieldsError(fieldsMax);
    const equals = pair.indexOf('=');
    const name = unescape(equals === -1 ? pair : pair.slice(0, equals));
    const value = equals === -1 ? '' : unescape(pair.slice(equals + 1));
    checkLengths(name, value, limits);
    entries.push([name, value]);
  }
  return entries;
}

/**
 * Applies the limits of `parseUrlencoded` to entries from another source, such as multipart.
 * Throws the same FormErrors.
 */
export function checkEntries(
  entries: readonly FormEntry[],
  limits: Partial<FormLimits> = {},
): void {
  const { fieldsMax = FIELDS_MAX } = limits;
  if (entries.length > fieldsMax) throw fieldsError(fieldsMax);
  for (const [name, value] of entries) checkLengths(name, value, limits);
}

/** One character may mix raw and escaped bytes; escaping the raw ones makes it readable. */
function textOfBytes(body: Uint8Array): string {
  if (isUtf8(body)) return textOfUtf8(body);
  const escape = (byte: string): string => `%${byte.charCodeAt(0).toString(16)}`;
  return Buffer.from(body)
    .toString('latin1')
    .replace(/[\x80-\xff]/g, escape);
}

function unescape(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return unescapeLoosely(text);
  }
}

/** A `%` that starts no escape stays. Escapes that are not UTF-8 are refused. */
function unescapeLoosely(text: string): string {
  try {
    return decodeURIComponent(text.replace(/%(?![0-9a-f]{2})/gi, '%25'));
  } catch {
    throw encodingError();
  }
}

function checkLengths(name: string, value: string, limits: Partial<FormLimits>): void {
  const { nameBytesMax = NAME_BYTES_MAX, valueBytesMax = VALUE_BYTES_MAX } = limits;
  if (isLonger(name, nameBytesMax)) {
    const params = { limit: nameBytesMax, name: name.slice(0, 64) };
    const message = `A field name is longer than ${nameBytesMax} bytes: "${params.name}…".`;
    throw new FormError('limit.name', 413, message, params);
  }
  if (isLonger(value, valueBytesMax)) {
    const message = `The value of "${name}" is longer than ${valueBytesMax} bytes.`;
    throw new FormError('limit.value', 413, message, { limit: valueBytesMax, name });
  }
}

/** A UTF-16 unit is one to three bytes, so most texts need no counting. */
function isLonger(text: string, bytesMax: number): boolean {
  return text.length * 3 > bytesMax && Buffer.byteLength(text, 'utf8') > bytesMax;
}

function fieldsError(limit: number): FormError {
  return new FormError('limit.fields', 413, `The form has more than ${limit} fields.`, { limit });
}
