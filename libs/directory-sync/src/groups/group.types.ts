import type { JsonObject, ScimResource } from '@gatehouse/scim';
import type { WriteScope } from '../directories/directory.types.js';
import type { EventRow } from '../events/event.types.js';

/** A stored group. Its members are rows of their own and never part of it. */
export interface GroupRow {
  id: string;
  version: number;
  displayName: string;
  raw: ScimResource;
  memberCount: number;
  createdAt: Date;
  updatedAt: Date;
}

/** A member as SCIM shows it. */
export interface MemberRow {
  value: string;
  type: 'User' | 'Group';
  display: string | null;
}

/** A group as the management side and the controller show it. */
export interface DirectoryGroup {
  id: string;
  name: string;
  raw: JsonObject;
  members?: { group_id: string; user_id: string }[];
}

/** Where a group's change belongs, and what the caller wants to know of it. */
export interface GroupScope extends WriteScope {
  /** In directories of some types no two groups have the same name. */
  hasUniqueNames: boolean;
}

/** Members to add and to remove. With `reset` all go that are not among those to add. */
export interface MemberSet {
  reset: boolean;
  addIds: readonly string[];
  removeIds: readonly string[];
}

export interface GroupWrite {
  group: GroupRow;
  events: EventRow[];
  /** How many of the ids to add were nobody of this directory. */
  ignored: number;
}

/** A group as the management side reads it. */
export type GroupRecord = Pick<GroupRow, 'id' | 'displayName' | 'raw'>;
