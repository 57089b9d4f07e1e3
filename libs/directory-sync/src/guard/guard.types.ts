/** What holds the removals that an identity provider sends to a SCIM directory. */
export interface GuardSettings {
  /** The part of the users, or of the groups, that may be removed in a window; null for no limit. */
  max_delete_ratio: number | null;
  /** How many users, or groups, may be removed in a window; null for no limit. */
  max_deletes: number | null;
  /** Groups, by name, that are not deleted or emptied without a decision. */
  protected_groups: string[];
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
  window_seconds: 86_400,
};

export type RemovedKind = 'user' | 'group';

/** A write that takes something away: `empty` removes all members of a group. */
export interface Removal {
  kind: RemovedKind;
  id: string;
  operation: 'delete' | 'deactivate' | 'empty';
}

/** Why removals wait for a decision. */
export interface GuardReason {
  reason: 'too_many_deletions' | 'protected_group';
  /** For an administrator. */
  message: string;
}

/** What has been removed in a window. */
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
