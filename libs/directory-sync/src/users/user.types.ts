import type { JsonObject, ScimResource } from '@gatehouse/scim';

/** A stored user with the groups that it is a direct member of. */
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
  /** Null where the statement did not ask for them. */
  groups: { value: string; display: string }[] | null;
}

/** What a user's resource is made of. */
export type UserResourceRow = Pick<
  UserRow,
  'id' | 'raw' | 'version' | 'createdAt' | 'updatedAt' | 'groups'
>;

/** A user as the management side and the controller show it. */
export interface DirectoryUser {
  id: string;
  first_name: string;
  last_name: string;
  email: string;
  active: boolean;
  raw: JsonObject;
  custom_attributes?: JsonObject;
}
