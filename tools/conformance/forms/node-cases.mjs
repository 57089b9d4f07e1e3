// @ts-check
import { compared } from './reader-cases.mjs';

/**
 * From a schema to the nodes of a form.
 *
 * @typedef {import('./types.mjs').FormCase} FormCase
 * @typedef {import('./types.mjs').FormDecoder} FormDecoder
 * @typedef {import('./types.mjs').Verdict} Verdict
 */

/**
 * @param {FormCase} testCase
 * @param {FormDecoder} library
 * @returns {Verdict}
 */
export function nodeVerdict(testCase, library) {
  const { propertyName, schema, input, expected } = testCase;
  if (input?.enumSize !== undefined) return enumVerdict(input.enumSize, expected, library);
  if (input !== undefined) return flattenedVerdict(testCase, library);
  if (propertyName !== undefined) {
    const { attributes } = nodesOf(
      { type: 'object', properties: { [propertyName]: schema } },
      library,
    )[0];
    const options = attributes.options?.map((/** @type {any} */ { value }) => value);
    const got = { ...attributes, options };
    return compared(
      expected,
      Object.fromEntries(Object.keys(expected).map((name) => [name, got[name]])),
    );
  }
  if (testCase.recommended === 'repeatable fieldset') {
    const [node] = library.compileSchema(schema, { root: 'document' }).form().nodes;
    if (schema.properties[propertyOf(schema)].items.properties !== undefined) {
      return compared('rows', node.kind);
    }
    const { verdict, reason } = compared('list', node.kind);
    const ruling = 'an object without properties has no fields to make a fieldset of: JSON text';
    return verdict === 'failed' ? { verdict, reason } : { verdict: 'ruled', reason: ruling };
  }
  const nodes = nodesOf(schema, library).map((/** @type {any} */ { attributes }) => ({
    name: attributes.name,
    type: attributes.type,
    ...(attributes.required === true ? { required: true } : {}),
  }));
  const byName = [...nodes].sort((a, b) => (a.name < b.name ? -1 : 1));
  const { verdict, reason } = compared(expected, byName);
  if (verdict === 'failed') return { verdict, reason };
  return {
    verdict: 'ruled',
    reason: 'fields stand in the order of the schema, not of the alphabet',
  };
}

/**
 * @param {any} schema
 * @param {FormDecoder} library
 */
function nodesOf(schema, library) {
  return library.uiNodes(library.compileSchema(schema, { root: 'document' }).form());
}

/**
 * @param {number} size
 * @param {any} expected
 * @param {FormDecoder} library
 * @returns {Verdict}
 */
function enumVerdict(size, expected, library) {
  const members = Array.from({ length: size }, (_, index) => `member ${index}`);
  const schema = { type: 'object', properties: { x: { enum: members } } };
  return compared(expected.options, nodesOf(schema, library)[0].attributes.options.length);
}

/**
 * @param {FormCase} testCase
 * @param {FormDecoder} library
 * @returns {Verdict}
 */
function flattenedVerdict({ input, expected }, library) {
  const plan = library.compileSchema(schemaOf(input), { root: 'document' });
  const values = library
    .uiNodes(plan.form(input))
    .map((/** @type {any} */ { attributes }) => [attributes.name, attributes.value])
    .filter((/** @type {any} */ [name]) => name in expected);
  return compared(sorted(expected), sorted(Object.fromEntries(values)));
}

/** @param {any} schema */
function propertyOf(schema) {
  return Object.keys(schema.properties)[0] ?? '';
}

/** @param {Record<string, unknown>} value */
function sorted(value) {
  return Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
}

/**
 * @param {any} value
 * @returns {any} a schema that the value fits
 */
function schemaOf(value) {
  if (Array.isArray(value)) return { type: 'array', items: schemaOf(value[0]) };
  if (typeof value !== 'object') return { type: typeof value };
  const properties = Object.entries(value).map(([name, member]) => [name, schemaOf(member)]);
  return { type: 'object', properties: Object.fromEntries(properties) };
}
