/** Statements that erase the personal data of keys outside of their records. */
import { type Statement } from '@gatehouse/kit/sql';
import { SERIES, USAGE_LEVELS } from '../store/usage/usage.types.js';

/**
 * Keys whose next day is the earliest that is due: limit. Those of other replicas are left out. On the
 * last day with their actors.
 */
export const LOCK_DUE: Statement = {
  text: `
    SELECT key_id AS "keyId", day::text AS day,
      CASE WHEN day >= last_day THEN actor_id END AS "actorId"
    FROM keys.erasures
    WHERE due_time <= now() AND day = (
      SELECT day FROM keys.erasures WHERE due_time <= now()
      ORDER BY day LIMIT 1 FOR UPDATE SKIP LOCKED)
    ORDER BY key_id LIMIT $1 FOR UPDATE SKIP LOCKED`,
};

/** Day (UTC), key ids. @returns the events */
export const ERASE_EVENTS: Statement = {
  text: `
    UPDATE keys.events
    SET data = ((data::jsonb - 'tags') || '{"name": "", "actor_id": "", "metadata": {}}'
      || CASE type WHEN 'key.exposed' THEN '{"url": ""}' ELSE '{}' END::jsonb)::json
    WHERE created_at >= $1::date::timestamp AT TIME ZONE 'UTC'
      AND created_at < ($1::date + 1)::timestamp AT TIME ZONE 'UTC'
      AND data->>'key_id' = ANY ($2)
    RETURNING id`,
};

/** Event ids, their day. Attempts may also keep what an endpoint answered about the event. */
export const ERASE_ATTEMPTS: Statement = {
  text: `
    UPDATE keys.delivery_attempts SET payload = NULL, response = NULL
    WHERE event_id = ANY ($1) AND at >= $2::date::timestamp AT TIME ZONE 'UTC' - interval '1 day'
      AND (payload IS NOT NULL OR response IS NOT NULL)`,
};

/** Counts of the day `$1`; with their level, so that other partitions are not read. */
const OF_DAY = Object.values(USAGE_LEVELS)
  .map(
    (level) => `level = ${level} AND at >= $1::date::timestamp AT TIME ZONE 'UTC'
        AND at < ($1::date + 1)::timestamp AT TIME ZONE 'UTC'`,
  )
  .join(' OR ');

/**
 * Day (UTC), key ids. The counts of a key stay, without its actor; those by tag are dropped, because a tag
 * may name somebody.
 */
export const ERASE_USAGE: Statement = {
  text: `
    WITH tagged AS (
      DELETE FROM keys.usage
      WHERE series = ${SERIES.keyTag} AND subject = ANY ($2) AND (${OF_DAY}))
    UPDATE keys.usage SET actor_id = ''
    WHERE series = ${SERIES.key} AND subject = ANY ($2) AND actor_id <> '' AND (${OF_DAY})`,
};

/** An actor; unless there are keys of it, its counts and its portal sessions are dropped. */
export const ERASE_ACTOR: Statement = {
  text: `
    WITH gone AS (
      SELECT WHERE $1 <> '' AND NOT EXISTS (
        SELECT FROM keys.api_keys WHERE kind IN ('issued', 'imported', 'trust') AND actor_id = $1)),
    sessions AS (
      DELETE FROM keys.portal_sessions WHERE actor_id = $1 AND EXISTS (SELECT FROM gone))
    DELETE FROM keys.usage
    WHERE series = ${SERIES.actor} AND subject = $1 AND EXISTS (SELECT FROM gone)`,
};

/** Key ids, the day that is done. */
export const ADVANCE: Statement = {
  text: `
    WITH done AS (
      SELECT key_id, pass FROM keys.erasures
      WHERE key_id = ANY ($1) AND day = $2::date AND due_time <= now()),
    ended AS (
      DELETE FROM keys.erasures AS e USING done
      WHERE e.key_id = done.key_id AND e.pass = done.pass AND last_day <= $2::date)
    UPDATE keys.erasures AS e SET day = $2::date + 1 FROM done
    WHERE e.key_id = done.key_id AND e.pass = done.pass AND last_day > $2::date`,
};
