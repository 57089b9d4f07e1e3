/** Members of groups. */
import { uuidv7 } from '@gatehouse/kit/ids';
import { type SqlExecutor, sqlFault } from '@gatehouse/kit/sql';
import { type ScopeFilter, scopeValues } from '../directories/directory.sql.js';
import { type EventRow } from '../events/event.types.js';
import { type GroupRow, type GroupScope, type GroupWrite, type MemberRow } from './group.types.js';
import * as statements from './member.sql.js';

type MemberOfGroup = MemberRow & { groupId: string };

/** The members of several groups, by group. */
export async function membersOfGroups(
  sql: SqlExecutor,
  directoryId: string,
  groupIds: readonly string[],
): Promise<Map<string, MemberRow[]>> {
  const rows = await sql.rows<MemberOfGroup>(statements.MEMBERS_OF_GROUPS, [directoryId, groupIds]);
  return byGroup(groupIds, rows);
}

/** At most `limit` members of each of several groups, by group. */
export async function firstMembersOfGroups(
  sql: SqlExecutor,
  groups: readonly { directoryId: string; id: string }[],
  limit: number,
): Promise<Map<string, MemberRow[]>> {
  const groupIds = groups.map(({ id }) => id);
  const values = [groups.map(({ directoryId }) => directoryId), groupIds, limit];
  const rows = await sql.rows<MemberOfGroup>(statements.FIRST_MEMBERS_OF_GROUPS, values);
  return byGroup(groupIds, rows);
}

function byGroup(
  groupIds: readonly string[],
  rows: readonly MemberOfGroup[],
): Map<string, MemberRow[]> {
  const members = new Map<string, MemberRow[]>(groupIds.map((id) => [id, []]));
  for (const { groupId, ...member } of rows) members.get(groupId)?.push(member);
  return members;
}

/** The ids of at most `limit` members of a group. */
export async function someMemberIds(
  sql: SqlExecutor,
  directoryId: string,
  groupId: string,
  limit: number,
): Promise<string[]> {
  const values = [directoryId, groupId, limit];
  const rows = await sql.rows<{ id: string }>(statements.SOME_MEMBER_IDS, values);
  return rows.map(({ id }) => id);
}

/** The ids of the members, `m`, of group `$1` that meet an SQL condition. */
export async function matchingMemberIds(
  sql: SqlExecutor,
  condition: string,
  values: readonly unknown[],
): Promise<string[]> {
  const text = `SELECT m.member_id AS id FROM dsync.group_members m
    WHERE m.group_id = $1 AND (${condition})`;
  return (await sql.rows<{ id: string }>({ text }, values)).map(({ id }) => id);
}

export interface MembersRequest {
  /** Also the groups inside the group. */
  withGroups: boolean;
  /** The id of the last member before. */
  after: string | undefined;
  offset: number;
  limit: number;
}

/** Members of a group, newest first; none of an unknown group. */
export function listMembers(
  sql: SqlExecutor,
  scope: ScopeFilter,
  groupId: string,
  { withGroups, after, offset, limit }: MembersRequest,
): Promise<MemberRow[]> {
  const values = [...scopeValues(scope), groupId, withGroups, after ?? null, offset, limit];
  return sql.rows<MemberRow>(statements.LIST_MEMBERS, values);
}

type GroupJson = Omit<GroupRow, 'createdAt' | 'updatedAt'> & { createdAt: string };
type AdditionRow = Pick<EventRow, 'sequence' | 'createdAt'> & {
  data: EventRow['data'] | null;
  group: GroupJson;
};

/**
 * Adds one user to a group, the most frequent change of groups, in the shortest statement.
 *
 * @returns undefined, with nothing written, for every other case, which `changeGroup` must decide:
 *   the user is a member already, is a group or unknown; the group is unknown; the directory has
 *   another revision; or another writer won a race
 */
export async function addUser(
  sql: SqlExecutor,
  scope: GroupScope,
  groupId: string,
  userId: string,
): Promise<GroupWrite | undefined> {
  const eventId = uuidv7();
  const { directoryId, revision, wantsEvents } = scope;
  const values = [directoryId, revision, groupId, userId, eventId, wantsEvents];
  const [row] = await sql.rows<AdditionRow>(statements.ADD_USER, values).catch((error: unknown) => {
    if (LOST_RACES.has(sqlFault(error).code ?? '')) return [];
    throw error;
  });
  if (!row) return undefined;
  const { sequence, createdAt: updatedAt, data, group } = row;
  const event = { id: eventId, sequence, type: 'group.user_added', previous: null } as const;
  return {
    group: { ...group, createdAt: new Date(group.createdAt), updatedAt },
    events: data === null ? [] : [{ ...event, data, createdAt: updatedAt }],
    ignored: 0,
    isNested: false,
  };
}

/** Another writer added or deleted the user, or deleted the group. */
const LOST_RACES = new Set(['23505', '23503', '40001', '40P01']);
