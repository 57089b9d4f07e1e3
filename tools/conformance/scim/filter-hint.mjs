// @ts-check
/**
 * Writes a parsed filter in the notation in which case files give trees: `or(and(pr("title"),
 * eq("userType", "Employee")), pr("x"))`, with value paths as `Filter.complex("emails", …)`.
 *
 * @param {any} filter as `parseFilter` of libs/scim gives it
 * @returns {string}
 */
export function filterHint(filter) {
  switch (filter.kind) {
    case 'compare':
      return `${filter.operator}(${quoted(pathOf(filter.path))}, ${valueOf(filter.value)})`;
    case 'present':
      return `pr(${quoted(pathOf(filter.path))})`;
    case 'not':
      return `not(${filterHint(filter.operand)})`;
    case 'valuePath':
      return `Filter.complex(${quoted(pathOf(filter.path))}, ${filterHint(filter.filter)})`;
    default:
      return `${filter.kind}(${filter.operands.map(filterHint).join(', ')})`;
  }
}

/** @param {{ urn?: string, name?: string, sub?: string }} path */
function pathOf({ urn, name, sub }) {
  const attribute = [name, sub].filter((part) => part !== undefined).join('.');
  return [urn, attribute].filter((part) => part !== undefined && part !== '').join(':');
}

/** @param {string | number | boolean | null} value */
function valueOf(value) {
  return typeof value === 'string' ? quoted(value) : String(value);
}

/** @param {string} text */
function quoted(text) {
  return JSON.stringify(text).replaceAll(
    /[^\u0020-\u007e]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
