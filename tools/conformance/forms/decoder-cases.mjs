// @ts-check
import { kratosErrors, sameErrors, sameValue, wantedErrors } from './compare.mjs';
import { notOffered, rulingFor } from './rulings.mjs';

/**
 * Cases of a decoder: a schema, a body, and what comes out.
 *
 * @typedef {import('./types.mjs').FormCase} FormCase
 * @typedef {import('./types.mjs').FormDecoder} FormDecoder
 * @typedef {import('./types.mjs').Result} Result
 * @typedef {import('./types.mjs').Verdict} Verdict
 */

const FORM = 'application/x-www-form-urlencoded';
const REPEATED = /^\((\d+) times (.+)\)$/;

/**
 * @param {FormCase} testCase
 * @param {FormDecoder} library
 * @returns {Verdict}
 */
export function decoderVerdict(testCase, library) {
  const reason = notOffered(testCase);
  if (reason === null) return verdictOf(testCase, decoded(testCase, library));
  // Where an option that is not here makes no difference, the case counts like any other.
  const same = testCase.schema != null && isAsWanted(testCase, decoded(testCase, library));
  return same ? { verdict: 'passed' } : { verdict: 'notApplicable', reason };
}

/**
 * @param {FormCase} testCase
 * @param {Result} result
 * @returns {Verdict}
 */
export function verdictOf(testCase, result) {
  const ruling = rulingFor(testCase);
  const fault = ruling === null ? difference(testCase, result) : null;
  if (fault === null && (ruling === null || ruling.fits(result, testCase))) {
    return ruling === null ? { verdict: 'passed' } : { verdict: 'ruled', reason: ruling.reason };
  }
  const got = JSON.stringify(result).slice(0, 600);
  return { verdict: 'failed', reason: `${fault ?? `not as ruled: ${ruling?.reason}`}; got ${got}` };
}

/**
 * @param {FormCase} testCase
 * @param {Result} result
 */
function isAsWanted(testCase, result) {
  return verdictOf(testCase, result).verdict === 'passed';
}

/**
 * @param {FormCase} testCase
 * @param {FormDecoder} library
 * @returns {Result}
 */
function decoded(testCase, library) {
  const options = testCase.options ?? {};
  const properties = testCase.schema.properties ?? {};
  const repeated = REPEATED.exec(testCase.body ?? '');
  const limits = {
    ...(options.maxFields === undefined ? {} : { fieldsMax: options.maxFields }),
    ...(options.maxValueBytes === undefined ? {} : { valueBytesMax: options.maxValueBytes }),
    ...(options.maxNameBytes === undefined ? {} : { nameBytesMax: options.maxNameBytes }),
    ...(repeated === null ? {} : { fieldsMax: Number(repeated[1]) }),
  };
  try {
    const root = Object.keys(properties).join() === 'traits' ? 'traits' : 'document';
    const plan = library.compileSchema(testCase.schema, { root, limits });
    const start = performance.now();
    const found = decode(testCase, plan, library);
    const milliseconds = Math.round(performance.now() - start);
    const errors = options.validate === false ? found.conflicts : plan.errors(found);
    return {
      value: JSON.parse(JSON.stringify(found.value)),
      ignored: found.ignored,
      milliseconds,
      errors: errors.map((/** @type {any} */ each) => `${each.pointer} ${each.code}`),
      params: errors.map((/** @type {any} */ each) => each.params),
    };
  } catch (/** @type {any} */ error) {
    if (error instanceof library.SchemaError) {
      return { refused: { status: 422, code: error.faults[0].code } };
    }
    if (error instanceof library.FormError) {
      return { refused: { status: error.status, code: error.code } };
    }
    throw error;
  }
}

/**
 * @param {FormCase} testCase
 * @param {any} plan
 * @param {FormDecoder} library
 */
function decode(testCase, plan, library) {
  const { url = '/', method = 'POST', contentType = FORM, options = {} } = testCase;
  const decodeOptions = {
    useDefaults: options.defaults === true,
    timeZone: testCase.recommended?.options?.timeZone ?? 'UTC',
  };
  const repeated = REPEATED.exec(testCase.body ?? '');
  const body =
    repeated === null
      ? (testCase.body ?? '')
      : new Array(Number(repeated[1])).fill(repeated[2]).join('&');
  if (contentType.startsWith('application/json')) {
    return plan.decodeJson(library.parseJson(body, { duplicates: 'last' }), decodeOptions);
  }
  const query = url.includes('?') ? url.slice(url.indexOf('?') + 1) : '';
  const entries = library.parseUrlencoded(method === 'GET' ? query : body, plan.limits);
  return plan.decode(entries, decodeOptions);
}

/**
 * @param {FormCase} testCase
 * @param {Result} result
 * @returns {string | null} what is not as wanted
 */
function difference(testCase, result) {
  const wanted = testCase.recommended ?? testCase;
  if (wanted.expectedError !== undefined) return errorDifference(wanted, testCase, result);
  if (result.refused !== undefined) return `refused, wanted ${JSON.stringify(wanted.expected)}`;
  if (REPEATED.test(testCase.body)) return repetitionDifference(testCase, result);
  if (!sameValue(wanted.expected, result.value)) {
    return `another value than ${JSON.stringify(wanted.expected)}`;
  }
  if (testCase.options?.validate !== false && (result.errors ?? []).length > 0) return 'errors';
  const ignored = testCase.ignored ?? wanted.ignored;
  return ignored === undefined || sameValue(ignored, result.ignored) ? null : 'other ignored names';
}

/**
 * A body that is described by its one field and how often it comes: as many entries of one value.
 *
 * @param {FormCase} testCase
 * @param {Result} result
 */
function repetitionDifference(testCase, result) {
  const count = Number(REPEATED.exec(testCase.body)?.[1]);
  const [list] = Object.values(result.value.traits);
  const complete = list.length === count && list.every((/** @type {any} */ each) => each === 1);
  if (!complete) return `no list of ${count} values`;
  return (result.milliseconds ?? 0) < 1000 ? null : `it took ${result.milliseconds} ms`;
}

/**
 * @param {any} wanted
 * @param {FormCase} testCase
 * @param {Result} result
 * @returns {string | null}
 */
function errorDifference(wanted, testCase, result) {
  const { expectedError } = wanted;
  const got = result.errors ?? [];
  if (typeof expectedError === 'string') return textDifference(expectedError, got);
  if (expectedError.validation !== undefined) {
    const errors = kratosErrors(expectedError.validation);
    if (!sameErrors(errors, got)) return `other errors than ${errors.join(', ')}`;
    const kept = testCase.decodedDespiteError;
    const same = kept === undefined || sameValue(kept, result.value);
    return same ? null : `another value than ${JSON.stringify(kept)}`;
  }
  const [first] = [expectedError].flat();
  if (first.status !== undefined) {
    const { refused } = result;
    const status = refused?.status === first.status;
    const fits = first.code === undefined || refused?.code === first.code;
    return status && fits ? null : `not refused with ${JSON.stringify(first)}`;
  }
  const errors = wantedErrors(expectedError);
  if (!sameErrors(errors, got)) return `other errors than ${errors.join(', ')}`;
  return paramsDifference([expectedError].flat(), result.params ?? []);
}

/**
 * @param {any[]} wanted
 * @param {any[]} got
 */
function paramsDifference(wanted, got) {
  for (const { limit, want, value } of wanted) {
    const fits = got.some(
      (params) =>
        (limit === undefined || params.limit === limit) &&
        (want === undefined || params.types.includes(want)) &&
        (value == null || params.value === value),
    );
    if (!fits) return `the parameters of ${JSON.stringify(wanted)} are missing`;
  }
  return null;
}

/** Kratos's texts, as far as they say what is wrong, and where. */
const TEXTS = [
  { text: /^missing properties: "(?<name>\w+)"$/, code: 'required' },
  { text: /^I\[#(?<path>[^\]]*)\] .* missing properties: "(?<name>\w+)"$/, code: 'required' },
  { text: /^I\[#\] S\[#\/required\] missing properties$/, code: 'required' },
  { text: /^expected (\w+), but got \w+$/, code: 'type' },
  { text: /malformed or contained invalid/, code: 'json' },
];

/**
 * @param {string} text
 * @param {string[]} got
 */
function textDifference(text, got) {
  const found = TEXTS.find((each) => each.text.test(text));
  const { path = '', name } = found?.text.exec(text)?.groups ?? {};
  const wanted = `${name === undefined ? '*' : `${path}/${name}`} ${found?.code ?? ''}`;
  return sameErrors([wanted], got) ? null : `no error as "${text}"`;
}
