// @ts-check
/**
 * Cases that are not held against the service as they stand, each with the rule that says so. A
 * case that is judged wrong is still sent where later steps build on it; an amended one is judged
 * after the change.
 *
 * @typedef {import('./types.mjs').HttpCase} HttpCase
 * @typedef {{ reason: string }} NotApplicable
 * @typedef {{ reason: string, amend: { headers?: Record<string, string>, expect?: object } }} Amendment
 * @typedef {NotApplicable | Amendment} Ruling
 */

/** @type {Amendment} */
const saysMinimal = {
  reason:
    'RFC 7644 3.5.2 lets PATCH answer 200 or 204; this service answers 204 to a client that prefers return=minimal (RFC 7240 4.2), which the request is made to say',
  amend: { headers: { Prefer: 'return=minimal' } },
};

/** Reasons, each with the cases that it decides, by file. @type {[string, Record<string, string>][]} */
const JUDGED_WRONG = [
  [
    'userName compares without case (RFC 7643 4.1.1), so "A" is also found in the middle of MeganB',
    { 'filters-match-set': 'FM003 FM022 FM058' },
  ],
  [
    'an operator that does not exist makes the filter invalid (RFC 7644 3.4.2.2); it is no filter that matches nothing',
    { 'filters-match-set': 'FM059' },
  ],
  [
    'the grammar has no value path inside a value path, nor a second one behind it (RFC 7644 figure 1, errata 4690 and 7322)',
    { 'filters-parse': 'F091 F133 F134' },
  ],
  [
    'a complex attribute does not take a text (RFC 7643 2.3.8): 400 invalidValue',
    { 'patch-unit': 'PA014' },
  ],
  [
    'a value that does not fit the type of its attribute is invalidValue, not invalidSyntax (RFC 7644 table 9)',
    { 'patch-unit': 'PA037' },
  ],
  [
    'a path that cannot be read, or that leads nowhere in the schema, is invalidPath, not invalidSyntax (RFC 7644 table 9)',
    { 'patch-unit': 'PA047 PA064 PA065 PA077 PA079' },
  ],
  [
    'a sub-attribute that the complex type of the schema lacks is 400 invalidPath (ruling of the contract, section 10)',
    { 'patch-unit': 'PA022 PA034 PA055 PA074 PA075' },
  ],
  [
    'a sub-attribute is never complex itself (RFC 7643 2.3.8), so name has no list of objects inside',
    { 'patch-unit': 'PA038 PA048 PA063 PA066 PA067 PA069' },
  ],
  [
    'a path has at most one sub-attribute (RFC 7644 figure 7): 400 invalidPath',
    { 'patch-unit': 'PA073' },
  ],
  [
    'replace without a value filter replaces all elements (RFC 7644 3.5.2.3); it does not merge into each',
    { 'patch-unit': 'PA023' },
  ],
  [
    'at most one element is primary (RFC 7643 2.4); a new one takes it from the old',
    { 'patch-unit': 'PA053 PA054' },
  ],
  [
    'a password is never stored, so the stored resource cannot have it (contract, section 4)',
    { 'patch-unit': 'PA082' },
  ],
  [
    '$ref of a member is made by the service from its value and is therefore never unset; it is immutable (RFC 7643 8.7.1)',
    { 'patch-unit': 'PA084' },
  ],
  [
    'a group has a member once: the same value twice is the same member (RFC 7643 2.4)',
    { 'patch-unit': 'PA088 PA089' },
  ],
  [
    'PATCH keeps an attribute that no schema knows, as POST does: identity providers send their own (ruling of the contract, section 10)',
    { 'rfc-http': 'RH171' },
  ],
  [
    'a member has no sub-attribute displayName (RFC 7643 8.7.1); display is what the service calls the user',
    { 'ms-reference-postman': 'MS29' },
  ],
];

/** Rulings by file and case id. @type {Record<string, Ruling>} */
const RULINGS = {
  ...Object.fromEntries(
    JUDGED_WRONG.flatMap(([reason, byFile]) =>
      Object.entries(byFile).flatMap(([file, ids]) =>
        ids.split(' ').map((id) => [`${file}/${id}`, { reason }]),
      ),
    ),
  ),
  'ms-reference-postman/MS55': saysMinimal,
  'ms-reference-postman/MS56': saysMinimal,
  'ms-reference-postman/MS66': saysMinimal,
  'ms-reference-postman/MS67': saysMinimal,
};

/**
 * @param {string} file
 * @param {string} id
 * @returns {Ruling | undefined}
 */
export function rulingOf(file, id) {
  return RULINGS[`${file}/${id}`];
}

/**
 * @param {HttpCase} each
 * @param {Ruling | undefined} ruling
 * @returns {HttpCase}
 */
export function amended(each, ruling) {
  if (ruling === undefined || !('amend' in ruling)) return each;
  const { headers = {}, expect = {} } = ruling.amend;
  return {
    ...each,
    request: { ...each.request, headers: { ...each.request.headers, ...headers } },
    expect: { ...each.expect, ...expect },
  };
}

/**
 * @param {string[]} keys `file/id` of every case that was run
 * @returns {string[]} rulings on cases that the files do not have
 */
export function staleRulings(keys) {
  const known = new Set(keys);
  const files = new Set(keys.map((key) => key.split('/')[0]));
  return Object.keys(RULINGS).filter((key) => files.has(key.split('/')[0]) && !known.has(key));
}
