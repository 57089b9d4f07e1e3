/** Statements and SQL fragments of the `dsync.users` table; `$1` is the directory. */
import { type Statement } from '@gatehouse/kit/sql';
import { cutAtSize } from '../database/cut-at-size.js';
import {
  ACCESS_COLUMNS,
  inDirectory,
  newestIds,
  newestIdsFound,
  newestIdsWithRole,
  SCOPE_CONDITION,
} from '../directories/directory.sql.js';
import { ANNOUNCED, logged, membershipData, rolesOf, userData } from '../events/event.sql.js';

/** The columns of user `u` for its SCIM representation. */
export const RESOURCE_COLUMNS = `u.id, u.version, u.raw, u.created_at AS "createdAt",
  u.updated_at AS "updatedAt"`;

/** The columns of user `u` that a change is based on. */
export const USER_COLUMNS = `${RESOURCE_COLUMNS}, u.first_name AS "firstName",
  u.last_name AS "lastName", u.email, u.active, u.raw_bytes AS bytes`;

/** The groups of a user of a directory, SQL expressions. Rows are found by id (ADR 0022). */
const groupsOf = (directoryId: string, userId: string) => `(SELECT coalesce(
    json_agg(json_build_object('value', g.id, 'display', g.display_name) ORDER BY g.id), '[]')
  FROM dsync.group_members m
  JOIN dsync.groups g ON g.id = m.group_id AND (g.directory_id = m.directory_id) IS TRUE
  WHERE m.user_id = ${userId} AND m.directory_id = ${directoryId})`;

/** The groups of user `u` as one JSON value. */
export const GROUPS_OF_USER = groupsOf('u.directory_id', 'u.id');

export const FIND_USER: Statement = {
  name: 'dsync_find_user',
  text: `SELECT ${USER_COLUMNS}, ${GROUPS_OF_USER} AS groups
    FROM dsync.users u WHERE u.id = $2 AND ${inDirectory('u')}`,
};

// The row and its event share one now(), so the time of the event is that of the row.
export const INSERT_USER: Statement = {
  name: 'dsync_insert_user',
  logsEvents: true,
  text: `WITH ${ANNOUNCED},
    written AS (
      INSERT INTO dsync.users (directory_id, id, raw, user_name, user_name_lower, external_id,
        display_name, display_name_lower, emails_lower, first_name, last_name, email, active)
      SELECT $1, $3::uuid, $4::jsonb, $5, $6, $7, $8, $9, $10::text[], $11, $12, $13, $14::boolean
      FROM directory
      RETURNING raw_bytes)
    INSERT INTO dsync.events (source_id, id, type, data)
    SELECT $1, $15, 'user.created', $16 FROM written
    RETURNING sequence, created_at AS "createdAt", (SELECT raw_bytes FROM written) AS bytes`,
};

const updateText = (groups: string) =>
  `WITH ${ANNOUNCED},
    written AS (
      UPDATE dsync.users u SET version = u.version + 1, raw = $4::jsonb, user_name = $5,
        user_name_lower = $6, external_id = $7, display_name = $8, display_name_lower = $9,
        emails_lower = $10::text[], first_name = $11, last_name = $12, email = $13,
        active = $14::boolean, updated_at = now()
      FROM directory
      WHERE u.id = $3 AND u.version = $18 AND u.updated_at = $19 AND ${inDirectory('u')}
      RETURNING u.raw_bytes)
    INSERT INTO dsync.events (source_id, id, type, data, previous)
    SELECT $1, $15, 'user.updated', $16, $17 FROM written
    RETURNING sequence, created_at AS "createdAt", ${groups} AS groups,
      (SELECT raw_bytes FROM written) AS bytes`;

export const UPDATE_USER: Statement = {
  name: 'dsync_update_user',
  logsEvents: true,
  text: updateText(groupsOf('$1', '$3')),
};

// For a user that had no groups: checking for none is cheaper than aggregating an empty list.
export const UPDATE_USER_WITHOUT_GROUPS: Statement = {
  name: 'dsync_update_user_without_groups',
  logsEvents: true,
  text: updateText(`CASE WHEN NOT EXISTS (
      SELECT FROM dsync.group_members m
      WHERE m.user_id = $3 AND m.directory_id = $1) THEN '[]'::json END`),
};

export const FIND_GROUPS_OF_USER: Statement = {
  name: 'dsync_groups_of_user',
  text: `SELECT ${groupsOf('$1', '$2')} AS groups`,
};

export const ACCESS_WITH_USER: Statement = {
  name: 'dsync_directory_access_with_user',
  text: `SELECT d.id AS "directoryId", ${ACCESS_COLUMNS}, ${USER_COLUMNS}, ${GROUPS_OF_USER} AS groups
    FROM dsync.directories d
    LEFT JOIN dsync.users u ON u.id = $2 AND ${inDirectory('u')}
    WHERE d.id = $1 AND d.deleted_at IS NULL`,
};

export const LOCK_GROUPS_OF_USER: Statement = {
  name: 'dsync_lock_groups_of_user',
  text: `SELECT g.id FROM dsync.groups g
    WHERE ${inDirectory('g')} AND g.id IN (
      SELECT m.group_id FROM dsync.group_members m
      WHERE m.user_id = $2 AND m.directory_id = $1)
    ORDER BY g.id FOR NO KEY UPDATE OF g`,
};

export const LOCK_USER: Statement = {
  name: 'dsync_lock_user',
  text: `SELECT FROM dsync.users u WHERE u.id = $2 AND ${inDirectory('u')} FOR UPDATE`,
};

export const DELETE_USER: Statement = {
  name: 'dsync_delete_user',
  logsEvents: true,
  text: `WITH ${ANNOUNCED},
    target AS MATERIALIZED (
      SELECT u.* FROM directory, dsync.users u
      WHERE u.id = $3 AND ($4::integer IS NULL OR u.version = $4) AND ${inDirectory('u')}
        AND NOT EXISTS (SELECT FROM dsync.group_members m
          WHERE m.user_id = $3 AND m.directory_id = $1 AND m.group_id <> ALL ($5::uuid[]))
      FOR UPDATE OF u),
    ended AS (
      DELETE FROM dsync.group_members m USING target t
      WHERE m.user_id = t.id AND m.directory_id = $1
      RETURNING m.group_id),
    bumped AS (
      UPDATE dsync.groups g SET version = g.version + 1, member_count = g.member_count - 1,
        updated_at = now()
      FROM ended WHERE g.id = ended.group_id
      RETURNING g.*),
    deleted AS (
      DELETE FROM dsync.users u USING target t WHERE u.id = t.id
      RETURNING u.id),
    without_roles AS (DELETE FROM dsync.user_roles r USING target t WHERE r.user_id = t.id),
    ${logged(
      `SELECT 1 AS rank, 'group.user_removed' AS type, ${membershipData('t', 'g')} AS data,
          NULL::json AS previous, g.id AS group_id FROM target t, bumped g
        UNION ALL
        SELECT 2, 'user.deleted', ${userData('t')}, NULL, NULL FROM target t, deleted`,
      'rank, group_id',
    )}
    SELECT logged.*, (SELECT raw_bytes FROM target) AS bytes FROM logged ORDER BY sequence`,
};

const RECORD_COLUMNS = `u.id, u.directory_id AS "directoryId", u.first_name AS "firstName",
  u.last_name AS "lastName", u.email, u.active, u.raw`;

/** The roles of user `u` by the mapping of its directory, `d`; null if it has none. */
const MAPPED_ROLES = `CASE WHEN d.maps_roles THEN ${rolesOf('u')} END`;

/** Users on a page of ids, newest first, cut at `$6` bytes; `found` is the number of rows before. */
const recordsOn = (ids: string): Statement => ({
  text: `WITH page AS MATERIALIZED (
      SELECT id, row_number() OVER () AS position FROM (${ids}) newest)
    ${cutAtSize({
      alias: 'u',
      source: `SELECT u.*, page.position, d.attribute_mapping, ${GROUPS_OF_USER} AS groups,
          ${MAPPED_ROLES} AS mapped_roles
        FROM page JOIN dsync.users u ON u.id = page.id
        JOIN dsync.directories d ON d.id = u.directory_id`,
      columns: `${RECORD_COLUMNS}, u.groups, u.attribute_mapping AS "attributeMapping",
        u.mapped_roles AS "mappedRoles", (SELECT count(*)::integer FROM page) AS found`,
      bytes: 'u.raw_bytes + octet_length(u.groups::text)',
      bytesMax: '$6',
    })}`,
});

export const LIST_USER_RECORDS = recordsOn(newestIds('users'));

/** Only users with the value `$7`: each look-up reads an index, and the e-mail addresses that of all directories. */
export const LIST_USER_RECORDS_BY = {
  role: recordsOn(newestIdsWithRole('$7')),
  userName: recordsOn(newestIdsFound('r.directory_id = d.id AND r.user_name_lower = $7')),
  externalId: recordsOn(newestIdsFound('r.directory_id = d.id AND r.external_id = $7')),
  email: recordsOn(
    newestIdsFound('r.emails_lower @> ARRAY[$7]::text[] AND (r.directory_id = d.id) IS TRUE'),
  ),
} as const satisfies Record<string, Statement>;

export const FIND_USER_RECORD: Statement = {
  text: `SELECT ${RECORD_COLUMNS}, ${GROUPS_OF_USER} AS groups,
      d.attribute_mapping AS "attributeMapping", ${MAPPED_ROLES} AS "mappedRoles"
    FROM dsync.users u JOIN dsync.directories d ON d.id = u.directory_id
    WHERE ${SCOPE_CONDITION} AND u.id = $4`,
};
