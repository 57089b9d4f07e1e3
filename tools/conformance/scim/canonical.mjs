// @ts-check
/**
 * The form in which two SCIM resources are compared: what RFC 7643 calls the same is written the
 * same.
 *
 * @typedef {import('./types.mjs').Json} Json
 * @typedef {import('./types.mjs').JsonObject} JsonObject
 */

/** Given by the service or about the representation, not about the person. */
const LEFT_OUT = ['id', 'meta', 'schemas'];

/**
 * @param {JsonObject} resource
 * @returns {string} equal for resources that mean the same: null and empty lists are no values
 *   (RFC 7643 2.5), elements have no order and `primary` is false unless said (2.4)
 */
export function canonical(resource) {
  const kept = Object.entries(resource).filter(([name]) => !LEFT_OUT.includes(name));
  return JSON.stringify(ordered(Object.fromEntries(kept)));
}

/**
 * @param {Json} value
 * @returns {Json | undefined} undefined when nothing is assigned
 */
function ordered(value) {
  if (value === null) return undefined;
  if (Array.isArray(value)) {
    const elements = value.flatMap((each) => ordered(each) ?? []);
    const texts = elements.map((each) => JSON.stringify(each)).sort();
    return texts.length === 0 ? undefined : texts.map((text) => JSON.parse(text));
  }
  if (typeof value !== 'object') return value;
  const members = Object.entries(value)
    .filter(([name, each]) => !(name === 'primary' && each === false))
    .flatMap(([name, each]) => {
      const inner = ordered(each);
      return inner === undefined ? [] : [/** @type {[string, Json]} */ ([name, inner])];
    })
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return members.length === 0 ? undefined : Object.fromEntries(members);
}

/**
 * @param {JsonObject} resource
 * @param {string} baseUrn
 * @returns {string[]} the URNs that `schemas` must hold: the base schema's and those of the
 *   extensions that the resource has (RFC 7643 3)
 */
export function schemasInUse(resource, baseUrn) {
  const extensions = Object.keys(resource).filter((name) => name.startsWith('urn:'));
  const declared = Array.isArray(resource['schemas']) ? resource['schemas'].map(String) : [];
  return [...new Set([baseUrn, ...declared, ...extensions])].sort();
}
