/**
 * Membership changes of a listing, a few groups at a time: `$1` is the directory, `$2` the run, `$3`
 * whether nested groups are flattened. Memberships are compared with the stored ones.
 */
import { type Statement } from '@gatehouse/kit/sql';
import { GROUP_NAME, LISTED_GROUP } from './difference.sql.js';

/**
 * CTEs `edges`: the memberships that the listing asks for, of the groups that meet a condition. Users
 * and groups that are not stored yet have no `member_id`, and groups no `group_id`. Members that were
 * not listed, such as accounts of other domains, are left out. Flattening visits each group inside a
 * group once, so the condition must leave few groups.
 */
const edges = (condition: string) => `RECURSIVE roots AS MATERIALIZED (
    SELECT w.external_id, w.group_id FROM dsync.workspace_groups w
    WHERE w.directory_id = $1 AND ${LISTED_GROUP} AND ${condition}),
  reach (root, via) AS (
    SELECT external_id, external_id FROM roots
    UNION
    SELECT reach.root, m.member_external_id
    FROM reach JOIN dsync.workspace_members m ON m.directory_id = $1
      AND m.group_external_id = reach.via AND m.seen_run = $2 AND m.is_group
    WHERE $3::boolean),
  edges AS MATERIALIZED (
    SELECT DISTINCT roots.external_id AS group_external_id, roots.group_id, m.member_external_id,
      coalesce(u.user_id, n.group_id) AS member_id
    FROM reach JOIN roots ON roots.external_id = reach.root
    JOIN dsync.workspace_members m ON m.directory_id = $1 AND m.group_external_id = reach.via
      AND m.seen_run = $2 AND NOT (m.is_group AND $3)
    LEFT JOIN dsync.workspace_users u ON NOT m.is_group AND u.directory_id = $1
      AND u.external_id = m.member_external_id AND u.seen_run = $2
    LEFT JOIN dsync.workspace_groups n ON m.is_group AND n.directory_id = $1
      AND n.external_id = m.member_external_id AND n.seen_run = $2 AND n.chosen
      AND n.external_id <> roots.external_id
    WHERE u.external_id IS NOT NULL OR n.external_id IS NOT NULL)`;

const IS_MEMBER = `EXISTS (SELECT FROM dsync.group_members gm
  WHERE gm.group_id = e.group_id AND gm.member_id = e.member_id)`;

/**
 * Stored memberships of linked groups that the listing does not ask for. EXCEPT, because PostgreSQL
 * cannot estimate the size of `edges` and would compare every membership with every edge.
 */
const SURPLUS = (condition: string) => `SELECT w.external_id, gm.group_id, gm.member_id
    FROM dsync.workspace_groups w JOIN dsync.group_members gm ON gm.group_id = w.group_id
    WHERE w.directory_id = $1 AND ${condition}
  EXCEPT SELECT e.group_external_id, e.group_id, e.member_id FROM edges e`;

/** At most `$3 + 1` memberships of listed groups in groups. */
export const COUNT_NESTED: Statement = {
  text: `SELECT count(*)::integer AS count FROM (SELECT FROM dsync.workspace_members m
    WHERE m.directory_id = $1 AND m.is_group AND m.seen_run = $2 LIMIT $3::bigint + 1) m`,
};

/** The next groups whose members are compared, after `$4`, and whether groups are inside. */
export const GROUPS_TO_COMPARE: Statement = {
  name: 'dsync_workspace_groups_to_compare',
  text: `SELECT w.external_id AS id, $3::boolean AND EXISTS (SELECT FROM dsync.workspace_members m
      WHERE m.directory_id = $1 AND m.group_external_id = w.external_id AND m.is_group
        AND m.seen_run = $2) AS nests
    FROM dsync.workspace_groups w
    WHERE w.directory_id = $1 AND w.external_id > $4 AND (${LISTED_GROUP} OR w.group_id IS NOT NULL)
    ORDER BY w.external_id LIMIT $5`,
};

const COMPARED = 'w.external_id = ANY ($4::text[])';

/** Notes what is to be added to, and removed from, the groups `$4`; returns how many are listed. */
export const COMPARE_MEMBERS: Statement = {
  name: 'dsync_compare_workspace_members',
  text: `WITH ${edges(COMPARED)},
    wanted AS (SELECT e.group_external_id AS id, count(*) AS listed,
        count(*) FILTER (WHERE NOT ${IS_MEMBER}) AS added FROM edges e GROUP BY 1),
    lost AS (SELECT s.external_id AS id, count(*) AS removed FROM (${SURPLUS(COMPARED)}) s GROUP BY 1),
    compared AS (SELECT id, coalesce(listed, 0) AS listed, coalesce(added, 0) AS added,
        coalesce(removed, 0) AS removed
      FROM unnest($4::text[]) AS p (id) LEFT JOIN wanted USING (id) LEFT JOIN lost USING (id)),
    noted AS (UPDATE dsync.workspace_groups w
      SET members_listed = c.listed, members_added = c.added, members_removed = c.removed
      FROM compared c WHERE w.directory_id = $1 AND w.external_id = c.id
        AND (w.members_listed, w.members_added, w.members_removed)
          IS DISTINCT FROM (c.listed, c.added, c.removed))
    SELECT coalesce(sum(listed), 0)::float AS listed FROM compared`,
};

/** Counts membership changes of all groups that were compared. */
export const COUNT_MEMBERS: Statement = {
  text: `SELECT coalesce(sum(w.members_added), 0)::float AS added,
      coalesce(sum(w.members_removed), 0)::float AS removed,
      coalesce(sum(w.members_listed), 0)::float AS listed
    FROM dsync.workspace_groups w
    WHERE w.directory_id = $1 AND (${LISTED_GROUP} OR w.group_id IS NOT NULL)`,
};

/** Groups after `$3` that may have members to add or to remove, at most `$4`. */
const groupsWith = (column: string, condition: string): Statement => ({
  text: `SELECT w.external_id AS "externalId", w.group_id AS "storedId" FROM dsync.workspace_groups w
    WHERE w.directory_id = $1 AND w.external_id > $3 AND w.group_id IS NOT NULL
      AND ${condition} AND w.${column} IS DISTINCT FROM 0
    ORDER BY w.external_id LIMIT $4`,
});
export const GROUPS_WITH_ADDITIONS = groupsWith('members_added', LISTED_GROUP);
export const GROUPS_WITH_REMOVALS = groupsWith('members_removed', '$2::uuid IS NOT NULL');

const ONE_GROUP = 'w.external_id = $4';

/** Members to add to, or to remove from, the group `$4`, at most `$5`. */
export const MEMBERS_TO_ADD: Statement = {
  name: 'dsync_workspace_members_to_add',
  text: `WITH ${edges(ONE_GROUP)}
    SELECT e.member_id AS id FROM edges e
    WHERE e.group_id IS NOT NULL AND e.member_id IS NOT NULL AND NOT ${IS_MEMBER}
    ORDER BY 1 LIMIT $5`,
};
export const MEMBERS_TO_REMOVE: Statement = {
  name: 'dsync_workspace_members_to_remove',
  text: `WITH ${edges(ONE_GROUP)}
    SELECT s.member_id AS id FROM (${SURPLUS(ONE_GROUP)}) s ORDER BY 1 LIMIT $5`,
};

/** The first groups with members to add, or to remove, for an administrator: at most `$3`. */
const shownGroups = (column: string): Statement => ({
  text: `SELECT w.external_id AS id, ${GROUP_NAME} AS name FROM dsync.workspace_groups w
    LEFT JOIN dsync.groups g ON g.directory_id = $1 AND g.id = w.group_id
    WHERE w.directory_id = $1 AND (${LISTED_GROUP} OR w.group_id IS NOT NULL) AND w.${column} > 0
    ORDER BY w.external_id LIMIT $3`,
});

/** Ids of at most `$5` members to add to or remove from group `$4`. */
export const SHOWN_ADDITIONS = {
  groups: shownGroups('members_added'),
  members: {
    text: `WITH ${edges(ONE_GROUP)}
      SELECT e.member_external_id AS member FROM edges e WHERE NOT ${IS_MEMBER} ORDER BY 1 LIMIT $5`,
  },
};
export const SHOWN_REMOVALS = {
  groups: shownGroups('members_removed'),
  members: {
    text: `WITH ${edges(ONE_GROUP)}
      SELECT coalesce(u.external_id, x.member_id::text) AS member
      FROM (SELECT s.member_id FROM (${SURPLUS(ONE_GROUP)}) s ORDER BY 1 LIMIT $5) x
      LEFT JOIN dsync.workspace_users u ON u.directory_id = $1 AND u.user_id = x.member_id`,
  },
};

/** A group of the names `$3`, as it was listed or as it is stored. */
const IS_PROTECTED = `(lower(w.external_id) = ANY ($3::text[]) OR w.names && $3::text[]
  OR EXISTS (SELECT FROM dsync.groups g WHERE g.directory_id = $1 AND g.id = w.group_id
    AND lower(g.display_name) = ANY ($3::text[])))`;

/** Names of stored protected groups that were not listed, or that would lose all members. */
export const LOST_PROTECTED_GROUPS: Statement = {
  text: `SELECT coalesce(w.names[1], w.external_id) AS name FROM dsync.workspace_groups w
    WHERE w.directory_id = $1 AND w.group_id IS NOT NULL AND ${IS_PROTECTED}
      AND (NOT ${LISTED_GROUP} OR (w.members_listed = 0
        AND EXISTS (SELECT FROM dsync.group_members gm WHERE gm.group_id = w.group_id)))
    ORDER BY 1`,
};
