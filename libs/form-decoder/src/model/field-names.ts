/**
 * Field names and JSON pointers. A name is the property names joined with dots; `\.` is a dot inside
 * a property name and `\\` a backslash. Pointers are RFC 6901.
 */

/** Names that reach the prototype of ordinary objects: refused in schemas, ignored in forms. */
export const RESERVED_NAMES: ReadonlySet<string> = new Set([
  '__proto__',
  'constructor',
  'prototype',
]);

export function escapeSegment(segment: string): string {
  return segment.includes('.') || segment.includes('\\')
    ? segment.replaceAll('\\', '\\\\').replaceAll('.', '\\.')
    : segment;
}

/** A name as browsers send it: every line break is CR LF. */
export function asBrowsersSend(name: string): string {
  return name.replace(/\r\n?|\n/g, '\r\n');
}

/** `traits.a\.b.c` to `['traits', 'a.b', 'c']`. Linear; never throws. */
export function splitName(name: string): string[] {
  if (!name.includes('\\')) return name.split('.');
  const segments: string[] = [];
  let segment = '';
  for (let index = 0; index < name.length; index += 1) {
    const character = name[index] as string;
    if (character === '.') {
      segments.push(segment);
      segment = '';
    } else if (character === '\\' && (name[index + 1] === '.' || name[index + 1] === '\\')) {
      index += 1;
      segment += name[index] as string;
    } else {
      segment += character;
    }
  }
  segments.push(segment);
  return segments;
}

export function joinName(segments: readonly (string | number)[]): string {
  return segments
    .map((segment) => (typeof segment === 'number' ? String(segment) : escapeSegment(segment)))
    .join('.');
}

export function pointerSegment(segment: string): string {
  return segment.includes('~') || segment.includes('/')
    ? segment.replaceAll('~', '~0').replaceAll('/', '~1')
    : segment;
}

export function joinPointer(segments: readonly (string | number)[]): string {
  return segments.map((segment) => `/${pointerSegment(String(segment))}`).join('');
}

/**
 * The segments of a JSON pointer, plain (`/a/b`) or as a URI fragment (`#/a/b`).
 * Throws a RangeError for a pointer into another document.
 */
export function splitPointer(pointer: string): string[] {
  let path = pointer;
  if (path.startsWith('#')) {
    try {
      path = decodeURIComponent(path.slice(1));
    } catch {
      throw new RangeError(`"${pointer}" is not a JSON pointer`);
    }
  }
  if (path === '') return [];
  if (!path.startsWith('/')) throw new RangeError(`"${pointer}" points out of the document`);
  return path
    .slice(1)
    .split('/')
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** `/traits/emails/0/value` to `traits.emails.0.value`. Throws as `splitPointer` does. */
export function nameOfPointer(pointer: string): string {
  return splitPointer(pointer).map(escapeSegment).join('.');
}

const INDEXED = /^([^[\]]*)((?:\[\d*\])+)$/;

/**
 * The pointer of a name, without a schema: `traits.a[0].b` to `/traits/a/0/b`.
 *
 * @example
 * pointerOfName('traits.emails[0].value'); // '/traits/emails/0/value'
 */
export function pointerOfName(name: string): string {
  const segments = splitName(name).flatMap((segment) => {
    const indexed = INDEXED.exec(segment);
    if (indexed === null) return [segment];
    const indexes = (indexed[2] as string).slice(1, -1).split('][');
    return [indexed[1] as string, ...indexes].filter((part) => part !== '');
  });
  return joinPointer(segments);
}
