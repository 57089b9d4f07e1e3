import { isObject } from '../model/bare-object.js';
import { type JsonValue } from '../model/form-decoder.types.js';

/** The keywords of draft-07, grouped by the type of their value. */
const SCHEMA_KEYWORDS: readonly string[] = [
  'additionalItems',
  'additionalProperties',
  'contains',
  'else',
  'if',
  'items',
  'not',
  'propertyNames',
  'then',
];
const SCHEMA_LIST_KEYWORDS: readonly string[] = ['allOf', 'anyOf', 'oneOf'];
const SCHEMA_MAP_KEYWORDS: readonly string[] = [
  'definitions',
  '$defs',
  'dependencies',
  'patternProperties',
  'properties',
];

/** Checked as they are by the validator. */
export const ASSERTION_KEYWORDS: readonly string[] = [
  'exclusiveMaximum',
  'exclusiveMinimum',
  'maxItems',
  'maxLength',
  'maxProperties',
  'maximum',
  'minItems',
  'minLength',
  'minProperties',
  'minimum',
  'pattern',
  'required',
  'type',
];

const OTHER_KEYWORDS: readonly string[] = [
  '$comment',
  '$id',
  '$ref',
  '$schema',
  'const',
  'contentEncoding',
  'contentMediaType',
  'default',
  'description',
  'enum',
  'examples',
  'format',
  'multipleOf',
  'readOnly',
  'title',
  'uniqueItems',
  'writeOnly',
  'ory.sh/kratos',
];

/** Keywords of our own, whose misspelling would go unnoticed. */
const FORM_KEYWORDS: readonly string[] = [
  'x-autocomplete',
  'x-i18n',
  'x-identifier',
  'x-immutable',
  'x-order',
  'x-theme',
];

export const KNOWN_KEYWORDS: ReadonlySet<string> = new Set([
  ...FORM_KEYWORDS,
  ...SCHEMA_KEYWORDS,
  ...SCHEMA_LIST_KEYWORDS,
  ...SCHEMA_MAP_KEYWORDS,
  ...ASSERTION_KEYWORDS,
  ...OTHER_KEYWORDS,
]);

/** The error of the value of an `x-` keyword; null if it is valid. */
export function keywordFault(keyword: string, value: JsonValue): string | null {
  switch (keyword) {
    case 'x-identifier':
    case 'x-immutable':
      return typeof value === 'boolean' ? null : `"${keyword}" must be true or false`;
    case 'x-order':
      return typeof value === 'number' ? null : '"x-order" must be a number';
    case 'x-i18n':
      return isTranslations(value)
        ? null
        : '"x-i18n" must be like {"de": {"title": "…", "description": "…"}}';
    default:
      return null;
  }
}

function isTranslations(value: JsonValue): boolean {
  return (
    isObject(value) &&
    Object.values(value).every(
      (texts) => isObject(texts) && Object.values(texts).every((text) => typeof text === 'string'),
    )
  );
}
