// @ts-check
import { compared } from './reader-cases.mjs';

/**
 * Submissions of a sign-up and of a profile: which field carries which message, and what is shown.
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
export function flowVerdict(testCase, library) {
  const { input, expectedError, storedTraits = {}, nodeValues, expected } = testCase;
  if (input !== undefined) return messageVerdict(testCase, library);
  const plan = library.compileSchema(testCase.schema);
  const sent = { ...storedFields(storedTraits), ...testCase.fields };
  const decoded = plan.decode(sent);
  const errors = plan.errors(decoded);
  if (expectedError?.node === 'transient_payload') {
    const reason = 'names outside the traits have no place and are listed as ignored';
    const listed = decoded.ignored.includes('transient_payload');
    return listed ? { verdict: 'ruled', reason } : { verdict: 'failed', reason: 'not listed' };
  }
  const messages = errors.map((/** @type {any} */ { name, id }) => ({ node: name, messageId: id }));
  const wanted =
    expectedError === undefined
      ? []
      : [{ node: expectedError.node, messageId: expectedError.messageId }];
  const told = compared(wanted, messages);
  if (told.verdict === 'failed') return told;
  const shown = valuesShown(plan.form(decoded.value, errors, {}), library);
  const values = { ...nodeValues, ...textsOf(expected?.traits ?? {}) };
  return compared(
    values,
    Object.fromEntries(Object.keys(values).map((name) => [name, shown.get(name)])),
  );
}

/**
 * @param {any} model
 * @param {FormDecoder} library
 * @returns {Map<string, string>}
 */
function valuesShown(model, library) {
  return new Map(
    library
      .uiNodes(model)
      .map((/** @type {any} */ { attributes }) => [attributes.name, String(attributes.value)]),
  );
}

/** @param {Record<string, unknown>} traits */
function storedFields(traits) {
  return Object.fromEntries(Object.entries(textsOf(traits)).map(([name, text]) => [name, [text]]));
}

/** @param {Record<string, unknown>} traits */
function textsOf(traits) {
  return Object.fromEntries(
    Object.entries(traits).map(([name, value]) => [`traits.${name}`, String(value)]),
  );
}

/**
 * @param {FormCase} testCase
 * @param {FormDecoder} library
 * @returns {Verdict}
 */
function messageVerdict({ input, expected }, library) {
  if (input.kind !== 'schema') {
    const reason = 'errors of other kinds are problem documents, not messages of a form';
    return { verdict: 'notApplicable', reason };
  }
  const isPhone = input.schemaPtr?.includes('phone') === true;
  const pointer = (input.instance ?? '').replace(/^#/, '');
  const error = isPhone
    ? library.fieldError(pointer, 'format', { format: 'tel' })
    : library.fieldError(pointer, 'invalid');
  return compared(
    { node: expected.node ?? '', id: expected.id ?? expected.global },
    { node: error.name, id: error.id },
  );
}
