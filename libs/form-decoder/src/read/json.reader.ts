import { bareCopy } from '../model/bare-object.js';
import { RESERVED_NAMES } from '../model/field-names.js';
import { FormError } from '../model/form-decoder.errors.js';
import { type JsonObject, type JsonValue } from '../model/form-decoder.types.js';
import { textOfUtf8 } from './utf8.js';

export interface JsonReadOptions {
  /** Levels of objects and lists. Default 16. */
  depthMax?: number;
  /** Values altogether: objects, lists and scalars. Default 10,000. */
  valuesMax?: number;
  /** Two members of one name in an object: an error (default), or the last one counts. */
  duplicates?: 'refuse' | 'last';
  /** `__proto__`, `constructor`, `prototype` as a member: an error (default), or kept as plain data. */
  reserved?: 'refuse' | 'keep';
}

// A string with the colon that makes it a member name, a bracket, or another value. None of the
// parts can fail after it has matched, so the scan is linear; an open string takes the rest.
const TOKEN = /"[^"\\]*(?:\\[^][^"\\]*)*(?:"\s*(:)?|\\?$)|[{}[\]]|[^"{}[\]\s,:]+/g;

/** The numbers of documents that JavaScript writes otherwise than the sender did. */
const written = new WeakMap<object, Map<string, string>>();

/** A number as it was sent, in an object or list from `parseJson`; undefined if as JavaScript does. */
export function writtenNumber(container: object, key: string | number): string | undefined {
  return written.get(container)?.get(String(key));
}

/**
 * One JSON document (RFC 8259) to a value whose objects have no prototype members. A byte order
 * mark at the start is skipped; bytes must be UTF-8. `writtenNumber` returns the digits of numbers.
 * Throws FormError: `json`, `json.duplicate`, `json.reserved`, `limit.depth`, `encoding` (400),
 * `limit.fields` (413).
 *
 * @example
 * parseJson('{"a":[1,2]}'); // { a: [1, 2] }
 */
export function parseJson(source: string | Uint8Array, options: JsonReadOptions = {}): JsonValue {
  const sent = typeof source === 'string' ? source : textOfUtf8(source);
  const text = sent.startsWith('\uFEFF') ? sent.slice(1) : sent;
  const numbers = checkTokens(text, options);
  let value: JsonValue;
  try {
    value = bareCopy(JSON.parse(text) as JsonValue);
  } catch {
    throw new FormError('json', 400, 'The JSON text is malformed.');
  }
  for (const { path, token } of numbers) remember(value, path, token);
  return value;
}

/** A number that loses something when it is written again, and where it stands. */
interface SentNumber {
  readonly path: readonly (string | number)[];
  readonly token: string;
}

function remember(document: JsonValue, path: SentNumber['path'], token: string): void {
  let container: JsonValue | undefined = document;
  for (const key of path.slice(0, -1)) container = (container as JsonObject)[key];
  const key = path.at(-1);
  // A later member of the same name may have replaced the number.
  if (key === undefined || typeof container !== 'object' || container === null) return;
  if ((container as JsonObject)[key] !== Number(token)) return;
  const numbers = written.get(container) ?? new Map<string, string>();
  written.set(container, numbers.set(String(key), token));
}

/** An object or list that is open, and the member or entry that is being read. */
interface Frame {
  readonly names: Set<string> | null;
  key: string | number;
}

const NUMBER_START = /^[-\d]/;

/** Checks what `JSON.parse` does not, before it runs, so that depth and size are bounded. */
function checkTokens(text: string, options: JsonReadOptions): SentNumber[] {
  const { depthMax = 16, valuesMax = 10_000, duplicates, reserved } = options;
  const open: Frame[] = [];
  const numbers: SentNumber[] = [];
  let values = 0;
  for (const [token, colon] of text.matchAll(TOKEN)) {
    if (token === '}' || token === ']') {
      open.pop();
    } else if (colon !== undefined) {
      const member = memberName(token);
      const frame = open.at(-1);
      checkMember(member, frame?.names, duplicates, reserved);
      if (frame !== undefined) frame.key = member;
    } else {
      const frame = open.at(-1);
      if (frame !== undefined && typeof frame.key === 'number') frame.key += 1;
      values += 1;
      if (values > valuesMax) throw limitError('limit.fields', 413, valuesMax);
      if (token === '{') open.push({ names: new Set(), key: '' });
      else if (token === '[') open.push({ names: null, key: -1 });
      else if (NUMBER_START.test(token) && String(Number(token)) !== token) {
        numbers.push({ path: open.map(({ key }) => key), token });
      }
      if (open.length > depthMax) throw limitError('limit.depth', 400, depthMax);
    }
  }
  return numbers;
}

function checkMember(
  member: string,
  names: Set<string> | null | undefined,
  duplicates: JsonReadOptions['duplicates'],
  reserved: JsonReadOptions['reserved'],
): void {
  if (RESERVED_NAMES.has(member) && reserved !== 'keep') {
    const message = `The JSON text has a member "${member}".`;
    throw new FormError('json.reserved', 400, message, { member });
  }
  if (names?.has(member) === true && duplicates !== 'last') {
    throw new FormError('json.duplicate', 400, `The JSON text has "${member}" twice.`, { member });
  }
  names?.add(member);
}

/** The name; if its escapes are broken, as written, because `JSON.parse` refuses the text later. */
function memberName(token: string): string {
  const text = token.slice(0, token.lastIndexOf('"') + 1);
  if (!text.includes('\\')) return text.slice(1, -1);
  try {
    return JSON.parse(text) as string;
  } catch {
    return text;
  }
}

function limitError(code: 'limit.fields' | 'limit.depth', status: 400 | 413, limit: number) {
  const message =
    code === 'limit.fields'
      ? `The JSON text has more than ${limit} values.`
      : `The JSON text is nested deeper than ${limit}.`;
  return new FormError(code, status, message, { limit });
}
