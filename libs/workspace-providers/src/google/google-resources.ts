/**
 * Entries of the Admin SDK Directory API as SCIM resources. Their shapes:
 * https://developers.google.com/admin-sdk/directory/reference/rest/v1/users#User,
 * https://developers.google.com/admin-sdk/directory/reference/rest/v1/groups#Group and
 * https://developers.google.com/admin-sdk/directory/reference/rest/v1/members#Member.
 */
import { type JsonObject, type ScimResource } from '@gatehouse/scim';
import { defined, objectAt, objectsAt, requiredText, textAt } from '../http/answer-fields.js';
import { type WorkspaceGroup, type WorkspaceMember, type WorkspaceUser } from '../provider.js';
import { ENTERPRISE_URN, GROUP_URN, USER_URN, withEnterprise } from '../scim-urns.js';

/** The members of a user that are read; asking for no others keeps pages small. */
export const USER_FIELDS =
  'id,primaryEmail,name,emails,phones,organizations,externalIds,languages,suspended,archived,orgUnitPath';
export const GROUP_FIELDS = 'id,email,name';
export const MEMBER_FIELDS = 'id,type';

export function googleUser(user: JsonObject): WorkspaceUser {
  const id = requiredText(user, 'id');
  const userName = requiredText(user, 'primaryEmail');
  const name = objectAt(user, 'name');
  const organization = primaryOf(objectsAt(user, 'organizations')) ?? {};
  const employee = objectsAt(user, 'externalIds').find(({ type }) => type === 'organization');
  const resource = defined({
    schemas: [USER_URN],
    externalId: id,
    userName,
    name: defined({
      givenName: textAt(name, 'givenName'),
      familyName: textAt(name, 'familyName'),
      formatted: textAt(name, 'fullName'),
    }),
    displayName: textAt(name, 'fullName'),
    // An archived user keeps the data but cannot sign in, as a suspended one.
    active: user.suspended !== true && user.archived !== true,
    emails: emailsOf(user, userName),
    phoneNumbers: listOf(user, 'phones', 'value'),
    title: textAt(organization, 'title'),
    preferredLanguage: textAt(primaryOf(objectsAt(user, 'languages')) ?? {}, 'languageCode'),
    [ENTERPRISE_URN]: defined({
      employeeNumber: employee && textAt(employee, 'value'),
      costCenter: textAt(organization, 'costCenter'),
      organization: textAt(organization, 'name'),
      department: textAt(organization, 'department'),
    }),
  });
  return {
    id,
    resource: withEnterprise(resource as ScimResource),
    orgUnit: textAt(user, 'orgUnitPath') ?? null,
  };
}

export function googleGroup(group: JsonObject): WorkspaceGroup {
  const id = requiredText(group, 'id');
  const email = textAt(group, 'email') ?? null;
  const displayName = textAt(group, 'name') ?? email ?? id;
  return { id, email, resource: { schemas: [GROUP_URN], externalId: id, displayName } };
}

/** Null for a member that is no user and no group: all users of the account, or an outside address. */
export function googleMember(member: JsonObject): WorkspaceMember | null {
  const id = textAt(member, 'id');
  if (id === undefined || (member.type !== 'USER' && member.type !== 'GROUP')) return null;
  return { id, kind: member.type === 'USER' ? 'user' : 'group' };
}

/** All addresses; the one that the user signs in with is the primary one. */
function emailsOf(user: JsonObject, primaryEmail: string) {
  const others = listOf(user, 'emails', 'address') ?? [];
  const isPrimary = ({ value }: { value: string }) => value === primaryEmail;
  const found = others.find(isPrimary);
  const primary = { value: primaryEmail, type: found?.type ?? 'work', primary: true };
  const rest = others.filter((email) => !isPrimary(email));
  return [primary, ...rest.map(({ value, type }) => defined({ value, type }))];
}

/** The values of a list in the form of SCIM; undefined for none. */
function listOf(user: JsonObject, name: string, field: 'value' | 'address') {
  const values = objectsAt(user, name).flatMap((element) => {
    const value = textAt(element, field);
    if (value === undefined) return [];
    const type = textAt(element, 'type');
    const named = type === 'custom' ? textAt(element, 'customType') : type;
    return [{ value, type: named, ...(element.primary === true ? { primary: true } : {}) }];
  });
  if (values.length === 0) return undefined;
  return values.map((value) => defined(value) as { value: string; type?: string });
}

function primaryOf(elements: JsonObject[]): JsonObject | undefined {
  return elements.find(({ primary }) => primary === true) ?? elements[0];
}
