/** Statements and SQL fragments of the `dsync.group_members` table; `$1` is the directory. */
import { type Statement } from '@gatehouse/kit/sql';
import { inDirectory, SCOPE_CONDITION } from '../directories/directory.sql.js';
import { ANNOUNCED, plainMembershipData } from '../events/event.sql.js';

export const MEMBER_TYPE = `CASE WHEN m.user_id IS NULL THEN 'Group' ELSE 'User' END`;
const MEMBER_DISPLAY = 'coalesce(u.display_name, u.user_name, n.display_name)';

const MEMBER_COLUMNS = `m.member_id AS value,
  ${MEMBER_TYPE} AS type, ${MEMBER_DISPLAY} AS display`;

/** The user `u` or group `n` behind a member, `m`; found by id (ADR 0022). */
const MEMBER_NAMES = `LEFT JOIN dsync.users u
    ON u.id = m.user_id AND (u.directory_id = m.directory_id) IS TRUE
  LEFT JOIN dsync.groups n ON n.id = m.subgroup_id AND (n.directory_id = m.directory_id) IS TRUE`;

export const MEMBERS_OF_GROUPS: Statement = {
  name: 'dsync_members_of_groups',
  text: `SELECT m.group_id AS "groupId", ${MEMBER_COLUMNS} FROM dsync.group_members m ${MEMBER_NAMES}
    WHERE m.group_id = ANY ($2::uuid[]) AND m.directory_id = $1
    ORDER BY m.group_id, m.member_id`,
};

/** The first `$3` members of each group; `$1` are the directories of the groups `$2`. */
export const FIRST_MEMBERS_OF_GROUPS: Statement = {
  name: 'dsync_first_members_of_groups',
  text: `SELECT m.group_id AS "groupId", ${MEMBER_COLUMNS}
    FROM unnest($1::uuid[], $2::uuid[]) w(directory_id, id) CROSS JOIN LATERAL (
      SELECT * FROM dsync.group_members m
      WHERE m.group_id = w.id AND m.directory_id = w.directory_id ORDER BY m.member_id LIMIT $3) m
    ${MEMBER_NAMES}
    ORDER BY m.group_id, m.member_id`,
};

export const SOME_MEMBER_IDS: Statement = {
  name: 'dsync_some_members',
  text: `SELECT m.member_id AS id FROM dsync.group_members m
    WHERE m.group_id = $2 AND m.directory_id = $1 ORDER BY m.member_id LIMIT $3`,
};

/**
 * Members of group `$4` of a ScopeFilter after `$6`, newest first: users, and with `$5` groups too. Without a name: a plan
 * for any group would read a large one whole. So would one that compares directories before the page is cut.
 */
export const LIST_MEMBERS: Statement = {
  text: `SELECT ${MEMBER_COLUMNS}
    FROM dsync.groups g JOIN dsync.directories d ON d.id = g.directory_id
    CROSS JOIN LATERAL (
      SELECT * FROM dsync.group_members m
      WHERE m.group_id = $4
        AND ($5 OR m.user_id IS NOT NULL) AND ($6::uuid IS NULL OR m.member_id < $6)
      ORDER BY m.member_id DESC OFFSET $7 LIMIT $8) m
    ${MEMBER_NAMES}
    WHERE ${SCOPE_CONDITION} AND g.id = $4 AND m.directory_id = g.directory_id
    ORDER BY m.member_id DESC`,
};

// The user is locked before it is read, so that the event shows the user as of the event before.
// Deletion of a user locks the groups first; if the two wait for each other, PostgreSQL ends one of
// them. The primary key of the membership refuses a user who was added while this statement waited.
export const ADD_USER: Statement = {
  name: 'dsync_add_user_to_group',
  logsEvents: true,
  text: `WITH ${ANNOUNCED},
    written AS (
      UPDATE dsync.groups g SET version = g.version + 1, updated_at = now(),
        member_count = g.member_count + 1
      FROM directory, (SELECT * FROM dsync.users u
        WHERE u.id = $4 AND ${inDirectory('u')} FOR SHARE) u
      WHERE g.id = $3 AND ${inDirectory('g')}
        AND NOT EXISTS (SELECT FROM dsync.group_members m
          WHERE m.group_id = $3 AND m.member_id = $4 AND m.directory_id = $1)
      RETURNING g.id, g.version, g.display_name, g.raw, g.raw_bytes, g.member_count,
        g.created_at,
        ${plainMembershipData('u', 'g')} AS data),
    added AS (
      INSERT INTO dsync.group_members (directory_id, group_id, user_id)
      SELECT $1, $3, $4 FROM written)
    INSERT INTO dsync.events (source_id, id, type, data)
    SELECT $1, $5, 'group.user_added', w.data FROM written w
    RETURNING sequence, created_at AS "createdAt", CASE WHEN $6 THEN data END AS data,
      (SELECT json_build_object('id', w.id, 'version', w.version, 'displayName', w.display_name,
        'raw', w.raw, 'bytes', w.raw_bytes, 'memberCount', w.member_count, 'createdAt', w.created_at)
      FROM written w) AS "group"`,
};
