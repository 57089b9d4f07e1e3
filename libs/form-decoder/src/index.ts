/**
 * From a JSON Schema to a plan, and with the plan from what a form sends to a typed value, from a
 * value to errors that name fields, and from a schema to a form. Pure: no framework, no clock, no
 * network, no state between calls.
 */
export { compileSchema } from './compile-schema.js';
export * from './form-decoder.errors.js';
export * from './form-decoder.types.js';
export { nameOfPointer, pointerOfName, pointerSegment, RESERVED_NAMES } from './field-names.js';
export { DEFAULT_FORM_LIMITS, DEFAULT_SCHEMA_LIMITS } from './form-limits.js';
export { parseJson, type JsonReadOptions } from './json.reader.js';
export { fieldError, localizeError, pickLanguage } from './messages/localize.js';
export { overlay } from './overlay.js';
export { isTimeZone } from './time-zone.js';
export { uiNodes } from './ui-nodes.js';
export { checkEntries, parseUrlencoded, unescapeMultipartName } from './urlencoded.reader.js';
