/**
 * The SQL fragments with which statements of users and groups write their events: after the rows
 * they locked, in the same round trip and transaction. A statement announces itself before it draws
 * a sequence number (ADR 0020): all that it writes is selected from the CTE `directory`, which reads
 * from the announcement.
 */
import { announcedCte, EVENT_COLUMNS, TRANSACTION_TIME_MAX } from '@gatehouse/delivery';
import { type Statement } from '@gatehouse/kit/sql';
import { DSYNC_SCHEMA } from '../database/schema.js';

/** Condition for directory `d` to write to: `$1` is its id, `$2` its revision or null for any. */
export const LIVE_DIRECTORY = `d.id = $1 AND d.deleted_at IS NULL
  AND d.revision = coalesce($2, d.revision)`;

/**
 * The first CTEs of statements that write events: the announcement of their writer, and then `directory`.
 * The result is empty if the directory is deleted or has another revision; then nothing is written.
 */
export const ANNOUNCED = `${announcedCte(DSYNC_SCHEMA, '$1::uuid')},
  directory AS MATERIALIZED (
    SELECT d.id, d.maps_roles FROM announced, dsync.directories d WHERE ${LIVE_DIRECTORY})`;

/** The roles of user `u` by the mapping of its directory. */
export const rolesOf = (u: string) => `dsync.roles_of(${u}.id)`;

/** `data` of an event about a user, in a statement with ANNOUNCED; equal to what `userEventData` builds. */
export const userData = (u: string) => userDataWith(u, '');

/** `data` of an event about a group, without members to bound its size. */
export const groupData = (g: string) =>
  `json_build_object('id', ${g}.id, 'name', ${g}.display_name,
    'raw', ${g}.raw || jsonb_build_object('id', ${g}.id))`;

/** `data` of an event about a membership, in a statement with ANNOUNCED: the user with its group. */
export const membershipData = (u: string, g: string) =>
  userDataWith(u, `, 'group', ${groupData(g)}`);

/** The same in a directory without roles. */
export const plainMembershipData = (u: string, g: string) =>
  `json_build_object(${userMembers(u)}, 'group', ${groupData(g)})`;

/**
 * CTE `logged`: writes one event for each row of `source`, which has the columns `type`, `data`,
 * `previous` and those that `order` needs. Sequence numbers follow that order, because PostgreSQL
 * computes the column default after sorting.
 */
export const logged = (source: string, order = '1') =>
  `logged AS (
    INSERT INTO dsync.events (source_id, type, data, previous)
    SELECT $1, e.type, e.data, e.previous
    FROM (SELECT * FROM (${source}) s ORDER BY ${order}) e
    RETURNING id, sequence, type, data, previous, created_at AS "createdAt")`;

/** All events of a statement as one JSON array, or null unless they are wanted. */
export const eventsOf = (wanted: string) =>
  `(SELECT json_agg(logged ORDER BY logged.sequence) FROM logged WHERE ${wanted}::boolean) AS events`;

/** Users have the roles of the mapping only in directories with one. */
function userDataWith(u: string, more: string): string {
  const members = userMembers(u);
  return `CASE WHEN (SELECT d.maps_roles FROM directory d)
    THEN json_build_object(${members}, 'roles', ${rolesOf(u)}${more})
    ELSE json_build_object(${members}${more}) END`;
}

function userMembers(u: string): string {
  return `'id', ${u}.id, 'first_name', coalesce(${u}.first_name, ''),
    'last_name', coalesce(${u}.last_name, ''), 'email', coalesce(${u}.email, ''),
    'active', ${u}.active, 'raw', ${u}.raw || jsonb_build_object('id', ${u}.id)`;
}

const LOGGED = `${EVENT_COLUMNS}, e.source_id AS "sourceId", jsonb_build_object('id', d.id, 'tenant', d.tenant,
  'product', d.product, 'attributeMapping', d.attribute_mapping) AS source`;

export const FIND_EVENT: Statement = {
  name: 'dsync_find_event_with_directory',
  text: `SELECT ${LOGGED}
    FROM dsync.events e JOIN dsync.directories d ON d.id = e.source_id
    WHERE e.id = $1 AND d.deleted_at IS NULL`,
};

/** Directories of a tenant or product whose events are read one directory at a time. */
export const SCOPE_DIRECTORIES_MAX = 100;

/** The directories of a tenant, `$1`, or product, `$2`: one more than may be read one at a time. */
export const DIRECTORIES_IN_SCOPE: Statement = {
  text: `SELECT d.id FROM dsync.directories d
    WHERE d.deleted_at IS NULL
      AND ($1::text IS NULL OR d.tenant = $1) AND ($2::text IS NULL OR d.product = $2)
    LIMIT ${SCOPE_DIRECTORIES_MAX + 1}`,
};

/**
 * Events of live directories in sequence: after, horizon, limit, bytes, and the time of the event
 * before. `rows` are the next ones. The first event may be larger than the bytes.
 */
const listOf = (rows: string, name?: string): Statement => ({
  name,
  text: `SELECT ${LOGGED} FROM (
      SELECT next.*, row_number() OVER in_order AS position,
        sum(octet_length(data::text) + coalesce(octet_length(previous::text), 0))
          OVER in_order AS bytes
      FROM (${rows}) next
      WINDOW in_order AS (ORDER BY sequence)) e
    JOIN dsync.directories d ON d.id = e.source_id AND d.deleted_at IS NULL
    WHERE e.position = 1 OR e.bytes <= $4
    ORDER BY e.sequence`,
});

/** The next events of a directory, an SQL expression. */
const eventsOfDirectory = (id: string) => `dsync.events_in_order(${id}, $1, $2,
  coalesce($5::timestamptz - ${TRANSACTION_TIME_MAX}, '-infinity'), NULL, $3)`;

/** `$6` is the directory. */
export const LIST_EVENTS = listOf(`SELECT * FROM ${eventsOfDirectory('$6')}`, 'dsync_list_events');

/** `$6` are directories. Each contributes its next events, so that those of others are never read. */
export const LIST_EVENTS_OF_SOME = listOf(
  `SELECT nearest.* FROM unnest($6::uuid[]) AS s (id)
      CROSS JOIN LATERAL ${eventsOfDirectory('s.id')} nearest
    ORDER BY nearest.sequence LIMIT $3`,
  'dsync_list_events_of_some',
);

/**
 * `$6` and `$7` are tenant and product, or null. Without a name, so that PostgreSQL plans it for the
 * values that are given: a plan for any values sorts the rest of the log.
 */
export const LIST_ALL_EVENTS = listOf(
  `SELECT e.* FROM dsync.events e JOIN dsync.directories d ON d.id = e.source_id
    WHERE e.sequence > $1 AND e.sequence <= $2
      AND ($5::timestamptz IS NULL OR e.created_at >= $5 - ${TRANSACTION_TIME_MAX})
      AND d.deleted_at IS NULL
      AND ($6::text IS NULL OR d.tenant = $6) AND ($7::text IS NULL OR d.product = $7)
    ORDER BY e.sequence LIMIT $3`,
);

export const LATEST_EVENT: Statement = {
  text: `SELECT e.id FROM dsync.events e JOIN dsync.directories d ON d.id = e.source_id
    WHERE e.sequence <= $1 AND d.deleted_at IS NULL ORDER BY e.sequence DESC LIMIT 1`,
};
