import { isObject } from '../model/bare-object.js';
import { splitPointer } from '../model/field-names.js';
import { type JsonValue, type Language } from '../model/form-decoder.types.js';
import { type Location } from '../schema/location.js';

const INDEX = /^\d+$/;

/**
 * `x-i18n` in the language, else the keyword itself. Branches count only if they agree: titles of
 * alternatives distinguish them and do not name the place.
 */
export function textOf(
  location: Location,
  keyword: 'title' | 'description',
  language: Language,
): string | undefined {
  const { main, alt } = location.wide;
  const said: Record<string, JsonValue | undefined> = {};
  for (const { source } of main) {
    said[keyword] ??= source[keyword];
    said['x-i18n'] ??= source['x-i18n'];
  }
  const own = textIn(said, keyword, language);
  if (own !== undefined) return own;
  const texts = new Set(alt.map(({ source }) => textIn(source, keyword, language)));
  texts.delete(undefined);
  return texts.size === 1 ? [...texts][0] : undefined;
}

export function textOfMember(member: JsonValue): string {
  return typeof member === 'string' ? member : JSON.stringify(member);
}

/** The title of one of several allowed values, where its `const` has one. */
export function titleOfMember(
  location: Location,
  member: JsonValue,
  language: Language,
): string | undefined {
  for (const { source } of [...location.main, ...location.alt]) {
    // A branch may have the value without a title; another schema of the place may have one.
    const title = source['const'] === member ? textIn(source, 'title', language) : undefined;
    if (title !== undefined) return title;
  }
  return undefined;
}

/** Whether a boolean is a choice between answers that have titles, not a box to tick. */
export function isTitledChoice({ main, alt, members }: Location): boolean {
  const answers = members?.filter((member) => member !== null) ?? [];
  const titled = [...main, ...alt].some(
    ({ source }) => 'const' in source && ('title' in source || 'x-i18n' in source),
  );
  return titled && new Set(answers).size > 1;
}

function textIn(
  source: Readonly<Record<string, JsonValue | undefined>>,
  keyword: 'title' | 'description',
  language: Language,
): string | undefined {
  const translations = source['x-i18n'];
  const translated = isObject(translations) ? translations[language] : undefined;
  const text = isObject(translated) ? translated[keyword] : undefined;
  if (typeof text === 'string' && text !== '') return text;
  const own = source[keyword];
  return typeof own === 'string' && own !== '' ? own : undefined;
}

/** The title of a property, or its name in words: `firstName` and `first_name` to "First name". */
export function labelOf(location: Location | null, name: string, language: Language): string {
  const title = location === null ? undefined : textOf(location, 'title', language);
  if (title !== undefined) return title;
  const words = name
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .replace(/[_-]+/g, ' ')
    .trim();
  if (words === '') return name;
  const lower = words.replace(/\p{Lu}(?=\p{Ll})/gu, (letter) => letter.toLowerCase());
  return lower.charAt(0).toUpperCase() + lower.slice(1);
}

/** The place at a pointer, considering every branch, or null. */
export function locationAt(root: Location, pointer: string): Location | null {
  let location: Location | null = root;
  for (const segment of splitPointer(pointer)) {
    if (location === null) return null;
    const { wide }: Location = location;
    location =
      wide.member(segment) ??
      (wide.isArray && INDEX.test(segment) ? wide.item(Number(segment)) : null);
  }
  return location;
}

/** The label of the field at a pointer; for a list entry that of the list and a number. */
export function labelAt(root: Location, pointer: string, language: Language): string {
  const segments = splitPointer(pointer);
  const last = segments.at(-1);
  if (last === undefined) return labelOf(root, 'form', language);
  const location = locationAt(root, pointer);
  if (INDEX.test(last)) {
    const parent = pointer.slice(0, pointer.lastIndexOf('/'));
    const list = locationAt(root, parent);
    if (list?.wide.isArray === true) {
      const number = Number(last) + 1;
      const title = location === null ? undefined : textOf(location, 'title', language);
      return `${title ?? labelAt(root, parent, language)} ${number}`;
    }
  }
  return labelOf(location, last, language);
}
