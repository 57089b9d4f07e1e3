import { type ScimResource } from '@gatehouse/scim';

export const USER_URN = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const GROUP_URN = 'urn:ietf:params:scim:schemas:core:2.0:Group';
export const ENTERPRISE_URN = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

/** Names the enterprise extension in `schemas`, or removes it if it has no values. */
export function withEnterprise(user: ScimResource): ScimResource {
  const { [ENTERPRISE_URN]: extension, ...core } = user;
  if (Object.keys(extension as object).length === 0) return core;
  return { ...user, schemas: [USER_URN, ENTERPRISE_URN] };
}
