// @ts-check
import { readPath } from './json-path.mjs';

/**
 * Whether an answer is what a case expects.
 *
 * @typedef {import('./types.mjs').Json} Json
 * @typedef {import('./types.mjs').Answer} Answer
 * @typedef {import('./types.mjs').Expectation} Expectation
 */

const DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/;

/** @param {Json | undefined} actual */
const isUnset = (actual) => actual === undefined || actual === null;

/** @param {Json | undefined} actual */
const isEmpty = (actual) =>
  isUnset(actual) ||
  actual === '' ||
  (typeof actual === 'object' && Object.keys(Object(actual)).length === 0);

/** @param {Json | undefined} value */
const loose = (value) => (isUnset(value) ? undefined : textOf(value).toLowerCase());

/** @param {Json | undefined} actual */
const lengthOf = (actual) =>
  isUnset(actual) ? 0 : Array.isArray(actual) || typeof actual === 'string' ? actual.length : NaN;

/** @type {Record<string, (actual: Json | undefined, expected: Json | undefined) => boolean>} */
const OPERATORS = {
  equal: (actual, expected) => sameValue(actual, expected),
  notEqual: (actual, expected) => !sameValue(actual, expected),
  equalLoose: (actual, expected) => loose(actual) === loose(expected),
  equalNumber: (actual, expected) => typeof actual === 'number' && actual === Number(expected),
  notEmpty: (actual) => !isEmpty(actual),
  absent: isUnset,
  absentOrEmpty: isEmpty,
  isNumber: (actual) => typeof actual === 'number',
  isBoolean: (actual) => typeof actual === 'boolean',
  isString: (actual) => typeof actual === 'string',
  isArray: (actual) => Array.isArray(actual),
  isDateTime: (actual) =>
    typeof actual === 'string' && DATE_TIME.test(actual) && !Number.isNaN(Date.parse(actual)),
  arrayHas: (actual, expected) => holds(actual, expected),
  notArrayHas: (actual, expected) => !holds(actual, expected),
  length: (actual, expected) => lengthOf(actual) === Number(expected),
  'length>=': (actual, expected) => lengthOf(actual) >= Number(expected),
  min: (actual, expected) => typeof actual === 'number' && actual >= Number(expected),
  max: (actual, expected) => typeof actual === 'number' && actual <= Number(expected),
  endsWith: (actual, expected) => typeof actual === 'string' && actual.endsWith(String(expected)),
  oneOf: (actual, expected) => holds(expected, actual),
  sortedAsc: (actual) => isSorted(actual, (each) => each),
  sortedAscCI: (actual) => isSorted(actual, loose),
  sortedDescCI: (actual) => Array.isArray(actual) && isSorted([...actual].reverse(), loose),
};

/**
 * @param {Expectation} expect
 * @param {Answer} answer
 * @returns {string[]} what differs; empty when all is as expected
 */
export function checkAnswer(expect, answer) {
  if (!expect.status.includes(answer.status)) {
    return [`expected status ${expect.status.join(' or ')}, came ${shown(answer)}`];
  }
  const [first = 200] = expect.status;
  // Of several allowed statuses the body is described for the first one only.
  const isDescribed = isSuccess(first) === isSuccess(answer.status) && answer.status !== 204;
  return [
    ...(isDescribed ? checkJson(expect.json ?? [], answer.json) : []),
    ...(expect.text ?? []).flatMap(({ op, value = '' }) => checkText(op, value, answer.text)),
    ...(expect.headers ?? []).flatMap((each) => checkHeader(each, answer)),
    ...(expect.maxMs !== undefined && answer.elapsedMs > expect.maxMs
      ? [`expected at most ${expect.maxMs} ms, took ${Math.round(answer.elapsedMs)} ms`]
      : []),
  ];
}

/**
 * @param {import('./types.mjs').JsonExpectation[]} expectations
 * @param {Json | undefined} body
 * @returns {string[]}
 */
export function checkJson(expectations, body) {
  return expectations.flatMap(({ path, op, value }) => {
    const operator = OPERATORS[op];
    if (operator === undefined) return [`the operator "${op}" is unknown`];
    const actual = readPath(body, path);
    if (operator(actual, value)) return [];
    const wanted = value === undefined ? op : `${op} ${brief(value)}`;
    return [`expected ${path} ${wanted}, came ${brief(actual)}`];
  });
}

/**
 * @param {string} op
 * @param {string} value
 * @param {string} text
 */
function checkText(op, value, text) {
  const isRight =
    op === 'includes'
      ? text.includes(value)
      : op === 'notIncludes'
        ? !text.includes(value)
        : op === 'empty' && text === '';
  return isRight ? [] : [`expected a body that ${op} ${value}, came ${text.slice(0, 200)}`];
}

/**
 * @param {import('./types.mjs').HeaderExpectation} expectation
 * @param {Answer} answer
 */
function checkHeader({ name, op, value = '', path = '$' }, answer) {
  const actual = answer.headers[name.toLowerCase()];
  const inBody = readPath(answer.json, path);
  /** @type {Record<string, () => boolean>} */
  const operators = {
    present: () => actual !== undefined && actual !== '',
    contains: () => actual?.toLowerCase().includes(value.toLowerCase()) ?? false,
    equalsJson: () => actual === inBody,
    equalsJsonIfPresent: () => actual === undefined || actual === inBody,
  };
  if (operators[op]?.() === true) return [];
  return [`expected header ${name} ${op} ${value}, came ${actual ?? 'none'}`];
}

/**
 * Equal as JSON, in which the order of names means nothing.
 * @param {Json | undefined} a
 * @param {Json | undefined} b
 * @returns {boolean}
 */
export function sameValue(a, b) {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const left = Object.entries(a);
  const right = new Map(Object.entries(b));
  return (
    left.length === right.size && left.every(([key, value]) => sameValue(value, right.get(key)))
  );
}

/**
 * @param {Json | undefined} array
 * @param {Json | undefined} element
 */
function holds(array, element) {
  return Array.isArray(array) && array.some((each) => sameValue(each, element));
}

/**
 * @param {Json | undefined} actual
 * @param {(value: Json) => unknown} key
 */
function isSorted(actual, key) {
  if (!Array.isArray(actual)) return false;
  const keys = /** @type {(string | number)[]} */ (actual.map(key));
  return keys.every(
    (each, index) => index === 0 || /** @type {string | number} */ (keys[index - 1]) <= each,
  );
}

/** @param {number} status */
export function isSuccess(status) {
  return status >= 200 && status < 300;
}

/** @param {Json | undefined} value */
function textOf(value) {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** @param {Json | undefined} value */
export function brief(value) {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > 240 ? `${text.slice(0, 240)} …` : text;
}

/** @param {Answer} answer */
function shown({ status, json, text }) {
  const { scimType, detail } = Object(json);
  const what = [scimType, detail].filter(Boolean).join(': ') || text.slice(0, 200);
  return `${status} ${what}`.trim();
}
