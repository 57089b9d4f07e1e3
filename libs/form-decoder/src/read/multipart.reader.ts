import { Buffer, isUtf8 } from 'node:buffer';
import { FormError } from '../model/form-decoder.errors.js';
import { type FormEntry, type FormLimits } from '../model/form-decoder.types.js';
import { DEFAULT_FORM_LIMITS } from '../model/form-limits.js';
import { checkEntries } from './urlencoded.reader.js';
import { encodingError, textOfUtf8 } from './utf8.js';

const BOUNDARY = /;\s*boundary\s*=\s*(?:"([^"]+)"|([^\s;]+))/i;
const ENCODED = /^(?:base64|quoted-printable)$/i;
const OCTETS = 'application/octet-stream';
const LINE_END = '\r\n';
/** A line that begins with white space continues the one before (RFC 5322, section 2.2.3). */
const FOLD = /\r\n[ \t]+/g;
/** A field name and a colon (RFC 9110, section 5.1). */
const HEADER = /^([!#$%&'*+.^_`|~\w-]+)[ \t]*:([^]*)$/;
/** Browsers send a backslash at the end of a name as it is, before the closing quotation mark. */
const PARAMETER =
  /;[ \t]*([^\s;=]+)[ \t]*=[ \t]*(?:"((?:[^"\\]|\\[^])*)"(?=[ \t]*(?:;|$))|"([^"]*)"|([^\s;]*))/g;

/**
 * Reads `multipart/form-data` (RFC 7578) in the encoding of browsers (WHATWG HTML, section 4.10.21.8):
 * the names and values in the order of the body, as they were sent. A file control without a file is a
 * blank field. What comes before the first boundary and after the last one is left out (RFC 2046,
 * section 5.1.1).
 * Throws FormError: `limit.fields`, `limit.name`, `limit.value` (413), `encoding` (400), `file.part`
 * (400, with the `name` of the field), and `multipart` (400) for a body that is incomplete, or has a
 * part without a name, a broken header line, or a value in base64 or quoted-printable.
 *
 * @param contentType has the boundary
 */
export function parseMultipart(
  body: Uint8Array,
  contentType: string,
  limits: Partial<FormLimits> = {},
): FormEntry[] {
  const delimiter = `${LINE_END}--${boundaryOf(contentType)}`;
  if (body.length === 0) throw broken('The multipart body is empty.');
  const { fieldsMax = DEFAULT_FORM_LIMITS.fieldsMax } = limits;
  const isText = isUtf8(body);
  const text = LINE_END + (isText ? textOfUtf8(body) : Buffer.from(body).toString('latin1'));
  const entries: FormEntry[] = [];
  let start = endOfDelimiter(text, delimiter, 0);
  while (!text.startsWith('--', start)) {
    const headers = text.indexOf(LINE_END, start);
    if (headers === -1) throw broken();
    const value = text.indexOf(LINE_END + LINE_END, headers);
    const next = endOfDelimiter(text, delimiter, headers);
    const end = next - delimiter.length;
    if (value === -1 || value >= end || text.slice(start, headers).trim() !== '') throw broken();
    entries.push(entryOf(text.slice(headers, value), text.slice(value + 4, end)));
    if (entries.length > fieldsMax) break;
    start = next;
  }
  checkEntries(entries, limits);
  if (!isText) throw encodingError();
  return entries;
}

function boundaryOf(contentType: string): string {
  const [, quoted, plain] = BOUNDARY.exec(contentType) ?? [];
  const boundary = quoted ?? plain;
  if (boundary !== undefined) return boundary;
  throw broken('The Content-Type of the multipart body names no boundary.');
}

function endOfDelimiter(text: string, delimiter: string, from: number): number {
  const found = text.indexOf(delimiter, from);
  if (found === -1) throw broken();
  return found + delimiter.length;
}

/** @param lines of the header, each after the end of a line */
function entryOf(lines: string, value: string): FormEntry {
  const headers = headersOf(lines);
  const [type = '', ...rest] = (headers.get('content-disposition') ?? '').split(/(?=;)/);
  const parameters = new Map(
    Array.from(rest.join('').matchAll(PARAMETER), ([, key = '', escaped, quoted, plain = '']) => [
      key.toLowerCase(),
      escaped?.replaceAll(/\\(["\\])/g, '$1') ?? quoted ?? plain,
    ]),
  );
  const name = parameters.get('name');
  if (type.trim().toLowerCase() !== 'form-data' || name === undefined) {
    throw broken('A part of the multipart body has no field name.');
  }
  if (ENCODED.test(headers.get('content-transfer-encoding') ?? '')) {
    throw broken('Send the parts of the multipart body without Content-Transfer-Encoding.');
  }
  const filename = parameters.get('filename') ?? parameters.get('filename*');
  const isFile = filename !== undefined || headers.get('content-type') === OCTETS;
  const entry: FormEntry = [unescapeName(name), value];
  if (isFile && (filename || value !== '')) throw filePart(entry[0]);
  return entry;
}

function headersOf(lines: string): Map<string, string> {
  const headers = new Map<string, string>();
  for (const line of lines.replaceAll(FOLD, ' ').split(LINE_END)) {
    if (line === '') continue;
    const [, name, value = ''] = HEADER.exec(line) ?? [];
    if (name === undefined) {
      throw broken(
        `A part of the multipart body has a header line without a name: "${line.slice(0, 40)}".`,
      );
    }
    headers.set(name.toLowerCase(), value.trim());
  }
  return headers;
}

/** Browsers escape exactly three characters in multipart names: `"`, CR and LF. */
function unescapeName(name: string): string {
  return name.replaceAll('%22', '"').replaceAll('%0D', '\r').replaceAll('%0A', '\n');
}

function broken(message = 'The multipart body is malformed or incomplete.'): FormError {
  return new FormError('multipart', 400, message);
}

function filePart(longName: string): FormError {
  const name = longName.slice(0, DEFAULT_FORM_LIMITS.nameBytesMax);
  const message = `The field "${name}" is a file; this form takes none.`;
  return new FormError('file.part', 400, message, { name });
}
