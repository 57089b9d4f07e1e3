// @ts-check
/**
 * Cases whose expectation is not what the RFC or the contract says. Each is run all the same, and
 * held against what has to come instead; none is left out.
 *
 * @typedef {{ id: string, [name: string]: any }} Case
 * @typedef {(each: any) => Case} Amendment
 * @typedef {{ reason: string, amend: Amendment }} Ruling
 */

/** @param {string} scimType @returns {Amendment} */
const refusedAs = (scimType) => (each) => ({ ...each, expect: { status: 400, scimType } });

/** @param {object} changes to the resource that the case expects @returns {Amendment} */
const becomes = (changes) => (each) => ({
  ...each,
  expect: { after: { ...each.expect.after, ...changes } },
});

/** @param {object} expect what an HTTP case is to be answered with @returns {Amendment} */
const answeredWith = (expect) => (each) => ({ ...each, expect: { ...each.expect, ...expect } });

/** @type {Amendment} */
const isNoFilter = (each) => ({ ...each, valid: false });

/** @type {Amendment} */
const prefersMinimal = (each) => ({
  ...each,
  request: { ...each.request, headers: { ...each.request.headers, Prefer: 'return=minimal' } },
});

const spiderman = 'spiderman@superheroes.com';
const batman = 'batman@superheroes.com';

/** What decides, what has to come instead, and the cases of each file. @type {[string, Amendment, Record<string, string>][]} */
const RULINGS = [
  [
    'userName compares without case (RFC 7643 4.1.1), so "A" is also found in MeganB, and "a" in AdeleV',
    (each) => ({ ...each, expectedIds: [1, 2, 4] }),
    { 'filters-match-set': 'FM003 FM022 FM058' },
  ],
  [
    'an operator that does not exist makes the filter invalid (RFC 7644 3.4.2.2); it is no filter that matches nothing',
    (each) => ({ ...each, scimType: 'invalidFilter' }),
    { 'filters-match-set': 'FM059' },
  ],
  [
    'the grammar has no value path inside a value path, nor a second one behind it (RFC 7644 figure 1, errata 4690 and 7322)',
    isNoFilter,
    { 'filters-parse': 'F091 F133 F134' },
  ],
  [
    'a complex attribute does not take a text (RFC 7643 2.3.8)',
    refusedAs('invalidValue'),
    { 'patch-unit': 'PA014' },
  ],
  [
    'a value that does not fit the type of its attribute is invalidValue, not invalidSyntax (RFC 7644 table 9)',
    refusedAs('invalidValue'),
    { 'patch-unit': 'PA037' },
  ],
  [
    'a path that cannot be read, or that leads nowhere in the schema, is invalidPath, not invalidSyntax (RFC 7644 table 9)',
    refusedAs('invalidPath'),
    { 'patch-unit': 'PA047 PA064 PA065 PA077 PA079' },
  ],
  [
    'a sub-attribute that the complex type of the schema lacks is 400 invalidPath (ruling of the contract, section 10)',
    refusedAs('invalidPath'),
    { 'patch-unit': 'PA022 PA034 PA055 PA074 PA075' },
  ],
  [
    'a sub-attribute is never complex itself (RFC 7643 2.3.8), so name has no list of objects inside: 400 invalidPath',
    refusedAs('invalidPath'),
    { 'patch-unit': 'PA038 PA048 PA063 PA066 PA067 PA069' },
  ],
  [
    'a path has at most one sub-attribute (RFC 7644 figure 7): 400 invalidPath',
    refusedAs('invalidPath'),
    { 'patch-unit': 'PA073' },
  ],
  [
    'replace without a value filter replaces all elements (RFC 7644 3.5.2.3); it does not merge into each',
    becomes({ emails: [{ newProperty: 'post' }] }),
    { 'patch-unit': 'PA023' },
  ],
  [
    'at most one element is primary (RFC 7643 2.4): the first of the new ones takes it from the old',
    becomes({
      emails: [
        { value: spiderman, primary: false },
        { value: batman, primary: true },
        { value: 'superman@superheroes.com', primary: false },
      ],
    }),
    { 'patch-unit': 'PA053' },
  ],
  [
    'at most one element is primary (RFC 7643 2.4): a new one takes it from the old',
    becomes({
      emails: [
        { value: spiderman, primary: false },
        { value: batman, primary: true },
      ],
    }),
    { 'patch-unit': 'PA054' },
  ],
  [
    'a password is never stored, so the stored resource does not have it (contract, section 4)',
    becomes({ password: undefined }),
    { 'patch-unit': 'PA082' },
  ],
  [
    '$ref of a member is made by the service from its value and is therefore never unset; it is immutable (RFC 7643 8.7.1)',
    refusedAs('mutability'),
    { 'patch-unit': 'PA084' },
  ],
  [
    'a group has a member once: the same value twice is the same member (RFC 7643 2.4), which is gone when it is removed',
    becomes({ members: [] }),
    { 'patch-unit': 'PA088 PA089' },
  ],
  [
    'PATCH keeps an attribute that no schema knows, as POST does: identity providers send their own (ruling of the contract, section 10)',
    answeredWith({ status: [200], json: [{ path: 'noSuch', op: 'equal', value: 'x' }] }),
    { 'rfc-http': 'RH171' },
  ],
  [
    'a member has no sub-attribute displayName (RFC 7643 8.7.1); display is what the service calls the user',
    answeredWith({
      json: [
        { path: 'id', op: 'equal', value: '{{groupid}}' },
        { path: 'members[0].display', op: 'notEmpty' },
      ],
      text: [],
    }),
    { 'ms-reference-postman': 'MS29' },
  ],
  [
    'PATCH may be answered with 200 or 204 (RFC 7644 3.5.2); this service answers 204 to a client that prefers return=minimal (RFC 7240 4.2), which the request is made to say',
    prefersMinimal,
    { 'ms-reference-postman': 'MS55 MS56 MS66 MS67' },
  ],
];

/** By file and case id. @type {Map<string, Ruling>} */
const BY_CASE = new Map(
  RULINGS.flatMap(([reason, amend, byFile]) =>
    Object.entries(byFile).flatMap(([file, ids]) =>
      ids
        .split(' ')
        .map((id) => /** @type {[string, Ruling]} */ ([`${file}/${id}`, { reason, amend }])),
    ),
  ),
);

/**
 * Runs a case as the ruling on it wants it, if there is one.
 *
 * @template {{ id: string }} T
 * @param {string} file
 * @param {T} each
 * @param {(each: T) => string[]} run gives the faults
 * @returns {import('./types.mjs').Outcome}
 */
export function judged(file, each, run) {
  const { changed, reason } = asRuled(file, each);
  return outcomeOf(each.id, run(changed), reason);
}

/**
 * @template {{ id: string }} T
 * @param {string} file
 * @param {T} each
 * @returns {{ changed: T, reason?: string }}
 */
export function asRuled(file, each) {
  const ruling = BY_CASE.get(`${file}/${each.id}`);
  if (ruling === undefined) return { changed: each };
  return { changed: /** @type {any} */ (ruling.amend(each)), reason: ruling.reason };
}

/**
 * @param {string} id
 * @param {string[]} faults
 * @param {string} [reason] of the ruling that the case was changed by
 * @returns {import('./types.mjs').Outcome}
 */
export function outcomeOf(id, faults, reason) {
  if (faults.length > 0) return { id, verdict: 'failed', faults };
  return reason === undefined ? { id, verdict: 'passed' } : { id, verdict: 'ruled', reason };
}

/**
 * @param {string[]} keys `file/id` of every case that was run
 * @returns {string[]} rulings on cases that the files do not have
 */
export function staleRulings(keys) {
  const known = new Set(keys);
  const files = new Set(keys.map((key) => key.split('/')[0]));
  return [...BY_CASE.keys()].filter((key) => files.has(key.split('/')[0]) && !known.has(key));
}
