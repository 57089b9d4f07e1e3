import { type JsonObject, versionTag } from '@gatehouse/scim';
import type { GroupRow, MemberRow } from '../../groups/group.types.js';
import { membersOfGroups } from '../../groups/member.repository.js';
import type { ScimContext } from '../protocol/scim.types.js';

/** A group as SCIM shows it; its members are read only where they are shown. */
export async function groupDocument(
  context: ScimContext,
  row: GroupRow,
  showsMembers: boolean,
): Promise<JsonObject> {
  if (!showsMembers) return groupWithMembers(context, row);
  const members =
    row.memberCount === 0 ? undefined : await membersOfGroups(context.database, [row.id]);
  return groupWithMembers(context, row, members?.get(row.id) ?? []);
}

export function groupWithMembers(
  context: Pick<ScimContext, 'baseUrl'>,
  row: GroupRow,
  members?: MemberRow[],
): JsonObject {
  const { schemas, ...attributes } = row.raw;
  return {
    schemas,
    id: row.id,
    ...attributes,
    ...(members && { members: members.map((member) => memberDocument(context.baseUrl, member)) }),
    meta: {
      resourceType: 'Group',
      created: row.createdAt.toISOString(),
      lastModified: row.updatedAt.toISOString(),
      location: `${context.baseUrl}/Groups/${row.id}`,
      version: versionTag(row.version),
    },
  };
}

function memberDocument(baseUrl: string, { value, type, display }: MemberRow): JsonObject {
  const $ref = `${baseUrl}/${type}s/${value}`;
  return display === null ? { value, $ref, type } : { value, $ref, type, display };
}
