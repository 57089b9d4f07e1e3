/**
 * Escaping by construction: `markup` is the only way to create markup, and it escapes every part that
 * it did not create itself. Attributes go through `attributes`, so input never becomes markup.
 */

/** A piece of finished markup. */
export class Html {
  constructor(readonly text: string) {}

  toString(): string {
    return this.text;
  }
}

export type HtmlPart = Html | string | number | false | null | undefined | readonly HtmlPart[];

export type AttributeValue = string | number | boolean | null | undefined;

// eslint-disable-next-line no-control-regex -- NUL is one of the characters to escape
const MUST_ESCAPE = /[&<>"'\u0000]/;
const ALL_TO_ESCAPE = new RegExp(MUST_ESCAPE, 'g');
const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  // Browsers cannot show it, and parsers drop it silently.
  '\u0000': '\uFFFD',
};

const ATTRIBUTE_NAME = /^[a-z][a-z0-9-]*$/;
/** Attribute names that passed the check; bounded, because only the pages add to it. */
const checkedNames = new Set<string>();

export const nothing = new Html('');

/** Escapes text for element content and quoted attribute values. */
export function escapeHtml(text: string): string {
  return MUST_ESCAPE.test(text)
    ? text.replace(ALL_TO_ESCAPE, (character) => ESCAPES[character] as string)
    : text;
}

/** Builds markup from text (escaped), `Html` and lists of both; false, null and undefined are dropped. */
export function markup(strings: TemplateStringsArray, ...parts: readonly HtmlPart[]): Html {
  let text = strings[0] as string;
  for (let index = 0; index < parts.length; index += 1) {
    text += textOf(parts[index]) + (strings[index + 1] as string);
  }
  return new Html(text);
}

/**
 * Writes ` name="value"` for each member; `true` writes the bare name; false, null and undefined
 * leave it out. Values are always quoted and escaped.
 *
 * @throws TypeError unless the name is a lower-case attribute name; names are never input
 */
export function attributes(values: Readonly<Record<string, AttributeValue>>): Html {
  let text = '';
  for (const name in values) {
    const value = values[name];
    if (value === undefined || value === null || value === false) continue;
    if (!checkedNames.has(name)) checkName(name);
    text += value === true ? ` ${name}` : ` ${name}="${escapeHtml(String(value))}"`;
  }
  return new Html(text);
}

function checkName(name: string): void {
  if (!ATTRIBUTE_NAME.test(name)) throw new TypeError(`"${name}" is no attribute name`);
  checkedNames.add(name);
}

function textOf(part: HtmlPart): string {
  if (part instanceof Html) return part.text;
  if (typeof part === 'string') return escapeHtml(part);
  if (typeof part === 'number') return String(part);
  if (Array.isArray(part)) {
    let text = '';
    for (const item of part as readonly HtmlPart[]) text += textOf(item);
    return text;
  }
  return '';
}
