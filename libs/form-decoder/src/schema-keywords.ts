/** The keywords of draft-07, by what stands in them. Any other keyword must begin with `x-`. */
export const SCHEMA_KEYWORDS: readonly string[] = [
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
export const SCHEMA_LIST_KEYWORDS: readonly string[] = ['allOf', 'anyOf', 'oneOf'];
export const SCHEMA_MAP_KEYWORDS: readonly string[] = [
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
  'multipleOf',
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
  'readOnly',
  'title',
  'uniqueItems',
  'writeOnly',
  'ory.sh/kratos',
];

const KNOWN = new Set<string>([
  ...SCHEMA_KEYWORDS,
  ...SCHEMA_LIST_KEYWORDS,
  ...SCHEMA_MAP_KEYWORDS,
  ...ASSERTION_KEYWORDS,
  ...OTHER_KEYWORDS,
]);

export function isKnownKeyword(keyword: string): boolean {
  return KNOWN.has(keyword) || keyword.startsWith('x-');
}
