/**
 * Escaping by construction: `markup` is the only way to make markup here, and whatever is put into
 * it is escaped unless it was made by `markup` itself. Attributes go through `attributes`, so a
 * name or a value that was typed by a person can never become markup.
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
  // A browser cannot show it and a parser would drop it in silence.
  '\u0000': '\uFFFD',
};

const ATTRIBUTE_NAME = /^[a-z][a-z0-9-]*$/;
/** Those that were found right: no more than the pages write. */
const checkedNames = new Set<string>();

export const nothing = new Html('');

/** Escapes a text for element content and for quoted attribute values alike. */
export function escapeHtml(text: string): string {
  return MUST_ESCAPE.test(text)
    ? text.replace(ALL_TO_ESCAPE, (character) => ESCAPES[character] as string)
    : text;
}

/** Builds markup. Parts may be text (escaped), `Html`, lists of both; false, null and undefined vanish. */
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
 * @throws TypeError for a name that is no plain lower-case attribute name: names are ours, never input
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
