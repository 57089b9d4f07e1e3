/** Roles that users have through groups. */

/** How many rules of a user count: all, or the one with the highest priority. */
export const ROLE_MODES = ['all', 'highest'] as const;
export type RoleMode = (typeof ROLE_MODES)[number];

/** The groups that a rule applies to, by one of their attributes; they may not exist yet. */
export type GroupChoice = { id: string } | { external_id: string } | { display_name: string };

export interface RoleRule {
  group: GroupChoice;
  role: string;
  priority: number;
}

/** The roles that the groups of a directory give to users. */
export interface RoleMapping {
  /** The role of users to whom no rule applies; null for none. */
  default_role: string | null;
  mode: RoleMode;
  rules: RoleRule[];
}

export type MappingState = 'applying' | 'applied' | 'removing';

/** How far a change of the rules has come. */
export interface MappingProgress {
  /** `removing`: the mapping was deleted, and users lose their roles. */
  state: MappingState;
  /** The users of the directory when the rules changed. */
  users_total: number;
  users_processed: number;
  /** Users whose roles the change of the rules has changed. */
  users_changed: number;
  updated_at: string;
  /** Null until all users have the roles of these rules. */
  applied_at: string | null;
}

export interface RoleMappingView extends RoleMapping {
  /** With the number of groups that each rule applies to, those inside its groups included. */
  rules: (RoleRule & { groups: number })[];
  progress: MappingProgress;
}

/** A user whose roles a mapping would change. */
export interface RoleChange {
  user: { id: string; first_name: string; last_name: string; email: string; active: boolean };
  previous: string[];
  current: string[];
}

/** Changes that a mapping would make. */
export interface RolePreview {
  /** Users that were compared: all of the directory, unless it is too large. */
  users: number;
  is_complete: boolean;
  users_changed: number;
  /** By role: how many users would gain or lose it. */
  roles: { role: string; gained: number; lost: number }[];
  /** Groups that each rule applies to, in the order of the rules. */
  groups: number[];
  /** Some of the users whose roles would change. */
  examples: RoleChange[];
}
