// @ts-check
import { isDeepStrictEqual } from 'node:util';

/**
 * What of a result counts: values without the empty objects that Kratos makes up, and errors as
 * `pointer code`.
 */

/**
 * @param {any} value
 * @returns {any}
 */
function withoutEmpty(value) {
  if (Array.isArray(value)) return value.map(withoutEmpty);
  if (value === null || typeof value !== 'object') return Object.is(value, -0) ? 0 : value;
  /** @type {Record<string, any>} */
  const kept = {};
  for (const name of Object.keys(value)) {
    const member = withoutEmpty(value[name]);
    const object = typeof member === 'object' && member !== null && !Array.isArray(member);
    if (!(object && Object.keys(member).length === 0)) kept[name] = member;
  }
  return kept;
}

/**
 * @param {any} left
 * @param {any} right
 */
export function sameValue(left, right) {
  return isDeepStrictEqual(withoutEmpty(left), withoutEmpty(right));
}

/**
 * Errors of Kratos's validator (`instance`, `schema`, `message`) as `pointer code`.
 *
 * @param {any[]} errors
 * @returns {string[]}
 */
export function kratosErrors(errors) {
  return errors.flatMap(({ instance, schema, message }) => {
    const pointer = instance.replace(/^#/, '');
    const missing = /^missing properties: (.*)$/.exec(message)?.[1];
    if (missing !== undefined) {
      return missing.split(', ').map((name) => `${pointer}/${JSON.parse(name)} required`);
    }
    const keyword = schema.split('/').at(-1);
    // Wrappers around the errors that follow them.
    return ['then', 'else', '$ref', '#', ''].includes(keyword) ? [] : [`${pointer} ${keyword}`];
  });
}

/**
 * Errors in this project's shape, one or several; without a pointer any place will do.
 *
 * @param {any} expected
 * @returns {string[]}
 */
export function wantedErrors(expected) {
  return [expected].flat().map(({ pointer, code }) => `${pointer ?? '*'} ${code}`);
}

/**
 * @param {string[]} wanted `* code` fits any place
 * @param {string[]} got
 */
export function sameErrors(wanted, got) {
  const rest = [...got];
  for (const each of wanted) {
    const index = rest.findIndex(
      (error) => error === each || (each.startsWith('* ') && error.endsWith(each.slice(1))),
    );
    if (index === -1) return false;
    rest.splice(index, 1);
  }
  return rest.length === 0;
}
