/** What a person may do in the console: each role is a list of control scopes of the services. */
import { type ControlScope } from '@gatehouse/schemas';

export const ROLES = ['viewer', 'support', 'operator', 'administrator'] as const;
export type Role = (typeof ROLES)[number];

const READING: readonly ControlScope[] = ['keys:read', 'dsync:read', 'forms:read'];

const SCOPES: Readonly<Record<Role, readonly ControlScope[]>> = {
  viewer: READING,
  support: [...READING, 'keys:issue', 'keys:revoke'],
  operator: ['keys:read', 'keys:issue', 'keys:revoke', 'keys:verify', 'dsync:admin', 'forms:read'],
  administrator: ['keys:admin', 'dsync:admin', 'forms:admin'],
};

export function scopesOf(role: Role): readonly ControlScope[] {
  return SCOPES[role];
}

/** The groups of each role, as CONSOLE_ROLES has them: `operator=platform`; `*` stands for everyone. */
export type RoleGroups = readonly (readonly [role: Role, group: string])[];

/** The highest role that one of the groups has; undefined for none. */
export function roleOf(groups: readonly string[], roles: RoleGroups): Role | undefined {
  const held = roles.filter(([, group]) => group === '*' || groups.includes(group));
  return ROLES.findLast((role) => held.some(([each]) => each === role));
}

/** The role that comes closest to the scopes of a key. */
export function roleOfScopes(scopes: readonly string[]): Role {
  const admin = scopes.filter((scope) => scope.endsWith(':admin')).length;
  if (admin === 3) return 'administrator';
  if (admin > 0) return 'operator';
  return scopes.some((scope) => !scope.endsWith(':read')) ? 'support' : 'viewer';
}
