/**
 * Turns what an HTML form sends into typed values, by a JSON Schema (draft-07), and turns the schema
 * into a form. Pure: no framework, no clock, no network, no state between calls.
 *
 * `compileSchema` makes a plan once; everything else is a function of the plan. Inside, each folder
 * uses only the ones before it:
 *
 *     model     types, errors, limits, names and JSON objects
 *     messages  error messages in four languages
 *     schema    the document as a graph of schemas, and the places of a value they apply to
 *     read      bodies, JSON text, numbers and times, within limits
 *     validate  ajv on a rewritten schema; one pointer and one code for each error
 *     decode    names to places, texts to values, the branch of a union that is meant
 *     form      the schema as a form, labels, order, secrets, identifiers
 *
 * @example
 * const plan = compileSchema({
 *   type: 'object',
 *   properties: {
 *     traits: {
 *       type: 'object',
 *       properties: { email: { type: 'string', format: 'email' }, age: { type: 'integer' } },
 *       required: ['email'],
 *     },
 *   },
 * });
 * const decoded = plan.decode(parseUrlencoded('traits.email=ada%40example.com&traits.age=36'));
 * decoded.value; // { traits: { email: 'ada@example.com', age: 36 } }
 * plan.errors(decoded); // []
 * plan.form(decoded.value); // the form with these values
 */
export { compileSchema } from './compile-schema.js';
export { identifierKeys } from './form/identifier-key.js';
export { uiNodes } from './form/ui-nodes.js';
export { rowsOf } from './form/sent-fields.js';
export { untouchedFields } from './form/untouched-fields.js';
export { fieldError } from './messages/localize.js';
export { sameJson } from './model/bare-object.js';
export { asBrowsersSend, pointerOfName } from './model/field-names.js';
export { FormError, SchemaError } from './model/form-decoder.errors.js';
export type * from './model/form-decoder.types.js';
export { DEFAULT_FORM_LIMITS } from './model/form-limits.js';
export { overlay } from './model/overlay.js';
export { type JsonReadOptions, parseJson } from './read/json.reader.js';
export { parseMultipart } from './read/multipart.reader.js';
export { isTimeZone } from './read/time-zone.js';
export { checkEntries, parseUrlencoded } from './read/urlencoded.reader.js';
