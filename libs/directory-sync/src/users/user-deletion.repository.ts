/**
 * Deleting a user together with its memberships. Those who add members lock the group first and the
 * user then; so does this, and it waits for no group once the user is locked.
 */
import { type Executor, type Statement } from '../database/database.js';
import { inDirectory } from '../directories/scope.js';
import { ANNOUNCED, logged, membershipData, userData } from '../events/event.sql.js';
import type { EventRow } from '../events/event.types.js';
import type { UserScope } from './user.repository.js';

/**
 * Deletes a user with its memberships, whose events come first. `groupIds` are the groups that the
 * caller has locked; a user of any other group is left as it is. With `version` only that one is deleted.
 * Returns undefined when nothing was deleted.
 */
export async function deleteUser(
  executor: Executor,
  scope: UserScope,
  id: string,
  version: number | null,
  groupIds: readonly string[],
): Promise<EventRow[] | undefined> {
  const values = [scope.directoryId, scope.revision, id, version, groupIds];
  const rows = await executor.run<EventRow>(DELETE, values);
  return rows.length > 0 ? rows : undefined;
}

/**
 * Locks the groups of a user, in one order for all, and then the user: nobody can make it a member
 * any more.
 * @returns the ids of the groups; it may have become a member of others before it was locked
 */
export async function lockWithGroups(
  executor: Executor,
  directoryId: string,
  id: string,
): Promise<string[]> {
  const groups = await executor.run<{ id: string }>(LOCK_GROUPS, [directoryId, id]);
  await executor.run(LOCK, [directoryId, id]);
  return groups.map((group) => group.id);
}

const LOCK_GROUPS: Statement = {
  name: 'dsync_lock_groups_of_user',
  text: `SELECT g.id FROM dsync.groups g
    WHERE ${inDirectory('g')} AND g.id IN (
      SELECT m.group_id FROM dsync.group_members m WHERE m.user_id = $2)
    ORDER BY g.id FOR NO KEY UPDATE OF g`,
};

const LOCK: Statement = {
  name: 'dsync_lock_user',
  text: `SELECT FROM dsync.users u WHERE u.id = $2 AND ${inDirectory('u')} FOR UPDATE`,
};

const DELETE: Statement = {
  name: 'dsync_delete_user',
  text: `WITH ${ANNOUNCED},
    target AS MATERIALIZED (
      SELECT u.* FROM announced, dsync.users u
      WHERE u.id = $3 AND ($4::integer IS NULL OR u.version = $4) AND ${inDirectory('u')}
        AND NOT EXISTS (SELECT FROM dsync.group_members m
          WHERE m.user_id = $3 AND m.group_id <> ALL ($5::uuid[]))
      FOR UPDATE OF u),
    ended AS (
      DELETE FROM dsync.group_members m USING target t
      WHERE m.user_id = t.id
      RETURNING m.group_id),
    bumped AS (
      UPDATE dsync.groups g SET version = g.version + 1, member_count = g.member_count - 1,
        updated_at = now()
      FROM ended WHERE g.id = ended.group_id
      RETURNING g.*),
    deleted AS (
      DELETE FROM dsync.users u USING target t WHERE u.id = t.id
      RETURNING u.id),
    ${logged(
      `SELECT 1 AS rank, 'group.user_removed' AS type, ${membershipData('t', 'g')} AS data,
          NULL::json AS previous, g.id AS group_id FROM target t, bumped g
        UNION ALL
        SELECT 2, 'user.deleted', ${userData('t')}, NULL, NULL FROM target t, deleted`,
      'rank, group_id',
    )}
    SELECT * FROM logged ORDER BY sequence`,
};
