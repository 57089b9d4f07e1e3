/**
 * Pieces of the statements that change users and groups. Each such statement writes its events
 * itself, after the rows it locked, so that a change and its events are one round trip and one
 * transaction. A statement announces itself before it draws a number (ADR 0020): in the CTE `announced`,
 * or in what an UPDATE returns to the insertion of its event.
 */
import { IS_SENDING } from '../directories/directory.repository.js';

/**
 * Takes the announcement of a writer in the directory with this id (ADR 0020): what is drawn from
 * the sequence afterwards is above the number that it locks.
 */
export const announcement = (directoryId: string) =>
  `pg_advisory_xact_lock_shared(dsync.announcement_class(${directoryId}),
    coalesce(pg_sequence_last_value('dsync.event_sequence'), 0)::bit(32)::integer)`;

/** What becomes of the events of a directory `d`. */
export const EVENT_STATE = `CASE WHEN ${IS_SENDING} THEN 'pending' ELSE 'not_sent' END AS state`;

/** The directory `d` that a statement writes to: `$1` is its id, `$2` its revision, or null for any. */
export const LIVE_DIRECTORY = `d.id = $1 AND d.deleted_at IS NULL
  AND d.revision = coalesce($2, d.revision)`;

/**
 * The first CTE of statements that write events. Where the directory has another revision, or is
 * deleted, there is no row, and nothing is written.
 */
export const ANNOUNCED = `announced AS MATERIALIZED (
    SELECT ${announcement('d.id')}, ${EVENT_STATE}
    FROM dsync.directories d WHERE ${LIVE_DIRECTORY})`;

/** `data` of a user's event; `userEventData` is the same for a user that is at hand. */
export const userData = (u: string) => `json_build_object(${userMembers(u)})`;

/** `data` of a group's event: without members, so that its size does not depend on them. */
export const groupData = (g: string) =>
  `json_build_object('id', ${g}.id, 'name', ${g}.display_name,
    'raw', ${g}.raw || jsonb_build_object('id', ${g}.id))`;

/** `data` of a membership's event: the user, and the group beside it. */
export const membershipData = (u: string, g: string) =>
  `json_build_object(${userMembers(u)}, 'group', ${groupData(g)})`;

/**
 * CTE `logged`: writes one event for each row of `source`, which has the columns `type`, `data`,
 * `previous` and whatever `order` sorts by. Numbers are drawn in that order, because the default
 * of the column is computed above the sorted rows.
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
