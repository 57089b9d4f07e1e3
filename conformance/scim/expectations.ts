import { isDeepStrictEqual } from 'node:util';
import { type JsonValue } from '@gatehouse/scim';

type Value = JsonValue | undefined;

const PATH_STEP = /\["([^"]+)"\]|\[\?([^=\]]+)=([^\]]*)\]|\[(\*|\d+)\]|\.?([^.[\]]+)/y;
const DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/;

/** Operators of the form `path: $name`, or `path: { $name: expected }`. */
const OPERATORS: Record<string, (actual: Value, expected: JsonValue) => boolean> = {
  $absent: (actual) => actual === undefined || actual === null,
  $none: (actual) => isBlank(actual),
  $set: (actual) => !isBlank(actual),
  $array: (actual) => Array.isArray(actual),
  $boolean: (actual) => typeof actual === 'boolean',
  $number: (actual) => typeof actual === 'number',
  $string: (actual) => typeof actual === 'string' && actual !== '',
  $dateTime: (actual) => typeof actual === 'string' && DATE_TIME.test(actual),
  $contains: (actual, expected) => typeof actual === 'string' && actual.includes(textOf(expected)),
  $endsWith: (actual, expected) => typeof actual === 'string' && actual.endsWith(textOf(expected)),
  $has: (actual, expected) => includes(actual, expected),
  $hasNot: (actual, expected) => !includes(actual, expected),
  $length: (actual, expected) => Array.isArray(actual) && actual.length === expected,
  $min: (actual, expected) => typeof actual === 'number' && actual >= Number(expected),
  $minLength: (actual, expected) => Array.isArray(actual) && actual.length >= Number(expected),
  $not: (actual, expected) => !isDeepStrictEqual(actual, expected),
  $oneOf: (actual, expected) => includes(expected, actual ?? null),
  $sorted: (actual, expected) => isSorted(actual, expected === 'descending'),
};

/**
 * The difference between a value and its expectation: an operator, or JSON that must be equal.
 *
 * @returns undefined when nothing does
 */
export function difference(label: string, actual: Value, expected: JsonValue): string | undefined {
  const [name, argument] = operatorOf(expected);
  const operator = OPERATORS[name];
  const isMet = operator
    ? operator(actual, argument)
    : isDeepStrictEqual(actual, expected) || isSubset(actual, expected);
  if (isMet) return undefined;
  return `${label} should be ${JSON.stringify(expected)}, but is ${JSON.stringify(actual)}`;
}

/**
 * Reads a path of a case: `meta.location`, `Resources[0].id`, `Resources[*].id`,
 * `emails[?type=work].value`, `["urn:…:User"].department`.
 *
 * @returns after `[*]`, what each element has
 */
export function readPath(body: Value, path: string): Value {
  let value = body;
  PATH_STEP.lastIndex = 0;
  while (PATH_STEP.lastIndex < path.length) {
    const [, quoted, name, wanted, index, key] = PATH_STEP.exec(path) ?? [];
    if (index === '*') {
      const rest = path.slice(PATH_STEP.lastIndex + 1);
      return Array.isArray(value) ? value.map((each) => readPath(each, rest) ?? null) : undefined;
    }
    if (name !== undefined) value = elementWith(value, name, wanted);
    else value = member(value, quoted ?? key ?? index ?? '');
  }
  return value;
}

function operatorOf(expected: JsonValue): [string, JsonValue] {
  if (typeof expected === 'string') return [expected, null];
  const [entry] = typeof expected === 'object' ? Object.entries(expected ?? {}) : [];
  return [entry?.[0] ?? '', (entry?.[1] as JsonValue) ?? null];
}

/** Elements of a list may have more members than the case names: `$ref`, `display`. */
function isSubset(actual: Value, expected: JsonValue): boolean {
  if (!Array.isArray(expected) || !Array.isArray(actual)) return false;
  return (
    expected.length > 0 &&
    expected.length === actual.length &&
    expected.every(
      (each, index) =>
        isDeepStrictEqual(each, actual[index]) ||
        (typeof each === 'object' &&
          each !== null &&
          Object.entries(each).every(([name, item]) =>
            isDeepStrictEqual(member(actual[index], name), item),
          )),
    )
  );
}

function member(value: Value, key: string): Value {
  if (Array.isArray(value)) return value[Number(key)];
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.hasOwn(value, key) ? value[key] : undefined;
}

function elementWith(value: Value, name: string, wanted: string | undefined): Value {
  return Array.isArray(value) ? value.find((each) => member(each, name) === wanted) : undefined;
}

function textOf(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function isBlank(value: Value): boolean {
  if (value === undefined || value === null || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

function includes(list: Value, element: JsonValue): boolean {
  return Array.isArray(list) && list.some((each) => isDeepStrictEqual(each, element));
}

function isSorted(list: Value, descending: boolean): boolean {
  if (!Array.isArray(list)) return false;
  const texts = list.map((each) => textOf(each).toLowerCase());
  const ordered = [...texts].sort();
  return isDeepStrictEqual(texts, descending ? ordered.reverse() : ordered);
}
