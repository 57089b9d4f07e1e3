/**
 * Entries of Microsoft Graph as SCIM resources. Their shapes:
 * https://learn.microsoft.com/graph/api/resources/user and
 * https://learn.microsoft.com/graph/api/resources/group.
 */
import { type JsonObject, type ScimResource } from '@gatehouse/scim';
import { defined, requiredText, textAt } from '../http/answer-fields.js';
import { type WorkspaceGroup, type WorkspaceMember, type WorkspaceUser } from '../provider.js';
import { ENTERPRISE_URN, GROUP_URN, USER_URN, withEnterprise } from '../scim-urns.js';

export const USER_SELECT =
  'id,userPrincipalName,displayName,givenName,surname,mail,accountEnabled,jobTitle,department,companyName,employeeId,businessPhones,mobilePhone,preferredLanguage,userType';
export const GROUP_SELECT = 'id,displayName,mail';

/** The sign-in name of a guest is made up, and no address. */
const GUEST = '#EXT#';

export function entraUser(user: JsonObject): WorkspaceUser {
  const id = requiredText(user, 'id');
  const userName = requiredText(user, 'userPrincipalName');
  const displayName = textAt(user, 'displayName');
  const email = textAt(user, 'mail') ?? (userName.includes(GUEST) ? undefined : userName);
  const resource = defined({
    schemas: [USER_URN],
    externalId: id,
    userName,
    name: defined({
      givenName: textAt(user, 'givenName'),
      familyName: textAt(user, 'surname'),
      formatted: displayName,
    }),
    displayName,
    active: user.accountEnabled !== false,
    emails: email === undefined ? undefined : [{ value: email, type: 'work', primary: true }],
    phoneNumbers: phonesOf(user),
    title: textAt(user, 'jobTitle'),
    userType: textAt(user, 'userType'),
    preferredLanguage: textAt(user, 'preferredLanguage'),
    [ENTERPRISE_URN]: defined({
      employeeNumber: textAt(user, 'employeeId'),
      organization: textAt(user, 'companyName'),
      department: textAt(user, 'department'),
    }),
  });
  return { id, resource: withEnterprise(resource as ScimResource), orgUnit: null };
}

export function entraGroup(group: JsonObject): WorkspaceGroup {
  const id = requiredText(group, 'id');
  const displayName = textAt(group, 'displayName') ?? id;
  const resource = { schemas: [GROUP_URN], externalId: id, displayName };
  return { id, email: textAt(group, 'mail') ?? null, resource };
}

/** Null for a member that is no user and no group: a device, a contact or an application. */
export function entraMember(member: JsonObject): WorkspaceMember | null {
  const id = requiredText(member, 'id');
  switch (member['@odata.type']) {
    case '#microsoft.graph.user':
      return { id, kind: 'user' };
    case '#microsoft.graph.group':
      return { id, kind: 'group' };
    default:
      return null;
  }
}

function phonesOf(user: JsonObject) {
  const business = Array.isArray(user.businessPhones) ? (user.businessPhones as unknown[]) : [];
  const mobile = textAt(user, 'mobilePhone');
  const phones = [...business.filter((value) => typeof value === 'string' && value !== '')].map(
    (value) => ({ value: value as string, type: 'work' }),
  );
  const all = mobile === undefined ? phones : [...phones, { value: mobile, type: 'mobile' }];
  return all.length === 0 ? undefined : all;
}
