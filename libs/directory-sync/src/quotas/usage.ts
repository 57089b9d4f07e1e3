/** An amount of each resource that a quota limits. */
export interface Usage {
  readonly users: number;
  readonly groups: number;
  /** The size of users and groups as stored JSON. */
  readonly bytes: number;
}

export const USAGE_NAMES = ['users', 'groups', 'bytes'] as const;

export const NO_USAGE: Usage = { users: 0, groups: 0, bytes: 0 };

export function eachUsage(amountOf: (name: keyof Usage) => number): Usage {
  return { users: amountOf('users'), groups: amountOf('groups'), bytes: amountOf('bytes') };
}

export function plus(a: Usage, b: Usage): Usage {
  return { users: a.users + b.users, groups: a.groups + b.groups, bytes: a.bytes + b.bytes };
}

export function minus(a: Usage, b: Usage): Usage {
  return { users: a.users - b.users, groups: a.groups - b.groups, bytes: a.bytes - b.bytes };
}

export function least(a: Usage, b: Usage): Usage {
  return eachUsage((name) => Math.min(a[name], b[name]));
}

export function isNothing(usage: Usage): boolean {
  return usage.users === 0 && usage.groups === 0 && usage.bytes === 0;
}

/** The values of a usage, as parameters of a statement. */
export function valuesOf(usage: Usage): number[] {
  return USAGE_NAMES.map((name) => usage[name]);
}
