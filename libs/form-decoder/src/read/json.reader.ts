import { bareCopy } from '../model/bare-object.js';
import { RESERVED_NAMES } from '../model/field-names.js';
import { FormError } from '../model/form-decoder.errors.js';
import { type JsonValue } from '../model/form-decoder.types.js';
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

/**
 * One JSON document (RFC 8259) to a value whose objects have no prototype members. A byte order
 * mark at the start is skipped; bytes must be UTF-8.
 * Throws FormError: `json`, `json.duplicate`, `json.reserved`, `limit.depth`, `encoding` (400),
 * `limit.fields` (413).
 *
 * @example
 * parseJson('{"a":[1,2]}'); // { a: [1, 2] }
 */
export function parseJson(source: string | Uint8Array, options: JsonReadOptions = {}): JsonValue {
  const sent = typeof source === 'string' ? source : textOfUtf8(source);
  const text = sent.startsWith('\uFEFF') ? sent.slice(1) : sent;
  checkTokens(text, options);
  try {
    return bareCopy(JSON.parse(text) as JsonValue);
  } catch {
    throw new FormError('json', 400, 'The JSON text is malformed.');
  }
}

/** Checks what `JSON.parse` does not, before it runs, so that depth and size are bounded. */
function checkTokens(text: string, options: JsonReadOptions): void {
  const { depthMax = 16, valuesMax = 10_000, duplicates, reserved } = options;
  const open: (Set<string> | null)[] = [];
  let values = 0;
  for (const [token, colon] of text.matchAll(TOKEN)) {
    if (token === '}' || token === ']') {
      open.pop();
    } else if (colon !== undefined) {
      checkMember(memberName(token), open.at(-1), duplicates, reserved);
    } else {
      values += 1;
      if (values > valuesMax) throw limitError('limit.fields', 413, valuesMax);
      if (token === '{' || token === '[') open.push(token === '{' ? new Set() : null);
      if (open.length > depthMax) throw limitError('limit.depth', 400, depthMax);
    }
  }
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
