import { type WorkspaceSettings } from './settings.types.js';

/**
 * Why a run was started; `callback`: by `sync(callback)` of the controller object, `scim`: to hold what
 * an identity provider would remove from a guarded SCIM directory.
 */
export type RunTrigger = 'schedule' | 'demand' | 'push' | 'callback' | 'scim';

export type RunState =
  'queued' | 'listing' | 'applying' | 'held' | 'succeeded' | 'failed' | 'discarded';

/**
 * The steps until differences are known. Missing resources are looked for in a second listing: a
 * resource that is renamed while its pages are read may move to a page that was read before. `plan`
 * compares the members of each group first.
 */
export const LISTING_PHASES = [
  'users',
  'groups',
  'members',
  'missing_users',
  'missing_groups',
  'plan',
  'hold',
] as const;
export type ListingPhase = (typeof LISTING_PHASES)[number];

/** The order in which differences are applied: deletions last. */
export const APPLYING_PHASES = [
  'apply_users',
  'apply_groups',
  'add_members',
  'remove_members',
  'delete_groups',
  'delete_users',
  'finish',
] as const;
/** `remove_held` is the only phase of a run that holds removals of a SCIM directory. */
export type ApplyingPhase = (typeof APPLYING_PHASES)[number] | 'remove_held';

export interface RunCounts {
  users_listed: number;
  groups_listed: number;
  members_listed: number;
  users_created: number;
  users_updated: number;
  users_deleted: number;
  groups_created: number;
  groups_updated: number;
  groups_deleted: number;
  members_added: number;
  members_removed: number;
  /** Users and groups that could not be stored. */
  failed: number;
}

export const NO_COUNTS: RunCounts = {
  users_listed: 0,
  groups_listed: 0,
  members_listed: 0,
  users_created: 0,
  users_updated: 0,
  users_deleted: 0,
  groups_created: 0,
  groups_updated: 0,
  groups_deleted: 0,
  members_added: 0,
  members_removed: 0,
  failed: 0,
};

export interface HoldReason {
  reason:
    | 'too_many_deletions'
    | 'too_many_removals'
    | 'empty_listing'
    | 'incomplete_listing'
    | 'protected_group'
    | 'protected_role';
  /** For an administrator. */
  message: string;
}

/** Amounts that a run has listed and repeated, against its bounds. */
export interface RunAmounts {
  /** Bytes of users and groups as JSON. */
  bytes: number;
  /** Memberships that were compared, those of nested groups included if they are flattened. */
  memberships: number;
  /** Times that a listing began again, because its page token had expired. */
  restarts?: number;
}

/** How far a run is. A process that takes over a run goes on from here. */
export interface RunProgress {
  state: RunState;
  phase: ListingPhase | ApplyingPhase;
  /** The last group whose members were listed or compared, or the last resource that was applied. */
  position: string;
  /** Token of the next page in this phase; null for the first. */
  pageToken: string | null;
  /** Whether what failed is tried again, after deletions have made room. */
  secondRound: boolean;
  counts: RunCounts;
  pages: number;
  apiCalls: number;
  /** Times in a row that the provider was not available. */
  setbacks: number;
  holdReasons: HoldReason[];
  amounts: RunAmounts;
  /** Stands for the state at the provider before the run; null if the provider gives no such token. */
  changeToken: string | null;
  /** When the last listing began, if nothing has changed since; null if the run lists. */
  unchangedSince: Date | null;
}

export interface Run extends RunProgress {
  id: string;
  directoryId: string;
  trigger: RunTrigger;
  /** Settings at the start of the run; null before. */
  settings: Partial<WorkspaceSettings> | null;
}

export interface RunRow extends Run {
  error: string | null;
  createdAt: Date;
  startedAt: Date | null;
  finishedAt: Date | null;
}

export const FIRST_PHASE: ListingPhase = 'users';
