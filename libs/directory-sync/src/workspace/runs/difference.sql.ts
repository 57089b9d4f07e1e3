/**
 * What a listing changes: `$1` is the directory, `$2` the run, and for members `$3` whether nested
 * groups are flattened. Users and groups are compared by hash, memberships with what is stored.
 */
import { type Statement } from '@gatehouse/service-kit';

const LISTED_USER = 'w.seen_run = $2';
const LISTED_GROUP = '(w.seen_run = $2 AND w.chosen)';
const IS_CHANGED = 'w.listed_hash IS DISTINCT FROM w.applied_hash';
/** Hashes say nothing about a group that was left out by choice and is listed again. */
const IS_NEW_USER = 'w.user_id IS NULL';
const IS_NEW_GROUP = 'w.group_id IS NULL';

/**
 * CTEs `edges`: the memberships that the listing asks for, of the groups that meet a condition. Users
 * and groups that are not stored yet have no `member_id`, and groups no `group_id`. Members that were
 * not listed, such as accounts of other domains, are left out.
 */
const edges = (condition = '') => `RECURSIVE roots AS MATERIALIZED (
    SELECT w.external_id, w.group_id FROM dsync.workspace_groups w
    WHERE w.directory_id = $1 AND ${LISTED_GROUP} ${condition}),
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
      AND m.seen_run = $2
    LEFT JOIN dsync.workspace_users u ON NOT m.is_group AND u.directory_id = $1
      AND u.external_id = m.member_external_id AND u.seen_run = $2
    LEFT JOIN dsync.workspace_groups n ON m.is_group AND NOT $3 AND n.directory_id = $1
      AND n.external_id = m.member_external_id AND n.seen_run = $2 AND n.chosen
      AND n.external_id <> roots.external_id
    WHERE u.external_id IS NOT NULL OR n.external_id IS NOT NULL)`;

const IS_MEMBER = `EXISTS (SELECT FROM dsync.group_members gm
  WHERE gm.group_id = e.group_id AND gm.member_id = e.member_id)`;

/**
 * Stored memberships of linked groups that the listing does not ask for. EXCEPT, because PostgreSQL
 * cannot estimate the size of `edges` and would compare every membership with every edge.
 */
const SURPLUS = (condition = '') => `SELECT w.external_id, gm.group_id, gm.member_id
    FROM dsync.workspace_groups w JOIN dsync.group_members gm ON gm.group_id = w.group_id
    WHERE w.directory_id = $1 ${condition}
  EXCEPT SELECT e.group_external_id, e.group_id, e.member_id FROM edges e`;

export const COUNT_USERS: Statement = {
  text: `SELECT count(*) FILTER (WHERE ${LISTED_USER})::integer AS listed,
      count(*) FILTER (WHERE user_id IS NOT NULL)::integer AS stored,
      count(*) FILTER (WHERE ${LISTED_USER} AND ${IS_NEW_USER})::integer AS created,
      count(*) FILTER (WHERE ${LISTED_USER} AND NOT ${IS_NEW_USER} AND ${IS_CHANGED})::integer AS updated,
      count(*) FILTER (WHERE NOT ${LISTED_USER} AND user_id IS NOT NULL)::integer AS deleted
    FROM dsync.workspace_users w WHERE w.directory_id = $1`,
};

export const COUNT_DEACTIVATED: Statement = {
  text: `SELECT count(*)::integer AS count
    FROM dsync.workspace_users w JOIN dsync.users u ON u.directory_id = $1 AND u.id = w.user_id
    WHERE w.directory_id = $1 AND ${LISTED_USER} AND ${IS_CHANGED}
      AND u.active AND w.resource -> 'active' = 'false'`,
};

export const COUNT_GROUPS: Statement = {
  text: `SELECT count(*) FILTER (WHERE w.seen_run = $2)::integer AS listed,
      count(*) FILTER (WHERE group_id IS NOT NULL)::integer AS stored,
      count(*) FILTER (WHERE ${LISTED_GROUP} AND ${IS_NEW_GROUP})::integer AS created,
      count(*) FILTER (WHERE ${LISTED_GROUP} AND NOT ${IS_NEW_GROUP} AND ${IS_CHANGED})::integer AS updated,
      count(*) FILTER (WHERE NOT ${LISTED_GROUP} AND group_id IS NOT NULL)::integer AS deleted
    FROM dsync.workspace_groups w WHERE w.directory_id = $1`,
};

export const COUNT_MEMBERS: Statement = {
  text: `WITH ${edges()}
    SELECT (SELECT count(*) FROM edges e WHERE NOT ${IS_MEMBER})::integer AS added,
      (SELECT count(*) FROM (${SURPLUS()}) s)::integer AS removed,
      (SELECT count(*) FROM edges)::integer AS listed`,
};

/** A group of the names `$4`, as it was listed or as it is stored. */
const IS_PROTECTED = `(lower(w.external_id) = ANY ($4::text[]) OR w.names && $4::text[]
  OR EXISTS (SELECT FROM dsync.groups g WHERE g.directory_id = $1 AND g.id = w.group_id
    AND lower(g.display_name) = ANY ($4::text[])))`;

/** Names of stored protected groups that were not listed, or that would lose all members. */
export const LOST_PROTECTED_GROUPS: Statement = {
  text: `WITH ${edges(`AND ${IS_PROTECTED}`)}
    SELECT coalesce(w.names[1], w.external_id) AS name FROM dsync.workspace_groups w
    WHERE w.directory_id = $1 AND w.group_id IS NOT NULL AND ${IS_PROTECTED}
      AND (NOT ${LISTED_GROUP}
        OR (EXISTS (SELECT FROM dsync.group_members gm WHERE gm.group_id = w.group_id)
          AND NOT EXISTS (SELECT FROM edges e WHERE e.group_external_id = w.external_id)))
    ORDER BY 1`,
};

const pageOf = (table: string, columns: string, condition: string): Statement => ({
  name: `dsync_${table}_differences`,
  text: `SELECT w.external_id AS "externalId", ${columns}
    FROM dsync.${table} w
    WHERE w.directory_id = $1 AND w.external_id > $3 AND ${condition}
    ORDER BY w.external_id LIMIT $4`,
});

const RESOURCE_COLUMNS = `w.listed_hash AS hash, w.resource, octet_length(w.resource::text) AS bytes`;

/** Users or groups to create or change, after `$3`, at most `$4`. */
export const CHANGED_USERS = pageOf(
  'workspace_users',
  `w.user_id AS "storedId", ${RESOURCE_COLUMNS}`,
  `${LISTED_USER} AND (${IS_NEW_USER} OR ${IS_CHANGED})`,
);
export const CHANGED_GROUPS = pageOf(
  'workspace_groups',
  `w.group_id AS "storedId", ${RESOURCE_COLUMNS}`,
  `${LISTED_GROUP} AND (${IS_NEW_GROUP} OR ${IS_CHANGED})`,
);

/** Users or groups to delete, after `$3`, at most `$4`. */
export const GONE_USERS: Statement = {
  ...pageOf(
    'workspace_users',
    'w.user_id AS "storedId"',
    `NOT ${LISTED_USER} AND w.user_id IS NOT NULL`,
  ),
  name: 'dsync_gone_workspace_users',
};
export const GONE_GROUPS: Statement = {
  ...pageOf(
    'workspace_groups',
    'w.group_id AS "storedId"',
    `NOT ${LISTED_GROUP} AND w.group_id IS NOT NULL`,
  ),
  name: 'dsync_gone_workspace_groups',
};

/** Groups after `$4` with members to add or to remove, at most `$5`. */
export const GROUPS_WITH_ADDITIONS: Statement = {
  text: `WITH ${edges('AND w.external_id > $4')}
    SELECT DISTINCT e.group_external_id AS "externalId", e.group_id AS "storedId" FROM edges e
    WHERE e.group_id IS NOT NULL AND e.member_id IS NOT NULL AND NOT ${IS_MEMBER}
    ORDER BY 1 LIMIT $5`,
};
export const GROUPS_WITH_REMOVALS: Statement = {
  text: `WITH ${edges('AND w.external_id > $4')}
    SELECT DISTINCT s.external_id AS "externalId", s.group_id AS "storedId"
    FROM (${SURPLUS('AND w.external_id > $4')}) s ORDER BY 1 LIMIT $5`,
};

/** Members to add to, or to remove from, the group `$4`, at most `$5`. */
export const MEMBERS_TO_ADD: Statement = {
  name: 'dsync_workspace_members_to_add',
  text: `WITH ${edges('AND w.external_id = $4')}
    SELECT e.member_id AS id FROM edges e
    WHERE e.group_id IS NOT NULL AND e.member_id IS NOT NULL AND NOT ${IS_MEMBER}
    ORDER BY 1 LIMIT $5`,
};
export const MEMBERS_TO_REMOVE: Statement = {
  name: 'dsync_workspace_members_to_remove',
  text: `WITH ${edges('AND w.external_id = $4')}
    SELECT s.member_id AS id FROM (${SURPLUS('AND w.external_id = $4')}) s ORDER BY 1 LIMIT $5`,
};

const SHOWN_MAX = 100;
const USER_NAME = `coalesce(w.resource ->> 'userName', u.user_name, w.external_id)`;
const GROUP_NAME = `coalesce(w.resource ->> 'displayName', g.display_name, w.external_id)`;

const shownUsers = (condition: string): Statement => ({
  text: `SELECT w.external_id, ${USER_NAME} AS name FROM dsync.workspace_users w
    LEFT JOIN dsync.users u ON u.directory_id = $1 AND u.id = w.user_id
    WHERE w.directory_id = $1 AND ${condition} ORDER BY w.external_id LIMIT ${SHOWN_MAX}`,
});
const shownGroups = (condition: string): Statement => ({
  text: `SELECT w.external_id, ${GROUP_NAME} AS name FROM dsync.workspace_groups w
    LEFT JOIN dsync.groups g ON g.directory_id = $1 AND g.id = w.group_id
    WHERE w.directory_id = $1 AND ${condition} ORDER BY w.external_id LIMIT ${SHOWN_MAX}`,
});

/** The first of each kind of difference, for an administrator. */
export const SHOWN = {
  users_created: shownUsers(`${LISTED_USER} AND ${IS_NEW_USER}`),
  users_updated: shownUsers(`${LISTED_USER} AND NOT ${IS_NEW_USER} AND ${IS_CHANGED}`),
  users_deleted: shownUsers(`NOT ${LISTED_USER} AND w.user_id IS NOT NULL`),
  groups_created: shownGroups(`${LISTED_GROUP} AND ${IS_NEW_GROUP}`),
  groups_updated: shownGroups(`${LISTED_GROUP} AND NOT ${IS_NEW_GROUP} AND ${IS_CHANGED}`),
  groups_deleted: shownGroups(`NOT ${LISTED_GROUP} AND w.group_id IS NOT NULL`),
} as const;

const NAMED_GROUP = `LEFT JOIN dsync.workspace_groups w ON w.directory_id = $1 AND w.external_id = x.group_external_id
  LEFT JOIN dsync.groups g ON g.directory_id = $1 AND g.id = w.group_id`;

export const SHOWN_ADDITIONS: Statement = {
  text: `WITH ${edges()}
    SELECT x.group_external_id AS "group", ${GROUP_NAME} AS group_name, x.member_external_id AS member
    FROM (SELECT * FROM edges e WHERE NOT ${IS_MEMBER}
      ORDER BY e.group_external_id, e.member_external_id LIMIT ${SHOWN_MAX}) x ${NAMED_GROUP}`,
};
export const SHOWN_REMOVALS: Statement = {
  text: `WITH ${edges()}
    SELECT x.group_external_id AS "group", ${GROUP_NAME} AS group_name,
      coalesce(u.external_id, x.member_id::text) AS member
    FROM (SELECT s.external_id AS group_external_id, s.member_id FROM (${SURPLUS()}) s
      ORDER BY 1, 2 LIMIT ${SHOWN_MAX}) x ${NAMED_GROUP}
    LEFT JOIN dsync.workspace_users u ON u.directory_id = $1 AND u.user_id = x.member_id`,
};

/** What could not be stored, users first. */
export const FAILURES: Statement = {
  text: `(SELECT 'user' AS kind, w.external_id, w.failure AS reason FROM dsync.workspace_users w
      WHERE w.directory_id = $1 AND ${LISTED_USER} AND w.failure IS NOT NULL
      ORDER BY w.external_id LIMIT ${SHOWN_MAX})
    UNION ALL
    (SELECT 'group', w.external_id, w.failure FROM dsync.workspace_groups w
      WHERE w.directory_id = $1 AND w.seen_run = $2 AND w.failure IS NOT NULL
      ORDER BY w.external_id LIMIT ${SHOWN_MAX})`,
};

export const COUNT_FAILURES: Statement = {
  text: `SELECT ((SELECT count(*) FROM dsync.workspace_users w
      WHERE w.directory_id = $1 AND ${LISTED_USER} AND w.failure IS NOT NULL)
    + (SELECT count(*) FROM dsync.workspace_groups w
      WHERE w.directory_id = $1 AND w.seen_run = $2 AND w.failure IS NOT NULL))::integer AS count`,
};
