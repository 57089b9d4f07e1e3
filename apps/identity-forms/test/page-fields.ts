/** The fields that a browser sends from a page, by the rules of the HTML standard. */

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
};
const CONTROLS =
  /<input\b([^>]*)>|<textarea\b([^>]*)>\n?([^<]*)<\/textarea>|<select\b([^>]*)>(.*?)<\/select>/gs;
const OPTIONS = /<option\b([^>]*)>/g;
const ATTRIBUTES = /([\w-]+)(?:="([^"]*)")?/g;

type Attributes = Readonly<Record<string, string | undefined>>;

export function sentBy(html: string): [string, string][] {
  const page = html.replace(/\r\n?/g, '\n');
  return [...page.matchAll(CONTROLS)].flatMap(
    ([, input, area, text = '', select, options = '']) => {
      const attributes = attributesOf(input ?? area ?? select ?? '');
      const { name } = attributes;
      if (name === undefined || 'disabled' in attributes) return [];
      if (select !== undefined) return [[name, chosen(options)]];
      const value = area === undefined ? valueOf(attributes) : decoded(text);
      return value === undefined ? [] : [[crlf(name), crlf(value)]];
    },
  );
}

function attributesOf(source: string): Attributes {
  return Object.fromEntries(
    [...source.matchAll(ATTRIBUTES)].map(([, name, value = '']) => [
      name as string,
      decoded(value),
    ]),
  );
}

function decoded(text: string): string {
  return text.replace(/&([a-z]+|#39);/g, (_, name: string) => ENTITIES[name] ?? `?${name}?`);
}

function chosen(source: string): string {
  const options = [...source.matchAll(OPTIONS)].map(([, each = '']) => attributesOf(each));
  return (options.find((each) => 'selected' in each) ?? options[0])?.['value'] ?? '';
}

/** Sanitized as its type demands; undefined if nothing is sent. */
function valueOf(attributes: Attributes): string | undefined {
  const { type, value = '' } = attributes;
  const line = value.replace(/\n/g, '');
  switch (type) {
    case 'checkbox':
    case 'radio':
      return 'checked' in attributes ? value : undefined;
    case 'hidden':
      return value;
    case 'email':
    case 'url':
      return line.trim();
    case 'number':
      return /^-?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?$/.test(value) ? value : '';
    case 'date':
      return /^\d{4}-\d\d-\d\d$/.test(value) ? value : '';
    case 'time':
      return /^\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?$/.test(value) ? value : '';
    case 'datetime-local':
      return /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?$/.test(value) ? value : '';
    default:
      return line;
  }
}

function crlf(text: string): string {
  return text.replace(/\r\n?|\n/g, '\r\n');
}
