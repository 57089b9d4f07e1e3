import { type JsonObject, versionTag } from '@gatehouse/scim';
import type { GroupRow, MemberRow } from '../../groups/group.types.js';
import { membersOfGroups } from '../../groups/member.repository.js';
import type { ScimScope } from '../protocol/scim.types.js';

/** The SCIM representation of a group; reads its members only if they are shown. */
export async function groupDocument(
  { sql, baseUrl }: ScimScope,
  row: GroupRow,
  showsMembers: boolean,
): Promise<JsonObject> {
  if (!showsMembers) return groupWithMembers(baseUrl, row);
  const members = row.memberCount === 0 ? undefined : await membersOfGroups(sql, [row.id]);
  return groupWithMembers(baseUrl, row, members?.get(row.id) ?? []);
}

export function groupWithMembers(
  baseUrl: string,
  row: GroupRow,
  members?: MemberRow[],
): JsonObject {
  const { schemas, ...attributes } = row.raw;
  return {
    schemas,
    id: row.id,
    ...attributes,
    ...(members && { members: members.map((member) => memberDocument(baseUrl, member)) }),
    meta: {
      resourceType: 'Group',
      created: row.createdAt.toISOString(),
      lastModified: row.updatedAt.toISOString(),
      location: `${baseUrl}/Groups/${row.id}`,
      version: versionTag(row.version),
    },
  };
}

function memberDocument(baseUrl: string, { value, type, display }: MemberRow): JsonObject {
  const $ref = `${baseUrl}/${type}s/${value}`;
  return display === null ? { value, $ref, type } : { value, $ref, type, display };
}
