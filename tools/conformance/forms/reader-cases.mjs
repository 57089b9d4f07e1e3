// @ts-check
import { isDeepStrictEqual } from 'node:util';

/**
 * Cases of reading: what a urlencoded body says, how a schema's places are named.
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
export function readingVerdict(testCase, library) {
  const { kind, body, entries, expected } = testCase;
  if (kind === 'entries') {
    const reason = 'what a browser puts into a form: nothing of this project runs there';
    return { verdict: 'notApplicable', reason };
  }
  // What a browser writes must be read as what was meant, with the line breaks of forms.
  const written = kind === 'serialise';
  const wanted = written ? entries.map((/** @type {string[]} */ each) => each.map(crLf)) : expected;
  return compared(wanted, library.parseUrlencoded(written ? expected : body));
}

/** @param {string} text */
function crLf(text) {
  return text.replace(/\r\n|\r|\n/g, '\r\n');
}

/**
 * @param {FormCase} testCase
 * @param {FormDecoder} library
 * @returns {Verdict}
 */
export function placesVerdict(testCase, library) {
  if (testCase.cases !== undefined) return pointersVerdict(testCase, library);
  const plan = library.compileSchema(testCase.schema, { root: 'document' });
  const names = testCase.expected.map((/** @type {any} */ { path }) => path.replaceAll('#', '0'));
  const lost = names.filter(
    (/** @type {string} */ name) => plan.decode([[name, '']]).ignored.length > 0,
  );
  return compared([], lost);
}

/**
 * @param {FormCase} testCase
 * @param {FormDecoder} library
 * @returns {Verdict}
 */
function pointersVerdict({ cases }, library) {
  const names = cases.map((/** @type {string[]} */ [pointer, name]) => {
    try {
      return library.nameOfPointer(pointer);
    } catch (error) {
      return error instanceof RangeError && name?.startsWith('error') ? name : String(error);
    }
  });
  return compared(
    cases.map((/** @type {string[]} */ [, name]) => name),
    names,
  );
}

/**
 * @param {unknown} wanted
 * @param {unknown} got
 * @returns {Verdict}
 */
export function compared(wanted, got) {
  if (isDeepStrictEqual(wanted, got)) return { verdict: 'passed' };
  const reason = `wanted ${JSON.stringify(wanted)}, got ${JSON.stringify(got)}`.slice(0, 800);
  return { verdict: 'failed', reason };
}
