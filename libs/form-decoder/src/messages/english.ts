import { counted, param, typeWords, type Catalog } from './catalog.js';

const TYPES = {
  string: 'a text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'yes or no',
  object: 'a group of fields',
  array: 'a list',
  null: 'empty',
};

export const ENGLISH: Catalog = {
  required: (f) => `“${f}” is required.`,
  minLength: (f, p) =>
    `“${f}” must have at least ${counted(p, 'limit', 'character', 'characters')}; it has ${param(p, 'actual')}.`,
  pattern: (f) => `“${f}” does not have the expected form.`,
  'identifier.taken': (f) =>
    `“${f}” is already in use. Choose another one, or sign in if it is yours.`,
  maxLength: (f, p) =>
    `“${f}” must have at most ${counted(p, 'limit', 'character', 'characters')}; it has ${param(p, 'actual')}.`,
  minimum: (f, p) => `“${f}” must be ${param(p, 'limit')} or more.`,
  exclusiveMinimum: (f, p) => `“${f}” must be more than ${param(p, 'limit')}.`,
  maximum: (f, p) => `“${f}” must be ${param(p, 'limit')} or less.`,
  exclusiveMaximum: (f, p) => `“${f}” must be less than ${param(p, 'limit')}.`,
  multipleOf: (f, p) => `“${f}” must be a multiple of ${param(p, 'base')}.`,
  maxItems: (f, p) => `“${f}” may have at most ${counted(p, 'limit', 'entry', 'entries')}.`,
  minItems: (f, p) => `“${f}” must have at least ${counted(p, 'limit', 'entry', 'entries')}.`,
  uniqueItems: (f) => `“${f}” has the same entry twice.`,
  type: (f, p) => `“${f}” must be ${typeWords(p, TYPES, 'or')}.`,
  'number.precision': (f) => `“${f}” has more digits than can be kept exactly.`,
  const: (f, p) =>
    p['expected'] === true ? `“${f}” must be ticked.` : `“${f}” must be ${param(p, 'expected')}.`,
  'format.email': (f) => `“${f}” must be an e-mail address, like name@example.com.`,
  'format.tel': (f) =>
    `“${f}” must be a phone number with its country code, like +44 20 7946 0958.`,
  'format.date': (f) => `“${f}” must be a date, like 2026-01-31.`,
  'format.date-time': (f) => `“${f}” must be a date and a time, like 2026-01-31T13:05.`,
  'format.time': (f) => `“${f}” must be a time, like 13:05.`,
  'format.uri': (f) => `“${f}” must be a web address, like https://example.com.`,
  format: (f, p) => `“${f}” is not a valid ${param(p, 'format')}.`,
  enum: (f, p) => `“${f}” must be one of: ${param(p, 'allowed')}.`,
  oneOf: (f) => `“${f}” fits more than one of the alternatives; only one is allowed.`,
  anyOf: (f) => `“${f}” fits none of the alternatives.`,
  not: (f) => `“${f}” has a value that is not allowed.`,
  contains: (f) => `“${f}” lacks an entry that it must have.`,
  additionalProperties: (f) => `“${f}” is not expected here.`,
  propertyNames: (f) => `“${f}” has a name that is not allowed.`,
  minProperties: (f, p) => `“${f}” must have at least ${counted(p, 'limit', 'field', 'fields')}.`,
  maxProperties: (f, p) => `“${f}” may have at most ${counted(p, 'limit', 'field', 'fields')}.`,
  'field.conflict': (f) => `“${f}” was sent both as one value and as several fields.`,
  'field.index': (f, p) => `“${f}” has the index “${param(p, 'index')}”, which is not a number.`,
  json: (f) => `“${f}” holds JSON text that cannot be read.`,
  'json.duplicate': (f, p) => `“${f}” holds JSON text with “${param(p, 'member')}” twice.`,
  'json.reserved': (f, p) =>
    `“${f}” holds JSON text with the reserved name “${param(p, 'member')}”.`,
  'limit.depth': (f, p) => `“${f}” is nested deeper than ${param(p, 'limit')} levels.`,
  'limit.rows': (f, p) => `“${f}” has more than ${param(p, 'limit')} rows.`,
  'limit.fields': (f, p) => `“${f}” has more than ${param(p, 'limit')} values.`,
  'limit.name': (f, p) => `“${f}” has a name longer than ${param(p, 'limit')} bytes.`,
  'limit.value': (f, p) => `“${f}” is longer than ${param(p, 'limit')} bytes.`,
  'limit.work': (f) => `“${f}” has too many combinations to be read.`,
  'text.control': (f) => `“${f}” has characters that cannot be stored.`,
  invalid: (f) => `“${f}” is not valid.`,
};
