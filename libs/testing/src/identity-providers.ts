/** The requests of two identity providers as they send them: the same protocol, two dialects. */

interface Person {
  userName: string;
  givenName: string;
  familyName: string;
}

const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const ENTRA_GROUP = 'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group';
const PATCH_OP = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

const patch = (...Operations: object[]) => ({ schemas: [PATCH_OP], Operations });

/**
 * Okta looks up a user before it creates it, replaces the whole user when the profile changes, and
 * deactivates it by a PATCH without a path.
 */
export const okta = {
  type: 'okta-scim-v2',
  contentType: 'application/scim+json; charset=utf-8',
  lookUp: (userName: string) =>
    `/Users?filter=${encodeURIComponent(`userName eq "${userName}"`)}&startIndex=1&count=100`,
  user: ({ userName, givenName, familyName }: Person) => ({
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
  changedUser: ({ id, userName, givenName, familyName }: Person & { id: string }) => ({
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
  reactivate: patch({ op: 'replace', value: { active: true } }),
  group: (displayName: string) => ({ schemas: [GROUP], displayName, members: [] }),
  addMember: ({ id, userName }: { id: string; userName: string }) =>
    patch({ op: 'add', path: 'members', value: [{ value: id, display: userName }] }),
  removeMember: (id: string) => patch({ op: 'remove', path: `members[value eq "${id}"]` }),
};

/**
 * Microsoft Entra ID capitalizes its operations, writes booleans as strings, addresses values in
 * lists by a filter, and deletes a user thirty days after it was deactivated.
 */
export const entra = {
  type: 'azure-scim-v2',
  contentType: 'application/scim+json; charset=utf-8',
  lookUp: (userName: string) => `/Users?filter=${encodeURIComponent(`userName eq "${userName}"`)}`,
  user: ({ userName, givenName, familyName }: Person) => ({
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
  change: ({
    familyName,
    mail,
    department,
  }: Record<'familyName' | 'mail' | 'department', string>) =>
    patch(
      { op: 'Replace', path: 'name.familyName', value: familyName },
      { op: 'Replace', path: 'emails[type eq "work"].value', value: mail },
      { op: 'Add', path: `${ENTERPRISE}:department`, value: department },
    ),
  deactivate: patch({ op: 'Replace', path: 'active', value: 'False' }),
  group: (displayName: string) => ({
    schemas: [GROUP, ENTRA_GROUP],
    externalId: '5f0c3a52-7d4e-4f0c-9b1e-2a8e6d1c9f47',
    displayName,
    meta: { resourceType: 'Group' },
  }),
  addMember: (id: string) =>
    patch({ op: 'Add', path: 'members', value: [{ $ref: null, value: id }] }),
};

/** The department in the enterprise extension of a stored user. */
export function departmentOf(user: object): string | undefined {
  return (user as { [ENTERPRISE]?: { department: string } })[ENTERPRISE]?.department;
}
