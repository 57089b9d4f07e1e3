/**
 * Control scopes make an issued key an administrator of a service. Their prefixes are reserved: no
 * other scope may start with one.
 */
export const CONTROL_SCOPES = [
  'keys:admin',
  'keys:read',
  'keys:issue',
  'keys:revoke',
  'keys:verify',
  'keys:derive',
  'keys:report',
  'dsync:admin',
  'dsync:read',
  'forms:admin',
  'forms:read',
] as const;
export type ControlScope = (typeof CONTROL_SCOPES)[number];

const RESERVED_PREFIX = /^(?:keys|dsync|forms|console):/;

/** Whether a scope has a reserved prefix, known or not. */
export function isReservedScope(scope: string): boolean {
  return RESERVED_PREFIX.test(scope);
}

export function isControlScope(scope: string): scope is ControlScope {
  return (CONTROL_SCOPES as readonly string[]).includes(scope);
}

/** Whether these scopes include this control scope: as it is, or by the `admin` of its service. */
export function coversScope(held: readonly string[], scope: ControlScope): boolean {
  return held.includes(scope) || held.includes(scope.replace(/:.*/, ':admin'));
}
