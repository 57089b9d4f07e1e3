/** JSON for readers: what is short is on one line. */

const LINE_CHARACTERS_MAX = 40;
const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

/** @param indent of the line on which the text begins */
export function json(value: unknown, indent = ''): string {
  return printed(value, JSON.stringify, indent);
}

/** The value in the notation of TypeScript. */
export function literal(value: unknown, indent = ''): string {
  return printed(value, memberName, indent);
}

export function memberName(name: string): string {
  return IDENTIFIER.test(name) ? name : JSON.stringify(name);
}

function printed(value: unknown, nameOf: (name: string) => string, indent: string): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    const items = value.map((item) => printed(item, nameOf, inner));
    return block('[', items, ']', indent);
  }
  const members = Object.entries(value).map(
    ([name, member]) => `${nameOf(name)}: ${printed(member, nameOf, inner)}`,
  );
  return block('{', members, '}', indent);
}

/** Parts between brackets. */
export function block(open: string, parts: readonly string[], close: string, indent = ''): string {
  if (parts.length === 0) return open + close;
  const line = parts.join(', ');
  const space = open === '{' ? ' ' : '';
  return line.length <= LINE_CHARACTERS_MAX && !line.includes('\n')
    ? open + space + line + space + close
    : `${open}\n${parts.map((part) => `${indent}  ${part}`).join(',\n')}\n${indent}${close}`;
}
