/**
 * Statements of the event log, and the SQL fragments with which statements of users and groups
 * write their events: after the rows they locked, in the same round trip and transaction. A
 * statement announces itself before it draws a sequence number (ADR 0020), either in the CTE
 * `announced` or in the RETURNING clause of the UPDATE that feeds its events.
 */
import type { Statement } from '@gatehouse/service-kit';
import { IS_SENDING } from '../directories/directory.sql.js';

/**
 * Announces a writer in the directory with this id (ADR 0020): locks the current sequence number,
 * so that every number drawn afterwards is higher.
 */
export const announcement = (directoryId: string) =>
  `pg_advisory_xact_lock_shared(dsync.announcement_class(${directoryId}),
    coalesce(pg_sequence_last_value('dsync.event_sequence'), 0)::bit(32)::integer)`;

/** The state of a new event of directory `d`. */
export const EVENT_STATE = `CASE WHEN ${IS_SENDING} THEN 'pending' ELSE 'not_sent' END AS state`;

/** Condition for directory `d` to write to: `$1` is its id, `$2` its revision or null for any. */
export const LIVE_DIRECTORY = `d.id = $1 AND d.deleted_at IS NULL
  AND d.revision = coalesce($2, d.revision)`;

/**
 * The first CTE of statements that write events. It is empty if the directory is deleted or has
 * another revision; then nothing is written.
 */
export const ANNOUNCED = `announced AS MATERIALIZED (
    SELECT ${announcement('d.id')}, ${EVENT_STATE}
    FROM dsync.directories d WHERE ${LIVE_DIRECTORY})`;

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
    INSERT INTO dsync.events (directory_id, type, data, previous, state)
    SELECT $1, e.type, e.data, e.previous, (SELECT state FROM announced)
    FROM (SELECT * FROM (${source}) s ORDER BY ${order}) e
    RETURNING id, sequence, type, data, previous, created_at AS "createdAt")`;

function userMembers(u: string): string {
  return `'id', ${u}.id, 'first_name', coalesce(${u}.first_name, ''),
    'last_name', coalesce(${u}.last_name, ''), 'email', coalesce(${u}.email, ''),
    'active', ${u}.active, 'raw', ${u}.raw || jsonb_build_object('id', ${u}.id)`;
}

const COLUMNS = `e.id, e.sequence, e.type, e.data, e.previous, e.created_at AS "createdAt", e.state`;

export const EVENT_HORIZON: Statement = {
  name: 'dsync_event_horizon',
  text: 'SELECT dsync.event_horizon($1) AS horizon',
};

export const LIST_EVENTS: Statement = {
  name: 'dsync_list_events',
  text: `SELECT ${COLUMNS} FROM dsync.events e
    WHERE e.directory_id = $1 AND e.sequence > $2 AND e.sequence <= $3
    ORDER BY e.sequence LIMIT $4`,
};

export const FIND_EVENT: Statement = {
  name: 'dsync_find_event',
  text: `SELECT ${COLUMNS}, jsonb_build_object('id', d.id, 'tenant', d.tenant, 'product', d.product,
      'attributeMapping', d.attribute_mapping) AS source
    FROM dsync.events e JOIN dsync.directories d ON d.id = e.directory_id
    WHERE e.id = $1 AND d.deleted_at IS NULL`,
};

export const ATTEMPTS_OF_EVENTS: Statement = {
  name: 'dsync_attempts_of_events',
  text: `SELECT a.event_id AS "eventId", a.at, a.status_code AS "statusCode",
      a.duration_ms AS "durationMs", a.error
    FROM dsync.delivery_attempts a WHERE a.event_id = ANY ($1::uuid[]) ORDER BY a.id`,
};

export const RESEND_EVENT: Statement = {
  text: `WITH target AS (
      SELECT e.id FROM dsync.events e JOIN dsync.directories d ON d.id = e.directory_id
      WHERE e.id = $1 AND d.deleted_at IS NULL AND ${IS_SENDING}),
    again AS (
      UPDATE dsync.events e SET state = 'pending', attempts = 0, finished_at = NULL
      FROM target t WHERE e.id = t.id AND e.state <> 'pending')
    SELECT id FROM target`,
};

export const EVENT_COUNTS: Statement = {
  name: 'dsync_event_counts',
  text: `SELECT
      (SELECT count(*)::integer FROM dsync.events e
        WHERE e.directory_id = $1 AND e.state = 'pending') AS pending,
      (SELECT count(*)::integer FROM dsync.events e
        WHERE e.directory_id = $1 AND e.state = 'dead') AS dead,
      (SELECT round(extract(epoch FROM now() - e.created_at))::integer FROM dsync.events e
        WHERE e.directory_id = $1 AND e.state = 'pending'
        ORDER BY e.sequence LIMIT 1) AS "oldestPendingAgeSeconds"`,
};

export const UNDELIVERED: Statement = {
  text: `SELECT e.directory_id AS "directoryId", count(*)::integer AS events FROM dsync.events e
    WHERE e.state = 'pending' AND ($1::uuid IS NULL OR e.directory_id = $1)
    GROUP BY e.directory_id`,
};

export const LIST_WEBHOOK_LOGS: Statement = {
  text: `SELECT a.id, a.directory_id AS "directoryId", a.event_id AS "eventId", a.at,
      a.status_code AS "statusCode", a.duration_ms AS "durationMs", a.error, a.endpoint, a.payload,
      a.response
    FROM dsync.delivery_attempts a
    JOIN dsync.directories d ON d.id = a.directory_id AND d.deleted_at IS NULL
    WHERE a.directory_id = $1 AND a.payload IS NOT NULL
    ORDER BY a.id DESC OFFSET $2 LIMIT $3`,
};
