// @ts-check
/**
 * Filters given as trees: `{ attribute: [operator, value] }` with nested objects for
 * sub-attributes, a list of comparisons for "and" on one attribute, and a list of such objects for
 * "or". The operator `np` is "not present"; `not` before an operator negates it.
 *
 * @typedef {{ [attribute: string]: any }} Expression
 */

/**
 * @param {Expression | Expression[]} expression
 * @returns {string} the same in the grammar of RFC 7644 3.4.2.2
 */
export function filterText(expression) {
  if (Array.isArray(expression)) return expression.map((each) => `(${allOf(each)})`).join(' or ');
  return allOf(expression);
}

/**
 * @param {Expression} expression
 * @returns {string}
 */
function allOf(expression) {
  return Object.entries(expression)
    .map(([attribute, test]) => testText(attribute, test))
    .join(' and ');
}

/**
 * @param {string} attribute
 * @param {any} test
 * @returns {string}
 */
function testText(attribute, test) {
  if (!Array.isArray(test)) return `${attribute}[${allOf(test)}]`;
  const [first, ...rest] = test;
  if (typeof first !== 'string') return test.map((each) => testText(attribute, each)).join(' and ');
  if (first.toLowerCase() === 'not') return `not (${testText(attribute, rest)})`;
  if (first === 'np') return `not (${attribute} pr)`;
  return rest.length === 0
    ? `${attribute} ${first}`
    : `${attribute} ${first} ${JSON.stringify(rest[0])}`;
}
