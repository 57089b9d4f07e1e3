/** Limits beyond which removals from the identity provider of a SCIM directory are held. */
export interface GuardSettings {
  /** The part of the users, or of the groups, that may be removed in a window; null for no limit. */
  max_delete_ratio: number | null;
  /** How many users, or groups, may be removed in a window; null for no limit. */
  max_deletes: number | null;
  /** Groups, by name, that are not deleted or emptied without a decision. */
  protected_groups: string[];
  /** Roles by the role mapping whose last active user is not taken away without a decision. */
  protected_roles: string[];
  /** The length of a window, which begins with the first removal. */
  window_seconds: number;
}

/** A directory whose removals are counted; null: none is held. */
export interface GuardedDirectory {
  id: string;
  guard: GuardSettings | null;
}

export const NO_GUARD: GuardSettings = {
  max_delete_ratio: null,
  max_deletes: null,
  protected_groups: [],
  protected_roles: [],
  window_seconds: 86_400,
};

export type RemovedKind = 'user' | 'group';

/**
 * A write that takes something away: `empty` removes all members of a group, `members` some of them, or
 * none if the group has changed in another way.
 */
export interface Removal {
  kind: RemovedKind;
  id: string;
  operation: 'delete' | 'deactivate' | 'empty' | 'members';
  /** Ids of `members`. */
  memberIds?: readonly string[];
}

/** Why removals wait for a decision. */
export interface GuardReason {
  reason: 'too_many_deletions' | 'protected_group' | 'protected_role';
  /** For an administrator. */
  message: string;
}

/** Removals in a window. */
export interface GuardWindow {
  usersBefore: number;
  groupsBefore: number;
  users: number;
  groups: number;
  /** Whether another one begins with the next removal. */
  isOver: boolean;
  /** Whether removals were approved a short time ago. */
  isOpen: boolean;
}

/** A removal that waits for a decision, as administrators see it. */
export interface HeldRemoval extends Removal {
  externalId: string;
  name: string;
}

/** A member that is to be removed from a group, by the ids of the provider. */
export interface HeldMember {
  group: string;
  groupName: string;
  member: string;
}
