import { type JsonObject, versionTag } from '@gatehouse/scim';
import { groupReferences } from '../../users/group-references.js';
import { type UserResourceRow } from '../../users/user.types.js';

/**
 * The SCIM representation of a user: the stored resource with the attributes that the server
 * assigns. A user without `active` is active, here as in filters and events.
 */
export function userDocument(baseUrl: string, row: UserResourceRow): JsonObject {
  const { schemas, ...attributes } = row.raw;
  const groups = groupReferences(baseUrl, row.groups);
  return {
    schemas,
    id: row.id,
    active: true,
    ...attributes,
    ...(groups.length === 0 ? {} : { groups }),
    meta: {
      resourceType: 'User',
      created: row.createdAt.toISOString(),
      lastModified: row.updatedAt.toISOString(),
      location: `${baseUrl}/Users/${row.id}`,
      version: versionTag(row.version),
    },
  };
}
