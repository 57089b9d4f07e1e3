/** Pieces of the statements that change groups and their members; `$1` is the directory. */
import { inDirectory } from '../directories/scope.js';
import { groupData, membershipData } from '../events/event.sql.js';

export const GROUP_COLUMNS = `g.id, g.version, g.display_name AS "displayName", g.raw,
  g.member_count AS "memberCount", g.created_at AS "createdAt", g.updated_at AS "updatedAt"`;

/**
 * The elements of a uuid array. Their number is what the array says when its values are known, and
 * a tenth of the usual guess when they are not: the planner then finds one plan as good as any
 * other and keeps it, instead of planning this long statement anew each time.
 */
const idsOf = (array: string) =>
  `(SELECT i.id FROM unnest(${array}::uuid[]) i(id) LIMIT cardinality(${array}::uuid[]))`;

/**
 * CTE `found`: which of the ids of a uuid array are users or groups of the directory. A group is
 * never its own member.
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

/** CTE `added`: makes what was found members of the rows of `source`, where they are not yet. */
export const addedCte = (source: string) =>
  `added AS (
    INSERT INTO dsync.group_members (directory_id, group_id, user_id, subgroup_id)
    SELECT $1, s.id, found.user_id, found.subgroup_id FROM ${source} s, found
    ON CONFLICT DO NOTHING
    RETURNING user_id, member_id)`;

/**
 * CTE `taken`: deletes the members of `source` that are in the array `removed`. The pairs of group
 * and member are made first, so that each is looked up by its whole key: the planner may not read
 * a group to find one member, however small it believes groups to be.
 */
export const takenByIdCte = (source: string, removed: string) =>
  `removed AS MATERIALIZED (
    SELECT s.id AS group_id, w.id AS member_id FROM ${source} s, ${idsOf(removed)} w),
  taken AS (
    DELETE FROM dsync.group_members m USING removed r
    WHERE m.group_id = r.group_id AND m.member_id = r.member_id
    RETURNING m.user_id, m.member_id)`;

/** CTE `taken`: deletes the members of `source` that are not in the array `kept`. */
export const takenButCte = (source: string, kept: string) =>
  `taken AS (
    DELETE FROM dsync.group_members m USING ${source} s
    WHERE m.group_id = s.id
      AND NOT EXISTS (SELECT FROM unnest(${kept}::uuid[]) w(id) WHERE w.id = m.member_id)
    RETURNING m.user_id, m.member_id)`;

/** A row for `logged` about the group itself. */
export const groupEvent = (type: string, group: string, previous: string, condition = '') =>
  `SELECT 1 AS rank, '${type}' AS type, ${groupData('g')} AS data, ${previous}::json AS previous,
    NULL::uuid AS user_id FROM ${group} g ${condition}`;

/**
 * Rows for `logged` about users whose membership of the one row of `group` ended or began. A user is
 * locked before it is read, so that the event shows it as the event before, about the same user, has
 * left it; the group was locked first, as in all statements that lock both.
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

/** All events of the statement as one JSON array, or null where nobody wants them. */
export const eventsOf = (wanted: string) =>
  `(SELECT json_agg(logged ORDER BY logged.sequence) FROM logged WHERE ${wanted}::boolean) AS events`;
