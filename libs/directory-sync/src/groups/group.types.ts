import { type JsonObject, type ScimResource } from '@gatehouse/scim';
import { type WriteScope } from '../directories/directory.types.js';
import { type EventRow } from '../events/event.types.js';

/** A stored group. Its members are rows of their own. */
export interface GroupRow {
  id: string;
  version: number;
  displayName: string;
  raw: ScimResource;
  /** The stored size of `raw`. */
  bytes: number;
  memberCount: number;
  createdAt: Date;
  updatedAt: Date;
}

/** A member in SCIM responses. */
export interface MemberRow {
  value: string;
  type: 'User' | 'Group';
  display: string | null;
}

/** A group as the management API returns it. */
export interface DirectoryGroup {
  id: string;
  directory_id: string;
  name: string;
  raw: JsonObject;
  /** In lists, whose `raw` has the first members only, and of a group that is read without them. */
  members_total?: number;
  members?: { group_id: string; user_id: string }[];
}

/** A member as the management API lists it: a user, or a group inside the group. */
export interface GroupMember {
  user_id?: string;
  group_id?: string;
  name: string;
}

/** The directory that a statement on groups writes to. */
export interface GroupScope extends WriteScope {
  /** Whether two groups of the directory may not have the same name. */
  hasUniqueNames: boolean;
}

/** Members to add and to remove. `reset` removes all members except those to add. */
export interface MemberSet {
  reset: boolean;
  addIds: readonly string[];
  removeIds: readonly string[];
}

export interface GroupWrite {
  group: GroupRow;
  events: EventRow[];
  /** The number of ids to add that match no user or group of the directory. */
  ignored: number;
  /** Whether groups inside the group have changed. */
  isNested: boolean;
}

/** The result of deleting a group. */
export interface GroupDeletion {
  events: EventRow[];
  /** The size that `raw` had. */
  bytes: number;
  /** Ids of the groups that it was a member of. */
  parentIds: string[];
}

/** A group as the management side reads it. */
export type GroupRecord = Pick<GroupRow, 'id' | 'displayName' | 'raw' | 'memberCount'> & {
  directoryId: string;
};
