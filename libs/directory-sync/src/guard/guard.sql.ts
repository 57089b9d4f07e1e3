/** Statements of the guard of SCIM directories; `$1` is the directory. */
import { type Statement } from '@gatehouse/kit/sql';

export const CREATE_WINDOW: Statement = {
  text: 'INSERT INTO dsync.guard_windows (directory_id) VALUES ($1) ON CONFLICT DO NOTHING',
};

/** A window does not end while a run is held. */
export const FIND_WINDOW: Statement = {
  text: `SELECT w.users_before AS "usersBefore", w.groups_before AS "groupsBefore", w.users, w.groups,
      w.started_at IS NULL OR (w.started_at <= now() - $2::float * interval '1 second'
        AND NOT EXISTS (SELECT FROM dsync.workspace_runs r
          WHERE r.directory_id = w.directory_id AND r.state = 'held')) AS "isOver",
      coalesce(w.open_until > now(), false) AS "isOpen"
    FROM dsync.guard_windows w WHERE w.directory_id = $1`,
};

/** Locks the window, so that removals of a directory are counted one after the other. */
export const LOCK_WINDOW: Statement = { text: `${FIND_WINDOW.text} FOR UPDATE` };

/** `$2` users and `$3` groups have been deleted by this transaction. */
export const START_WINDOW: Statement = {
  text: `UPDATE dsync.guard_windows SET started_at = now(), users = 0, groups = 0,
      users_before = $2 + (SELECT count(*) FROM dsync.users u WHERE u.directory_id = $1),
      groups_before = $3 + (SELECT count(*) FROM dsync.groups g WHERE g.directory_id = $1)
    WHERE directory_id = $1
    RETURNING users_before AS "usersBefore", groups_before AS "groupsBefore"`,
};

export const COUNT_USER: Statement = {
  text: 'UPDATE dsync.guard_windows SET users = users + 1 WHERE directory_id = $1',
};

export const COUNT_GROUP: Statement = {
  text: 'UPDATE dsync.guard_windows SET groups = groups + 1 WHERE directory_id = $1',
};

/** For `$2` seconds, nothing is held; then a new window begins. */
export const OPEN_WINDOW: Statement = {
  text: `INSERT INTO dsync.guard_windows (directory_id, open_until)
    VALUES ($1, now() + $2::float * interval '1 second')
    ON CONFLICT (directory_id) DO UPDATE SET started_at = NULL, open_until = excluded.open_until`,
};

/**
 * Kind, id, operation, members. What takes more away takes the place of the other; members are added to
 * those of the removal before.
 */
export const HOLD: Statement = {
  text: `INSERT INTO dsync.held_removals AS h (directory_id, kind, resource_id, operation, member_ids)
    VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT (directory_id, kind, resource_id) DO UPDATE SET operation = excluded.operation,
      member_ids = ARRAY(SELECT unnest(h.member_ids) UNION SELECT unnest(excluded.member_ids) LIMIT 10000)
    WHERE h.operation <> 'delete' AND NOT (h.operation = 'empty' AND excluded.operation = 'members')`,
};

export const WITHDRAW: Statement = {
  text: `DELETE FROM dsync.held_removals
    WHERE directory_id = $1 AND kind = $2 AND resource_id = ANY ($3::uuid[])`,
};

export const WITHDRAW_ALL: Statement = {
  text: 'DELETE FROM dsync.held_removals WHERE directory_id = $1',
};

export const COUNT_HELD: Statement = {
  text: `SELECT kind, operation, count(*)::integer AS count,
      sum(cardinality(member_ids))::integer AS members FROM dsync.held_removals
    WHERE directory_id = $1 GROUP BY kind, operation`,
};

/** The first `$4` of a kind and an operation. */
export const LIST_HELD: Statement = {
  text: `SELECT h.kind, h.resource_id AS id, h.operation,
      coalesce(u.external_id, g.external_id, '') AS "externalId",
      coalesce(u.user_name, g.display_name, '') AS name
    FROM dsync.held_removals h
    LEFT JOIN dsync.users u
      ON h.kind = 'user' AND u.directory_id = h.directory_id AND u.id = h.resource_id
    LEFT JOIN dsync.groups g
      ON h.kind = 'group' AND g.directory_id = h.directory_id AND g.id = h.resource_id
    WHERE h.directory_id = $1 AND h.kind = $2 AND h.operation = $3
    ORDER BY h.resource_id LIMIT $4`,
};

/** The first `$2` members that are to be removed from groups that keep others. */
export const LIST_HELD_MEMBERS: Statement = {
  text: `SELECT coalesce(g.external_id, '') AS "group", g.display_name AS "groupName",
      coalesce(u.external_id, '') AS member
    FROM dsync.held_removals h
    JOIN dsync.groups g ON g.directory_id = h.directory_id AND g.id = h.resource_id
    CROSS JOIN LATERAL unnest(h.member_ids) AS m (id)
    LEFT JOIN dsync.users u ON u.directory_id = h.directory_id AND u.id = m.id
    WHERE h.directory_id = $1 AND h.operation = 'members'
    ORDER BY h.resource_id, m.id LIMIT $2`,
};

/** The next removals to carry out: groups before users, as in a run. */
export const NEXT_HELD: Statement = {
  text: `SELECT kind, resource_id AS id, operation, member_ids AS "memberIds" FROM dsync.held_removals
    WHERE directory_id = $1 ORDER BY kind, resource_id LIMIT $2`,
};

/** Names of those of the groups `$2` that have no members. */
export const EMPTY_GROUPS: Statement = {
  text: `SELECT g.display_name AS name FROM dsync.groups g
    WHERE g.id = ANY ($2::uuid[]) AND g.directory_id = $1 AND g.member_count = 0`,
};

/** Roles of `$2` that no active user has by the role mapping. */
export const ROLES_WITHOUT_USERS: Statement = {
  text: `SELECT w.role FROM unnest($2::text[]) AS w (role)
    WHERE NOT EXISTS (SELECT FROM dsync.user_roles r
      JOIN dsync.users u ON u.directory_id = $1 AND u.id = r.user_id AND u.active
      WHERE r.directory_id = $1 AND r.role = w.role)`,
};

/** Roles of `$2` that active users have only through the group `$3` and its nested groups. */
export const ROLES_OF_ONE_GROUP: Statement = {
  text: `WITH RECURSIVE inside AS (
      SELECT $3::uuid AS id
      UNION
      SELECT m.subgroup_id FROM inside i
      JOIN dsync.group_members m ON m.group_id = i.id AND m.subgroup_id IS NOT NULL),
    given AS (
      SELECT r.role, r.group_id FROM dsync.user_roles r
      JOIN dsync.users u ON u.directory_id = $1 AND u.id = r.user_id AND u.active
      WHERE r.directory_id = $1 AND r.role = ANY ($2::text[]))
    SELECT g.role FROM given g GROUP BY g.role
    HAVING bool_and((g.group_id IN (SELECT id FROM inside)) IS TRUE)`,
};

export const FIND_GUARD: Statement = {
  text: 'SELECT guard FROM dsync.directories WHERE id = $1',
};

/** Changes no revision; the caller has locked the directory, which does. */
export const STORE_GUARD: Statement = {
  text: 'UPDATE dsync.directories SET guard = $2 WHERE id = $1',
};
