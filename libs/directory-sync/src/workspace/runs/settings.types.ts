/** The part of a workspace that a directory reads, and the limits beyond which its runs are held. */
export interface WorkspaceSettings {
  /** Only these groups, by id, email or name; empty for all. */
  include_groups: string[];
  /** Not these groups. */
  exclude_groups: string[];
  /** Only users of these organizational units and the units below; empty for all. */
  organizational_units: string[];
  /** Members of nested groups count as members of the outer group. */
  flatten_groups: boolean;
  /** A run that would delete or deactivate a larger part is held; null for the default. */
  max_delete_ratio: number | null;
  /** A run that would delete or deactivate more users, or more groups, is held; null for no limit. */
  max_deletes: number | null;
  /** A run that would remove a larger part of the memberships is held; null for the default. */
  max_member_removal_ratio: number | null;
  /** A run that would delete or empty one of these groups is held. */
  protected_groups: string[];
}

export const DEFAULT_SETTINGS: WorkspaceSettings = {
  include_groups: [],
  exclude_groups: [],
  organizational_units: [],
  flatten_groups: false,
  max_delete_ratio: null,
  max_deletes: null,
  max_member_removal_ratio: null,
  protected_groups: [],
};

/** Settings as they are stored, with the defaults of what is not set. */
export const withDefaults = (stored: Partial<WorkspaceSettings> | null | undefined) => ({
  ...DEFAULT_SETTINGS,
  ...stored,
});
