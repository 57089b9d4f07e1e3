/** Members of groups. */
import { type SqlExecutor, sqlFault, uuidv7 } from '@gatehouse/service-kit';
import type { EventRow } from '../events/event.types.js';
import type { GroupRow, GroupScope, GroupWrite, MemberRow } from './group.types.js';
import { ADD_USER, MEMBERS_OF_GROUPS, SOME_MEMBER_IDS, USER_IDS_OF_GROUP } from './member.sql.js';

/** The members of several groups, by group. */
export async function membersOfGroups(
  sql: SqlExecutor,
  groupIds: readonly string[],
): Promise<Map<string, MemberRow[]>> {
  const members = new Map<string, MemberRow[]>(groupIds.map((id) => [id, []]));
  const rows = await sql.rows<MemberRow & { groupId: string }>(MEMBERS_OF_GROUPS, [groupIds]);
  for (const { groupId, ...member } of rows) members.get(groupId)?.push(member);
  return members;
}

/** The ids of some members of a group, at most `limit`. */
export async function someMemberIds(
  sql: SqlExecutor,
  groupId: string,
  limit: number,
): Promise<string[]> {
  const rows = await sql.rows<{ id: string }>(SOME_MEMBER_IDS, [groupId, limit]);
  return rows.map(({ id }) => id);
}

/** The ids of the members, `m`, of a group `$1` for which an SQL condition holds. */
export async function matchingMemberIds(
  sql: SqlExecutor,
  condition: string,
  values: readonly unknown[],
): Promise<string[]> {
  const text = `SELECT m.member_id AS id FROM dsync.group_members m
    WHERE m.group_id = $1 AND (${condition})`;
  return (await sql.rows<{ id: string }>({ text }, values)).map(({ id }) => id);
}

/** Users of a group by id, newest first. */
export async function userIdsOfGroup(
  sql: SqlExecutor,
  groupId: string,
  offset: number,
  limit: number,
): Promise<string[]> {
  const values = [groupId, offset, limit];
  const rows = await sql.rows<{ id: string }>(USER_IDS_OF_GROUP, values);
  return rows.map(({ id }) => id);
}

type GroupJson = Omit<GroupRow, 'createdAt' | 'updatedAt'> & { createdAt: string };
type AdditionRow = Pick<EventRow, 'sequence' | 'createdAt'> & {
  data: EventRow['data'] | null;
  group: GroupJson;
};

/**
 * Makes a user a member of a group that it is not a member of yet, with the event.
 * @returns undefined, with nothing written, when it is something else: a member already, a group,
 *   nobody; no such group, another revision of the directory; or a race that another one has won
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
  const [row] = await sql.rows<AdditionRow>(ADD_USER, values).catch((error: unknown) => {
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
  };
}

/** The user was added or deleted, or the group deleted, by somebody who was faster. */
const LOST_RACES = new Set(['23505', '23503', '40001', '40P01']);
