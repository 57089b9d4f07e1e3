/**
 * The SQL fragments with which statements of users and groups write their events: after the rows
 * they locked, in the same round trip and transaction. A statement announces itself before it draws
 * a sequence number (ADR 0020), either in the CTE `announced`, from which all that it writes is
 * selected, or in the RETURNING clause of the UPDATE that feeds its events.
 */
import { announcement as announcementIn, EVENT_COLUMNS } from '@gatehouse/delivery';
import { type Statement } from '@gatehouse/service-kit';
import { DSYNC_SCHEMA } from '../database/schema.js';

/** Announces a writer in the directory with this id, an SQL expression (ADR 0020). */
export const announcement = (directoryId: string) => announcementIn(DSYNC_SCHEMA, directoryId);

/** Condition for directory `d` to write to: `$1` is its id, `$2` its revision or null for any. */
export const LIVE_DIRECTORY = `d.id = $1 AND d.deleted_at IS NULL
  AND d.revision = coalesce($2, d.revision)`;

/**
 * The first CTE of statements that write events. It is empty if the directory is deleted or has
 * another revision; then nothing is written.
 */
export const ANNOUNCED = `announced AS MATERIALIZED (
    SELECT ${announcement('d.id')} FROM dsync.directories d WHERE ${LIVE_DIRECTORY})`;

/** `data` of an event about a user; equal to what `userEventData` builds. */
export const userData = (u: string) => `json_build_object(${userMembers(u)})`;

/** `data` of an event about a group, without members to bound its size. */
export const groupData = (g: string) =>
  `json_build_object('id', ${g}.id, 'name', ${g}.display_name,
    'raw', ${g}.raw || jsonb_build_object('id', ${g}.id))`;

/** `data` of an event about a membership: the user with its group. */
export const membershipData = (u: string, g: string) =>
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

function userMembers(u: string): string {
  return `'id', ${u}.id, 'first_name', coalesce(${u}.first_name, ''),
    'last_name', coalesce(${u}.last_name, ''), 'email', coalesce(${u}.email, ''),
    'active', ${u}.active, 'raw', ${u}.raw || jsonb_build_object('id', ${u}.id)`;
}

const LOGGED = `${EVENT_COLUMNS}, jsonb_build_object('id', d.id, 'tenant', d.tenant,
  'product', d.product, 'attributeMapping', d.attribute_mapping) AS source`;

export const FIND_EVENT: Statement = {
  name: 'dsync_find_event_with_directory',
  text: `SELECT ${LOGGED}
    FROM dsync.events e JOIN dsync.directories d ON d.id = e.source_id
    WHERE e.id = $1 AND d.deleted_at IS NULL`,
};

/**
 * Events of live directories in sequence: after, horizon, limit, bytes, and the values of the
 * condition. The first event may be larger than the bytes.
 */
const listOf = (name: string, condition: string): Statement => ({
  name,
  text: `SELECT ${LOGGED} FROM (
      SELECT next.*, row_number() OVER in_order AS position,
        sum(pg_column_size(data) + coalesce(pg_column_size(previous), 0)) OVER in_order AS bytes
      FROM (SELECT e.* FROM dsync.events e JOIN dsync.directories d ON d.id = e.source_id
        WHERE e.sequence > $1 AND e.sequence <= $2 AND d.deleted_at IS NULL AND ${condition}
        ORDER BY e.sequence LIMIT $3) next
      WINDOW in_order AS (ORDER BY sequence)) e
    JOIN dsync.directories d ON d.id = e.source_id
    WHERE e.position = 1 OR e.bytes <= $4
    ORDER BY e.sequence`,
});

/** `$5` is the directory. */
export const LIST_EVENTS = listOf('dsync_list_events', 'e.source_id = $5');

/** `$5` and `$6` are tenant and product, or null. */
export const LIST_ALL_EVENTS = listOf(
  'dsync_list_all_events',
  '($5::text IS NULL OR d.tenant = $5) AND ($6::text IS NULL OR d.product = $6)',
);

export const LATEST_EVENT: Statement = {
  text: `SELECT e.id FROM dsync.events e JOIN dsync.directories d ON d.id = e.source_id
    WHERE e.sequence <= $1 AND d.deleted_at IS NULL ORDER BY e.sequence DESC LIMIT 1`,
};
