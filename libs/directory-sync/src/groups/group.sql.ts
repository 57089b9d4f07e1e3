/** Statements and SQL fragments of the `dsync.groups` table; `$1` is the directory. */
import { type Statement } from '@gatehouse/kit/sql';
import { cutAtSize } from '../database/cut-at-size.js';
import { inDirectory, newestIds, SCOPE_CONDITION } from '../directories/directory.sql.js';
import { ANNOUNCED, eventsOf, groupData, logged, membershipData } from '../events/event.sql.js';

/** About the size of a member in a response. */
export const MEMBER_BYTES = 200;

export const GROUP_COLUMNS = `g.id, g.version, g.display_name AS "displayName", g.raw,
  g.raw_bytes AS bytes, g.member_count AS "memberCount", g.created_at AS "createdAt", g.updated_at AS "updatedAt"`;

/**
 * The elements of a uuid array. The LIMIT gives the planner a low row estimate for a generic plan,
 * so it keeps one prepared plan instead of planning this long statement for each execution.
 */
const idsOf = (array: string) =>
  `(SELECT i.id FROM unnest(${array}::uuid[]) i(id) LIMIT cardinality(${array}::uuid[]))`;

/**
 * CTE `found`: the ids of a uuid array that are users or groups of the directory. A group is never
 * its own member.
 */
export const foundCte = (wanted: string, group: string) =>
  `found AS MATERIALIZED (
    SELECT u.id AS user_id, NULL::uuid AS subgroup_id
    FROM ${idsOf(wanted)} w JOIN dsync.users u ON u.id = w.id
    WHERE ${inDirectory('u')}
    UNION
    SELECT NULL, n.id
    FROM ${idsOf(wanted)} w JOIN dsync.groups n ON n.id = w.id
    WHERE n.id <> ${group}::uuid AND ${inDirectory('n')})`;

/** CTE `added`: adds what was found as members to the rows of `source`, unless they are already. */
export const addedCte = (source: string) =>
  `added AS (
    INSERT INTO dsync.group_members (directory_id, group_id, user_id, subgroup_id)
    SELECT $1, s.id, found.user_id, found.subgroup_id FROM ${source} s, found
    ON CONFLICT DO NOTHING
    RETURNING user_id, member_id)`;

/**
 * CTE `taken`: deletes the members of `source` that are in the array `removed`. Building the pairs
 * of group and member first forces a lookup by the whole key; otherwise the planner might scan a
 * large group to find one member.
 */
export const takenByIdCte = (source: string, removed: string) =>
  `removed AS MATERIALIZED (
    SELECT s.id AS group_id, w.id AS member_id FROM ${source} s, ${idsOf(removed)} w),
  taken AS (
    DELETE FROM dsync.group_members m USING removed r
    WHERE m.group_id = r.group_id AND m.member_id = r.member_id AND m.directory_id = $1
    RETURNING m.user_id, m.member_id)`;

/** CTE `taken`: deletes the members of `source` that are not in the array `kept`. */
export const takenButCte = (source: string, kept: string) =>
  `taken AS (
    DELETE FROM dsync.group_members m USING ${source} s
    WHERE m.group_id = s.id AND m.directory_id = $1
      AND NOT EXISTS (SELECT FROM unnest(${kept}::uuid[]) w(id) WHERE w.id = m.member_id)
    RETURNING m.user_id, m.member_id)`;

/** A row for `logged` about the group itself. */
export const groupEvent = (type: string, group: string, previous: string, condition = '') =>
  `SELECT 1 AS rank, '${type}' AS type, ${groupData('g')} AS data, ${previous}::json AS previous,
    NULL::uuid AS user_id FROM ${group} g ${condition}`;

/**
 * Rows for `logged` about users whose membership in the one row of `group` started or ended. A user
 * is locked before it is read, so that the event shows the user as of the event before. The group
 * is locked first, as in all statements that lock both.
 */
export const membershipEvents = (
  rank: number,
  type: 'group.user_added' | 'group.user_removed',
  changed: string,
  group: string,
) =>
  `SELECT ${rank} AS rank, '${type}' AS type, ${membershipData('u', 'g')} AS data,
    NULL::json AS previous, u.id AS user_id
  FROM ${group} g, (SELECT u.* FROM ${changed} c JOIN dsync.users u ON u.id = c.user_id
    FOR SHARE OF u) u`;

export const FIND_GROUP: Statement = {
  name: 'dsync_find_group',
  text: `SELECT ${GROUP_COLUMNS} FROM dsync.groups g WHERE g.id = $2 AND ${inDirectory('g')}`,
};

export const LOCK_GROUP: Statement = {
  name: 'dsync_lock_group',
  text: `SELECT FROM dsync.groups g WHERE g.id = $2 AND ${inDirectory('g')} FOR NO KEY UPDATE`,
};

const FOUND_COUNT = '(SELECT count(*) FROM found)::integer AS found';

export const INSERT_GROUP: Statement = {
  name: 'dsync_insert_group',
  logsEvents: true,
  text: `WITH ${ANNOUNCED},
    ${foundCte('$5', '$3')},
    written AS (
      INSERT INTO dsync.groups (directory_id, id, raw, display_name, display_name_lower,
        unique_name, external_id, member_count)
      SELECT $1, $3::uuid, $6::jsonb, $7, $8, $9, $10, (SELECT count(*) FROM found)
      FROM directory
      RETURNING *),
    ${addedCte('written')},
    ${logged(
      `${groupEvent('group.created', 'written', 'NULL')}
        UNION ALL ${membershipEvents(2, 'group.user_added', 'added', 'written')}`,
      'rank, user_id',
    )}
    SELECT ${GROUP_COLUMNS}, ${FOUND_COUNT}, ${eventsOf('$4')} FROM written g`,
};

const changeText = (taken: string) =>
  `WITH ${ANNOUNCED},
    target AS MATERIALIZED (
      SELECT g.* FROM directory, dsync.groups g
      WHERE g.id = $3 AND ($11::integer IS NULL OR g.version = $11) AND ${inDirectory('g')}
      FOR NO KEY UPDATE OF g),
    ${foundCte('$5', '$3')},
    ${taken},
    ${addedCte('target')},
    written AS (
      UPDATE dsync.groups g SET version = g.version + 1, updated_at = now(),
        member_count = g.member_count
          + (SELECT count(*) FROM added)::integer - (SELECT count(*) FROM taken)::integer,
        raw = coalesce($6::jsonb, g.raw),
        display_name = coalesce($7, g.display_name),
        display_name_lower = coalesce($8, g.display_name_lower),
        unique_name = CASE WHEN $6::jsonb IS NULL THEN g.unique_name ELSE $9 END,
        external_id = CASE WHEN $6::jsonb IS NULL THEN g.external_id ELSE $10 END
      FROM target t
      WHERE g.id = t.id AND ($6::jsonb IS NOT NULL
        OR EXISTS (SELECT FROM added) OR EXISTS (SELECT FROM taken))
      RETURNING g.*),
    ${logged(
      `${groupEvent('group.updated', 'written', '$12', 'WHERE $6::jsonb IS NOT NULL')}
        UNION ALL ${membershipEvents(2, 'group.user_removed', 'taken', 'written')}
        UNION ALL ${membershipEvents(3, 'group.user_added', 'added', 'written')}`,
      'rank, user_id',
    )}
    SELECT ${GROUP_COLUMNS}, ${FOUND_COUNT}, ${eventsOf('$4')},
      EXISTS (SELECT FROM added WHERE user_id IS NULL)
        OR EXISTS (SELECT FROM taken WHERE user_id IS NULL) AS "isNested"
    FROM (SELECT * FROM written
      UNION ALL SELECT * FROM target WHERE NOT EXISTS (SELECT FROM written)) g`;

export const CHANGE_MEMBERS: Statement = {
  name: 'dsync_change_group_members',
  logsEvents: true,
  text: changeText(takenByIdCte('target', '$13')),
};

export const REPLACE_MEMBERS: Statement = {
  name: 'dsync_replace_group_members',
  logsEvents: true,
  text: changeText(takenButCte('target', '$5')),
};

export const LOCK_PARENT_GROUPS: Statement = {
  name: 'dsync_lock_parent_groups',
  text: `SELECT g.id FROM dsync.groups g
    WHERE ${inDirectory('g')} AND g.id IN (
      SELECT m.group_id FROM dsync.group_members m
      WHERE m.subgroup_id = $2 AND m.directory_id = $1)
    ORDER BY g.id FOR NO KEY UPDATE OF g`,
};

export const DELETE_GROUP: Statement = {
  name: 'dsync_delete_group',
  logsEvents: true,
  text: `WITH ${ANNOUNCED},
    target AS MATERIALIZED (
      SELECT g.* FROM directory, dsync.groups g
      WHERE g.id = $3 AND ($5::integer IS NULL OR g.version = $5) AND ${inDirectory('g')}
      FOR UPDATE OF g),
    taken AS (
      DELETE FROM dsync.group_members m USING target t
      WHERE m.group_id = t.id AND m.directory_id = $1
      RETURNING m.user_id),
    left_parents AS (
      DELETE FROM dsync.group_members m USING target t
      WHERE m.subgroup_id = t.id AND m.directory_id = $1
      RETURNING m.group_id),
    parents AS (
      UPDATE dsync.groups g SET version = g.version + 1, member_count = g.member_count - 1,
        updated_at = now()
      FROM left_parents p WHERE g.id = p.group_id),
    deleted AS (
      DELETE FROM dsync.groups g USING target t WHERE g.id = t.id
      RETURNING g.id),
    ${logged(
      `${membershipEvents(0, 'group.user_removed', 'taken', 'target')}
        UNION ALL ${groupEvent('group.deleted', 'target', 'NULL')}`,
      'rank, user_id',
    )}
    SELECT ${eventsOf('$4')}, raw_bytes AS bytes FROM target`,
};

const RECORD_COLUMNS = `g.id, g.directory_id AS "directoryId", g.display_name AS "displayName", g.raw,
  g.member_count AS "memberCount"`;

/** A page of `newestIds`, cut at `$6` bytes with up to `$7` members of each group. */
export const LIST_GROUP_RECORDS: Statement = {
  text: `WITH page AS MATERIALIZED (
      SELECT id, row_number() OVER () AS position FROM (${newestIds('groups')}) newest)
    ${cutAtSize({
      alias: 'g',
      source: `SELECT g.*, page.position FROM page JOIN dsync.groups g ON g.id = page.id`,
      columns: `${RECORD_COLUMNS}, (SELECT count(*)::integer FROM page) AS found`,
      bytes: `g.raw_bytes + least(g.member_count, $7::integer) * ${MEMBER_BYTES}`,
      bytesMax: '$6',
    })}`,
};

export const FIND_GROUP_RECORD: Statement = {
  text: `SELECT ${RECORD_COLUMNS}
    FROM dsync.groups g JOIN dsync.directories d ON d.id = g.directory_id
    WHERE ${SCOPE_CONDITION} AND g.id = $4`,
};
