/**
 * Pieces of the statements that change users and groups. Each such statement writes its events
 * itself, after the rows it locked, so that a change and its events are one round trip and one
 * transaction. The CTE `announced` must be read before a number is drawn (ADR 0020).
 */
import { IS_SENDING } from '../directories/directory.repository.js';

/**
 * Takes the announcement of a writer in the directory with this id (ADR 0020): everything that the
 * statement draws from the sequence afterwards is above the number that it locks.
 * Reads `s`, the sequence, and must be evaluated once.
 */
export const announcement = (directoryId: string) =>
  `pg_advisory_xact_lock_shared(dsync.announcement_class(${directoryId}),
    (CASE WHEN s.is_called THEN s.last_value ELSE s.last_value - 1 END)::bit(32)::integer)`;

/**
 * The first CTE of every statement that writes events; `$1` is the directory, `$2` the revision
 * that it must have, or null for any. Where it has another one, or is deleted, there is no row, and
 * nothing is written. `state` is what becomes of the events.
 */
export const ANNOUNCED = `announced AS MATERIALIZED (
    SELECT ${announcement('d.id')},
      CASE WHEN ${IS_SENDING} THEN 'pending' ELSE 'not_sent' END AS state
    FROM dsync.directories d, dsync.event_sequence s
    WHERE d.id = $1 AND d.deleted_at IS NULL AND d.revision = coalesce($2, d.revision))`;

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
