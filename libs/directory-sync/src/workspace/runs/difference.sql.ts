/**
 * Differences of users and groups between a listing and the directory, by hash. `$1` is the directory,
 * `$2` the run.
 */
import { type Statement } from '@gatehouse/kit/sql';

const LISTED_USER = 'w.seen_run = $2';
export const LISTED_GROUP = '(w.seen_run = $2 AND w.chosen)';
const IS_CHANGED = 'w.listed_hash IS DISTINCT FROM w.applied_hash';
/** Hashes say nothing about a group that was left out by choice and is listed again. */
const IS_NEW_USER = 'w.user_id IS NULL';
const IS_NEW_GROUP = 'w.group_id IS NULL';

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

/** Differences of each kind that an administrator sees. */
export const SHOWN_MAX = 100;
const USER_NAME = `coalesce(w.resource ->> 'userName', u.user_name, w.external_id)`;
export const GROUP_NAME = `coalesce(w.resource ->> 'displayName', g.display_name, w.external_id)`;

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

/** Resources that could not be stored, users first. */
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
