/** Bounds of one listing: a larger one ends its run before it fills the database. */
import { DEFAULT_QUOTA } from '../../scim/protocol/default-limits.js';
import { RunRefusal } from './run.refusal.js';
import { type Run } from './run.types.js';

export interface ListingBounds {
  /** As in the quota of a directory. */
  users: number;
  groups: number;
  /** Bytes of users and groups as JSON. */
  bytes: number;
  /** Memberships, those of nested groups included once these are flattened. */
  memberships: number;
  /** Groups inside of groups, if they are flattened. */
  nestedGroups: number;
}

export const DEFAULT_BOUNDS: ListingBounds = {
  ...DEFAULT_QUOTA,
  memberships: 10_000_000,
  nestedGroups: 50_000,
};

/** @throws RunRefusal if the run has listed more */
export function checkBounds({ counts, amounts }: Run, bounds: ListingBounds): void {
  const { users_listed, groups_listed, members_listed } = counts;
  const memberships = Math.max(members_listed, amounts.memberships);
  check('users', users_listed, bounds.users);
  check('groups', groups_listed, bounds.groups);
  check('bytes of users and groups', amounts.bytes, bounds.bytes);
  check('memberships', memberships, bounds.memberships);
}

/** @throws RunRefusal */
export function checkNestedGroups(nested: number, { nestedGroups: max }: ListingBounds): void {
  if (nested <= max) return;
  throw new RunRefusal(
    `More than ${max} groups are inside of other groups, too many to flatten them. ` +
      'Leave flatten_groups off.',
  );
}

function check(what: string, listed: number, max: number): void {
  if (listed <= max) return;
  throw new RunRefusal(
    `The listing has more than ${max} ${what}, which is the most of one directory. ` +
      'Choose fewer groups or organizational units.',
  );
}
