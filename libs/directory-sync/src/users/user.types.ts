import { type JsonObject, type ScimResource } from '@gatehouse/scim';
import { type EventRow } from '../events/event.types.js';

/** A stored user with the groups it is a direct member of. */
export interface UserRow {
  id: string;
  version: number;
  raw: ScimResource;
  firstName: string | null;
  lastName: string | null;
  email: string | null;
  active: boolean;
  createdAt: Date;
  updatedAt: Date;
  /** The stored size of `raw`. */
  bytes: number;
  /** Null if the statement did not read them. */
  groups: { value: string; display: string }[] | null;
}

/** The result of writing a user. */
export interface UserWrite {
  user: UserRow;
  /** `raw` as the JSON text that was written. */
  rawText: string;
  /** Empty unless the write scope asks for events. */
  events: EventRow[];
}

/** The result of deleting a user. */
export interface UserDeletion {
  events: EventRow[];
  /** The size that `raw` had. */
  bytes: number;
}

/** The part of a user that its SCIM representation needs. */
export type UserResourceRow = Pick<
  UserRow,
  'id' | 'raw' | 'version' | 'createdAt' | 'updatedAt' | 'groups'
>;

/** A user as the management API returns it. */
export interface DirectoryUser {
  id: string;
  directory_id: string;
  first_name: string;
  last_name: string;
  email: string;
  active: boolean;
  /** By the role mapping of the directory; without one, those that the provider sends, if any. */
  roles?: string[];
  raw: JsonObject;
  custom_attributes?: JsonObject;
}

/** A user as the management side reads it, with the attribute mapping of its directory. */
export type UserRecord = Pick<
  UserRow,
  'id' | 'firstName' | 'lastName' | 'email' | 'active' | 'raw' | 'groups'
> & {
  directoryId: string;
  attributeMapping: Record<string, string> | null;
  /** By the role mapping of the directory; null if it has none. */
  mappedRoles: string[] | null;
};
