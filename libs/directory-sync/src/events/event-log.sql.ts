/**
 * Pieces of the statements that change users and groups. Each such statement writes its events
 * itself, after the rows it locked, so that a change and its events are one round trip and one
 * transaction. The CTE `announced` must be read before a number is drawn (ADR 0020).
 */
import { IS_SENDING } from '../directories/directory.repository.js';

/**
 * The first CTE of every statement that writes events; `$1` is the directory, `$2` the revision
 * that it must have, or null for any. Where it has another one, or is deleted, there is no row, and
 * nothing is written. `state` is what becomes of the events.
 */
export const ANNOUNCED = `announced AS MATERIALIZED (
    SELECT dsync.announce_events(d.id),
      CASE WHEN ${IS_SENDING} THEN 'pending' ELSE 'not_sent' END AS state
    FROM dsync.directories d
    WHERE d.id = $1 AND d.deleted_at IS NULL AND d.revision = coalesce($2, d.revision))`;

/** `data` of a user's event. */
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
