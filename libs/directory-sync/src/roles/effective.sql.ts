/**
 * Statements that compute the roles of many users at once, compare them with the stored ones, and write
 * the differences with one event for each user whose roles have changed; `$1` is the directory, `$2` its
 * revision or null. The caller has locked the mapping.
 *
 * The roles of a user are computed by look-ups for this user alone, so that the cost of a statement is
 * that of its users, whatever the planner expects.
 */
import { type Statement } from '@gatehouse/kit/sql';
import { inDirectory } from '../directories/directory.sql.js';
import { ANNOUNCED, eventsOf, logged } from '../events/event.sql.js';

/**
 * The groups that give user `a` roles by mapping `p`. OFFSET makes the planner begin with the groups of
 * the user; it might also search a large group for the user.
 */
const GIVING = `(SELECT o.group_id FROM dsync.group_members o WHERE o.user_id = a.id OFFSET 0) m
  JOIN dsync.role_groups x ON x.mapping_id = p.id AND x.group_id = m.group_id`;

/** Role and group of user `a` by a mapping. Of several groups that give a role, the first rule counts. */
const effective = (mapping: string) =>
  `SELECT best.role, best.group_id FROM dsync.role_mappings p CROSS JOIN LATERAL (
      SELECT DISTINCT ON (CASE WHEN p.mode = 'all' THEN r.role END) r.role, m.group_id
      FROM ${GIVING}
      JOIN dsync.role_rules r ON r.mapping_id = p.id AND r.number = x.number
      ORDER BY CASE WHEN p.mode = 'all' THEN r.role END, r.priority DESC, r.number, m.group_id) best
    WHERE p.id = ${mapping}
    UNION ALL
    SELECT p.default_role, NULL FROM dsync.role_mappings p
    WHERE p.id = ${mapping} AND p.default_role IS NOT NULL
      AND NOT EXISTS (SELECT FROM ${GIVING})`;

/** CTE `changes`: the users of `affected` whose roles, or the groups that give them, are different. */
const changesCte = (mapping: string) => `changes AS MATERIALIZED (
    SELECT a.id, computed.roles AS current, computed.groups, stored.roles AS previous,
      stored.groups AS former_groups, stored.names, stored.gone
    FROM affected a
    CROSS JOIN LATERAL (
      SELECT coalesce(array_agg(e.role ORDER BY e.role), '{}') AS roles,
        coalesce(array_agg(e.group_id ORDER BY e.role), '{}') AS groups
      FROM (${effective(mapping)}) e) computed
    CROSS JOIN LATERAL (
      SELECT coalesce(array_agg(s.role ORDER BY s.role), '{}') AS roles,
        coalesce(array_agg(s.group_id ORDER BY s.role), '{}') AS groups,
        coalesce(array_agg(s.group_name ORDER BY s.role), '{}') AS names,
        array_agg(s.ctid) FILTER (WHERE s.role <> ALL (computed.roles)) AS gone
      FROM dsync.user_roles s WHERE s.user_id = a.id) stored
    WHERE computed.roles <> stored.roles OR computed.groups IS DISTINCT FROM stored.groups)`;

const nameOf = (groupId: string) =>
  `(SELECT g.display_name FROM dsync.groups g WHERE g.id = ${groupId})`;

/** Why the roles of a row of `changes`, `c`, are different. The default role comes from no group. */
const BECAUSE = `(SELECT coalesce(json_agg(json_build_object('role', b.role, 'change', b.change,
      'group', CASE WHEN b.group_id IS NOT NULL
        THEN json_build_object('id', b.group_id, 'name', b.name) END)
      ORDER BY b.change, b.role), '[]')
  FROM (
    SELECT n.role, 'added' AS change, n.group_id, ${nameOf('n.group_id')} AS name
    FROM unnest(c.current, c.groups) AS n (role, group_id) WHERE n.role <> ALL (c.previous)
    UNION ALL
    SELECT o.role, 'removed', o.group_id, coalesce(${nameOf('o.group_id')}, o.name)
    FROM unnest(c.previous, c.former_groups, c.names) AS o (role, group_id, name)
    WHERE o.role <> ALL (c.current)) b)`;

/** The user of a row, read by its key, whatever the planner expects. */
const userOf = (row: string) => `CROSS JOIN LATERAL (
    SELECT * FROM dsync.users u WHERE u.id = ${row}.id AND ${inDirectory('u')} LIMIT 1) u`;

const CHANGED_EVENTS = `SELECT 'user.roles_changed' AS type, json_build_object('id', u.id,
      'first_name', coalesce(u.first_name, ''), 'last_name', coalesce(u.last_name, ''),
      'email', coalesce(u.email, ''), 'active', u.active, 'previous', c.previous,
      'current', c.current, 'because', ${BECAUSE}) AS data,
    NULL::json AS previous, u.id AS user_id
  FROM changes c ${userOf('c')}
  WHERE c.previous <> c.current`;

const WRITTEN_CTES = `gone AS (
    DELETE FROM dsync.user_roles s
    WHERE s.ctid = ANY (ARRAY(SELECT unnest(c.gone) FROM changes c))),
  kept AS (
    INSERT INTO dsync.user_roles (directory_id, user_id, role, group_id, group_name)
    SELECT $1, c.id, n.role, n.group_id, ${nameOf('n.group_id')}
    FROM changes c, unnest(c.current, c.groups) AS n (role, group_id)
    ON CONFLICT (user_id, role, directory_id)
      DO UPDATE SET group_id = excluded.group_id, group_name = excluded.group_name),
  ${logged(CHANGED_EVENTS, 'user_id')}`;

/**
 * The users whose memberships this transaction has changed, as its events after the number `$3` say, and
 * the members of the groups `$4`. `$5`: whether the events are returned.
 */
export const FOLLOW_MEMBERS: Statement = {
  name: 'dsync_follow_members_with_roles',
  logsEvents: true,
  text: `WITH ${ANNOUNCED},
    affected AS MATERIALIZED (
      SELECT u.id FROM directory, (
        SELECT (e.data ->> 'id')::uuid AS id FROM dsync.events e
        WHERE e.source_id = $1 AND e.sequence > $3 AND e.created_at = now()::timestamptz(3)
          AND e.type IN ('group.user_added', 'group.user_removed')
        UNION
        SELECT m.user_id FROM dsync.group_members m
        WHERE m.group_id = ANY ($4::uuid[]) AND m.user_id IS NOT NULL) c
      ${userOf('c')}),
    ${changesCte('$1')},
    ${WRITTEN_CTES}
    SELECT ${eventsOf('$5')}, ARRAY(
      SELECT DISTINCT o.role FROM changes c ${userOf('c')}, unnest(c.previous) AS o (role)
      WHERE u.active AND o.role <> ALL (c.current)) AS lost`,
};

/** CTE `affected`: `$4` users of the directory with ids after `$3`. */
const NEXT_USERS = `affected AS MATERIALIZED (
    SELECT u.id FROM directory, dsync.users u
    WHERE u.directory_id = $1 AND u.id > $3 ORDER BY u.id LIMIT $4)`;

const PROGRESS = `(SELECT count(*)::integer FROM affected) AS processed,
  (SELECT a.id FROM affected a ORDER BY a.id DESC LIMIT 1) AS position`;

/** Gives the next users their roles. */
export const PROCESS_USERS: Statement = {
  name: 'dsync_process_roles_of_users',
  logsEvents: true,
  text: `WITH ${ANNOUNCED}, ${NEXT_USERS}, ${changesCte('$1')}, ${WRITTEN_CTES}
    SELECT ${PROGRESS}, (SELECT count(*)::integer FROM logged) AS changed`,
};

/** Compares mapping `$5` with the present roles of the next users, with `$6` of them as examples. */
export const COMPARE_USERS: Statement = {
  text: `WITH directory AS (SELECT FROM dsync.directories d WHERE d.id = $1 AND $2::integer IS NULL),
    ${NEXT_USERS}, ${changesCte('$5')},
    different AS (SELECT * FROM changes c WHERE c.previous <> c.current),
    counted AS (
      SELECT n.role, count(*) FILTER (WHERE n.role <> ALL (c.previous))::integer AS gained,
        count(*) FILTER (WHERE n.role <> ALL (c.current))::integer AS lost
      FROM different c,
        LATERAL (SELECT unnest(c.previous) AS role UNION SELECT unnest(c.current)) n
      GROUP BY n.role)
    SELECT ${PROGRESS}, (SELECT count(*)::integer FROM different) AS changed,
      (SELECT coalesce(json_agg(counted), '[]') FROM counted WHERE gained + lost > 0) AS roles,
      (SELECT coalesce(json_agg(json_build_object('user', json_build_object('id', u.id,
          'first_name', coalesce(u.first_name, ''), 'last_name', coalesce(u.last_name, ''),
          'email', coalesce(u.email, ''), 'active', u.active),
          'previous', c.previous, 'current', c.current) ORDER BY c.id), '[]')
        FROM (SELECT * FROM different ORDER BY id LIMIT $6) c ${userOf('c')}) AS examples`,
};

export const ROLES_OF_USER: Statement = {
  name: 'dsync_roles_of_user',
  text: 'SELECT r.role FROM dsync.user_roles r WHERE r.user_id = $1 ORDER BY r.role',
};

/** None if the user is not active. */
export const ROLES_OF_ACTIVE_USER: Statement = {
  name: 'dsync_roles_of_active_user',
  text: `SELECT r.role FROM dsync.user_roles r JOIN dsync.users u ON u.id = r.user_id AND u.active
    WHERE r.user_id = $1`,
};

/** Users whose memberships this transaction has ended after the number `$2` of an event. */
export const REMOVED_MEMBERS: Statement = {
  text: `SELECT e.data ->> 'id' AS id FROM dsync.events e
    WHERE e.source_id = $1 AND e.sequence > $2 AND e.created_at = now()::timestamptz(3)
      AND e.type = 'group.user_removed'
    LIMIT $3`,
};

/** Directory, user, role. */
export const GIVE_DEFAULT: Statement = {
  name: 'dsync_give_default_role',
  text: 'INSERT INTO dsync.user_roles (directory_id, user_id, role) VALUES ($1, $2, $3)',
};
