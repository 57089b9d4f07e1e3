// @ts-check
// The requests of two identity providers as they leave them: same protocol, different dialects.

const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const ENTRA_GROUP = 'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group';
const PATCH_OP = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

/** @param {object[]} Operations */
const patch = (...Operations) => ({ schemas: [PATCH_OP], Operations });

/**
 * Okta: looks for the user, creates it with everything it has, replaces it whole on every change
 * of the profile, and switches it off by a PATCH without a path.
 */
export const okta = {
  type: 'okta-scim-v2',
  contentType: 'application/scim+json; charset=utf-8',
  /** @param {string} userName */
  lookUp: (userName) =>
    `/Users?filter=${encodeURIComponent(`userName eq "${userName}"`)}&startIndex=1&count=100`,
  /** @param {{ userName: string, givenName: string, familyName: string }} person */
  user: ({ userName, givenName, familyName }) => ({
    schemas: [USER],
    userName,
    name: { givenName, familyName },
    emails: [{ primary: true, value: userName, type: 'work' }],
    displayName: `${givenName} ${familyName}`,
    locale: 'en-US',
    externalId: `00u${userName.length}demo`,
    groups: [],
    password: '1mz050nq',
    active: true,
  }),
  /** @param {{ id: string, userName: string, givenName: string, familyName: string }} person */
  changedUser: ({ id, userName, givenName, familyName }) => ({
    schemas: [USER],
    id,
    userName,
    name: { givenName, familyName },
    emails: [{ primary: true, value: userName, type: 'work' }],
    displayName: `${givenName} ${familyName}`,
    active: true,
    groups: [],
    meta: { resourceType: 'User' },
  }),
  deactivate: patch({ op: 'replace', value: { active: false } }),
  /** @param {string} displayName */
  group: (displayName) => ({ schemas: [GROUP], displayName, members: [] }),
  /** @param {{ id: string, userName: string }} user */
  addMember: ({ id, userName }) =>
    patch({ op: 'add', path: 'members', value: [{ value: id, display: userName }] }),
  /** @param {string} id */
  removeMember: (id) => patch({ op: 'remove', path: `members[value eq "${id}"]` }),
};

/**
 * Microsoft Entra ID: writes its operations with a capital, booleans as text, addresses single
 * values inside lists by a filter, and deletes a user thirty days after it was switched off.
 */
export const entra = {
  type: 'azure-scim-v2',
  contentType: 'application/scim+json; charset=utf-8',
  /** @param {string} userName */
  lookUp: (userName) => `/Users?filter=${encodeURIComponent(`userName eq "${userName}"`)}`,
  /** @param {{ userName: string, givenName: string, familyName: string }} person */
  user: ({ userName, givenName, familyName }) => ({
    schemas: [USER, ENTERPRISE],
    externalId: userName.split('@')[0],
    userName,
    active: true,
    displayName: `${givenName} ${familyName}`,
    emails: [{ primary: true, type: 'work', value: userName }],
    meta: { resourceType: 'User' },
    name: { formatted: `${givenName} ${familyName}`, familyName, givenName },
    roles: [],
    [ENTERPRISE]: { department: 'Research', employeeNumber: '701' },
  }),
  /** @param {{ familyName: string, mail: string, department: string }} change */
  change: ({ familyName, mail, department }) =>
    patch(
      { op: 'Replace', path: 'name.familyName', value: familyName },
      { op: 'Replace', path: 'emails[type eq "work"].value', value: mail },
      { op: 'Add', path: `${ENTERPRISE}:department`, value: department },
    ),
  deactivate: patch({ op: 'Replace', path: 'active', value: 'False' }),
  /** @param {string} displayName */
  group: (displayName) => ({
    schemas: [GROUP, ENTRA_GROUP],
    externalId: '5f0c3a52-7d4e-4f0c-9b1e-2a8e6d1c9f47',
    displayName,
    meta: { resourceType: 'Group' },
  }),
  /** @param {string} id */
  addMember: (id) => patch({ op: 'Add', path: 'members', value: [{ $ref: null, value: id }] }),
};

/** The department in the enterprise extension of a user as stored. */
export const departmentOf = (/** @type {any} */ user) => user[ENTERPRISE]?.department;
