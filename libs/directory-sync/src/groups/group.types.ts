import type { JsonObject, ScimResource } from '@gatehouse/scim';

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
