import {
  type FieldError,
  type JsonValue,
  nameOfPointer,
  RESERVED_NAMES,
} from '@gatehouse/form-decoder';

const DEPTH_MAX = 64;
// Lone surrogates and NUL: no text of PostgreSQL may hold them.
const UNSTORABLE =
  // eslint-disable-next-line no-control-regex -- NUL is what is looked for
  /\u0000|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/;

/**
 * What a value holds that JSON Schema lets pass and the database cannot keep: characters that no
 * text may hold, reserved member names, nesting without end.
 */
export function unstorable(value: JsonValue, pointer = '/traits', depth = 0): FieldError[] {
  if (typeof value === 'string') {
    if (!UNSTORABLE.test(value)) return [];
    return [fault(pointer, 'characters', 'Remove the characters that cannot be saved.')];
  }
  if (typeof value !== 'object' || value === null) return [];
  if (depth > DEPTH_MAX) return [fault(pointer, 'limit.depth', 'Too many levels.')];
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => unstorable(item, `${pointer}/${index}`, depth + 1));
  }
  return Object.entries(value).flatMap(([name, member]) => {
    const place = `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    if (RESERVED_NAMES.has(name))
      return [fault(place, 'name.reserved', `The name "${name}" is reserved.`)];
    if (UNSTORABLE.test(name)) return [fault(pointer, 'characters', 'A name cannot be saved.')];
    return unstorable(member, place, depth + 1);
  });
}

function fault(pointer: string, code: string, message: string): FieldError {
  return { pointer, name: nameOfPointer(pointer), code, id: 4_000_001, message, params: {} };
}
