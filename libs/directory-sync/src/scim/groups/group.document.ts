import { type JsonObject, ScimError, versionTag } from '@gatehouse/scim';
import { MEMBER_BYTES } from '../../groups/group.sql.js';
import { type GroupRow, type MemberRow } from '../../groups/group.types.js';
import { membersOfGroups } from '../../groups/member.repository.js';
import { type ScimScope } from '../protocol/scim.types.js';

type Measured = Pick<GroupRow, 'id' | 'memberCount'>;

/** Whether a group with its members is about as large as a page may be. */
export function isOversized({ engine }: ScimScope, { memberCount }: Measured): boolean {
  return memberCount * MEMBER_BYTES > engine.limits.pageBytesMax;
}

/**
 * A list of members that ends early would look as if the others had left, so a group that is too
 * large to show is refused.
 *
 * @throws ScimError 400 `tooMany` that says how to read the group
 */
export function refuseOversized(scope: ScimScope, group: Measured): void {
  if (!isOversized(scope, group)) return;
  const { id, memberCount } = group;
  throw new ScimError(
    400,
    'tooMany',
    `Group ${id} has ${memberCount} members, too many for one response. Read it with ` +
      `excludedAttributes=members, and its users with the filter groups.value eq "${id}".`,
  );
}

/** The SCIM representation of a group; reads its members only if they are shown. */
export async function groupDocument(
  { engine: { sql }, call: { baseUrl }, directory }: ScimScope,
  row: GroupRow,
  showsMembers: boolean,
): Promise<JsonObject> {
  if (!showsMembers) return groupWithMembers(baseUrl, row);
  const members =
    row.memberCount === 0 ? undefined : await membersOfGroups(sql, directory.id, [row.id]);
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
