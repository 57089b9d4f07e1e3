import { type Executor, type Statement } from '../database/database.js';
import type { MemberRow } from './group.types.js';

export const MEMBER_TYPE = `CASE WHEN m.user_id IS NULL THEN 'Group' ELSE 'User' END`;
const MEMBER_DISPLAY = 'coalesce(u.display_name, u.user_name, n.display_name)';

const MEMBER_COLUMNS = `m.member_id AS value,
  ${MEMBER_TYPE} AS type, ${MEMBER_DISPLAY} AS display`;

/** The members of a group, `m`, with the user `u` or group `n` behind each. */
const MEMBER_SOURCE = `dsync.group_members m
  LEFT JOIN dsync.users u ON u.id = m.user_id
  LEFT JOIN dsync.groups n ON n.id = m.subgroup_id`;

/** The members of several groups, by group. */
export async function membersOfGroups(
  executor: Executor,
  groupIds: readonly string[],
): Promise<Map<string, MemberRow[]>> {
  const members = new Map<string, MemberRow[]>(groupIds.map((id) => [id, []]));
  const rows = await executor.run<MemberRow & { groupId: string }>(OF_GROUPS, [groupIds]);
  for (const { groupId, ...member } of rows) members.get(groupId)?.push(member);
  return members;
}

/** The ids of some members of a group, at most `limit`. */
export async function someMemberIds(
  executor: Executor,
  groupId: string,
  limit: number,
): Promise<string[]> {
  const rows = await executor.run<{ id: string }>(SOME, [groupId, limit]);
  return rows.map(({ id }) => id);
}

/** The ids of the members, `m`, of a group `$1` for which an SQL condition holds. */
export async function matchingMemberIds(
  executor: Executor,
  condition: string,
  values: readonly unknown[],
): Promise<string[]> {
  const text = `SELECT m.member_id AS id FROM dsync.group_members m
    WHERE m.group_id = $1 AND (${condition})`;
  return (await executor.run<{ id: string }>({ text }, values)).map(({ id }) => id);
}

/** Users of a group by id, newest first. */
export async function userIdsOfGroup(
  executor: Executor,
  groupId: string,
  offset: number,
  limit: number,
): Promise<string[]> {
  const values = [groupId, offset, limit];
  const rows = await executor.run<{ id: string }>(USER_IDS, values);
  return rows.map(({ id }) => id);
}

const OF_GROUPS: Statement = {
  name: 'dsync_members_of_groups',
  text: `SELECT m.group_id AS "groupId", ${MEMBER_COLUMNS} FROM ${MEMBER_SOURCE}
    WHERE m.group_id = ANY ($1::uuid[])
    ORDER BY m.group_id, m.member_id`,
};

const SOME: Statement = {
  name: 'dsync_some_members',
  text: `SELECT m.member_id AS id FROM dsync.group_members m
    WHERE m.group_id = $1 ORDER BY m.member_id LIMIT $2`,
};

const USER_IDS: Statement = {
  name: 'dsync_user_ids_of_group',
  text: `SELECT m.user_id AS id FROM dsync.group_members m
    WHERE m.group_id = $1 AND m.user_id IS NOT NULL
    ORDER BY m.member_id DESC OFFSET $2 LIMIT $3`,
};
