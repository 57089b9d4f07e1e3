// @ts-check
import { kratosErrors, sameErrors, sameValue } from './compare.mjs';

/**
 * Why a case does not count, or counts differently: by what it is about, never by its name.
 *
 * @typedef {import('./types.mjs').FormCase} FormCase
 * @typedef {import('./types.mjs').Result} Result
 * @typedef {import('./types.mjs').Ruling} Ruling
 */

/** @type {Record<string, (value: any, testCase: FormCase) => string | null>} */
const NOT_OFFERED = {
  parseErrors: (value) => (value === 'ignore' ? null : 'what does not convert stays text'),
  queryAndBody: (_, { url }) => (url.includes('?') ? 'the query counts for GET only' : null),
  unknown: () => 'names without a place are listed, never an error',
  locale: () => 'numbers have HTML syntax in every language',
  normalize: () => 'a string is taken as it was sent',
};

/**
 * @param {FormCase} testCase
 * @returns {string | null} the reason why there is nothing to run the case against
 */
export function notOffered(testCase) {
  for (const [option, value] of Object.entries(testCase.options ?? {})) {
    const reason = NOT_OFFERED[option]?.(value, testCase) ?? null;
    if (reason !== null) return `the option ${option}: ${reason}`;
  }
  return null;
}

/**
 * @param {FormCase} testCase
 * @returns {Ruling | null}
 */
export function rulingFor(testCase) {
  return RULINGS.find((ruling) => ruling.applies(testCase)) ?? null;
}

/** @type {Ruling[]} */
const RULINGS = [
  {
    reason: '"off" is a boolean, as "on" is',
    applies: (each) => isTypeError(each) && /=off$/.test(each.body),
    fits: ({ errors }, { decodedDespiteError }) =>
      errors?.length === 0 && JSON.stringify(decodedDespiteError).includes('"off"'),
  },
  {
    reason: 'what is no whole number stays text, so that it can be shown again',
    applies: (each) => isTypeError(each, 'integer, but got number') && isForm(each),
    fits: (result, { expectedError, body }) =>
      sameErrors(kratosErrors(expectedError.validation), result.errors ?? []) &&
      JSON.stringify(result.value).includes(`"${body.split('=')[1]}"`),
  },
  {
    reason: 'whole numbers beyond 2^53 - 1 are refused, not rounded',
    applies: (each) => each.recommended === undefined && isInteger(each) && isUnsafe(each.expected),
    fits: ({ errors }) => errors?.[0]?.endsWith(' number.precision') === true,
  },
  {
    reason: 'a blank is missing, also where it is required',
    applies: (each) =>
      /^traits\.\w+=$/.test(each.body ?? '') &&
      JSON.stringify(each.recommended ?? each.expected ?? '').includes('false'),
    fits: ({ errors }) => errors?.length === 1 && errors[0]?.endsWith(' required') === true,
  },
  {
    reason: 'CR LF becomes LF',
    applies: (each) =>
      each.recommended === undefined && JSON.stringify(each.expected ?? '').includes('\\r\\n'),
    fits: ({ value, errors }, { expected }) =>
      errors?.length === 0 &&
      sameValue(value, JSON.parse(JSON.stringify(expected).replaceAll('\\r\\n', '\\n'))),
  },
  {
    reason: 'a broken percent escape stays text, as WHATWG reads it',
    applies: (each) => /invalid URL escape/.test(each.expectedError?.reason ?? ''),
    fits: ({ refused, errors }) => refused === undefined && errors?.length === 0,
  },
  {
    reason: 'a reserved name is refused in a schema',
    applies: (each) => /"(?:constructor|prototype)":\{/.test(JSON.stringify(each.schema ?? '')),
    fits: ({ refused }) => refused?.status === 422 && refused.code === 'schema.reserved_name',
  },
  {
    reason: 'an object that is neither required nor sent is absent: nothing is missing in it',
    applies: (each) => madeUp(each).length > 0,
    fits: ({ errors }, testCase) => {
      const others = kratosErrors(testCase.expectedError.validation ?? []);
      const places = madeUp(testCase);
      const counts = (/** @type {string} */ error) =>
        !places.some((place) => error.startsWith(place));
      return (
        errors?.every(counts) === true &&
        others.filter(counts).every((each) => errors.includes(each))
      );
    },
  },
  {
    reason: 'a file part is refused with an error that names its field',
    applies: (each) =>
      /^multipart/.test(each.contentType ?? '') && /filename="[^"]+"/.test(each.body ?? ''),
    fits: ({ refused }) => refused?.status === 400 && refused.code === 'file_part',
  },
];

/** @param {FormCase} testCase */
function isForm(testCase) {
  return testCase.contentType === 'application/x-www-form-urlencoded';
}

/** @param {FormCase} testCase */
function isInteger(testCase) {
  return (
    /"type":"integer"/.test(JSON.stringify(testCase.schema)) && !/\.n=/.test(testCase.body ?? '')
  );
}

/**
 * @param {FormCase} testCase
 * @param {string} [text]
 */
function isTypeError(testCase, text = '') {
  if (testCase.recommended !== undefined) return false;
  const errors = testCase.expectedError?.validation ?? [];
  return (
    errors.length === 1 && /^expected /.test(errors[0].message) && errors[0].message.includes(text)
  );
}

/**
 * @param {any} value
 * @returns {boolean}
 */
function isUnsafe(value) {
  if (typeof value === 'object' && value !== null) return Object.values(value).some(isUnsafe);
  return Number.isInteger(value) && !Number.isSafeInteger(value);
}

const MISSING = /^I\[#([^\]]*)\].*missing properties/;

/**
 * Places of errors in objects that Kratos made up: neither required by the object around them nor
 * sent. The traits of an identity are always there, but not those of a schema with more beside them.
 *
 * @param {FormCase} testCase
 * @returns {string[]}
 */
function madeUp({ expectedError, schema, body }) {
  const text = typeof expectedError === 'string' ? MISSING.exec(expectedError)?.[1] : undefined;
  const places = kratosErrors(expectedError?.validation ?? [])
    .filter((error) => error.endsWith(' required'))
    .map((error) => error.slice(0, error.lastIndexOf('/')));
  const alone = Object.keys(schema?.properties ?? {}).join() === 'traits';
  return [...places, ...(text === undefined ? [] : [text])].filter((place) => {
    const names = place.split('/').slice(1);
    if (names.length === 0 || (alone && names.length === 1)) return false;
    if (`${body}`.includes(`${names.join('.')}.`)) return false;
    let around = schema;
    for (const name of names.slice(0, -1)) around = around?.properties?.[name];
    return around?.required?.includes(names.at(-1)) !== true;
  });
}
