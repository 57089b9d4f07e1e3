/** Finds where a text stops being JSON (RFC 8259), for people; the parser of the platform does not say. */
const SPACE = /[ \t\n\r]*/y;
const TOKEN =
  /[{}[\],:]|"(?:[^"\\\p{Cc}]|[\x7f-\x9f]|\\(?:["\\/bf]|[nrt]|u[0-9A-Fa-f]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/uy;

/** What may come next: a value, also the end of an empty list or object; a name; a colon; or more. */
type Expected = 'value' | 'item' | 'member' | 'name' | 'colon' | 'more';

/** The line and the column, from 1, of the first character that cannot be there; undefined in JSON. */
export function jsonFaultOf(text: string): string | undefined {
  const open: string[] = [];
  let expected: Expected | undefined = 'value';
  let at = 0;
  for (;;) {
    SPACE.lastIndex = at;
    SPACE.test(text);
    at = SPACE.lastIndex;
    if (at === text.length && expected === 'more' && open.length === 0) return undefined;
    TOKEN.lastIndex = at;
    if (!TOKEN.test(text)) break;
    expected = after(text.charAt(at), expected, open);
    if (expected === undefined) break;
    at = TOKEN.lastIndex;
  }
  const lines = text.slice(0, at).split('\n');
  return `line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1}`;
}

const CLOSING: Readonly<Record<string, string>> = { '{': '}', '[': ']' };
const INSIDE: Readonly<Record<string, Expected>> = { '}': 'member', ']': 'item' };

/** What may follow a token; undefined if the token itself cannot be there. */
function after(token: string, expected: Expected, open: string[]): Expected | undefined {
  const inside = INSIDE[token];
  if (inside !== undefined) {
    return (expected === inside || expected === 'more') && open.pop() === token
      ? 'more'
      : undefined;
  }
  if (token === ',') {
    if (expected !== 'more' || open.length === 0) return undefined;
    return open.at(-1) === '}' ? 'name' : 'value';
  }
  if (token === ':') return expected === 'colon' ? 'value' : undefined;
  if (expected === 'value' || expected === 'item') return afterValue(CLOSING[token], open);
  return token === '"' && (expected === 'member' || expected === 'name') ? 'colon' : undefined;
}

/** @param closing how a list or an object will end; undefined for any other value */
function afterValue(closing: string | undefined, open: string[]): Expected | undefined {
  if (closing === undefined) return 'more';
  open.push(closing);
  return INSIDE[closing];
}
