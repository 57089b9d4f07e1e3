/** Statements that say what became of events. */
import { type Statement } from '@gatehouse/kit/sql';
import { isWebhook } from '../endpoints/endpoint.sql.js';
import { TRANSACTION_TIME_MAX } from '../log/event-log.sql.js';

/** Bounds the time that a count costs; more events are not counted. */
export const COUNTED_EVENTS_MAX = 100_000;

export function statusStatements(schema: string) {
  const isLive = `(p.enabled AND p.state <> 'stopped' AND ${isWebhook('p')})`;
  const takes = `(p.types IS NULL OR e.type = ANY (p.types))`;
  /** Events after the cursor of endpoint `p`. */
  const undelivered = `FROM ${schema}.events e
    WHERE e.source_id = p.source_id AND e.sequence > p.cursor
      AND e.created_at >= p.cursor_at - ${TRANSACTION_TIME_MAX} AND ${takes}`;
  const counted = `SELECT count(*) AS n FROM (SELECT ${undelivered} LIMIT ${COUNTED_EVENTS_MAX}) few`;
  /** Endpoint `p` is one of a source, `$1`, or only the one with id `$2`. */
  const isMeant = 'p.source_id = $1 AND ($2::uuid IS NULL OR p.id = $2)';

  const attempt = `a.id, a.event_id AS "eventId", a.endpoint_id AS "endpointId", a.at,
    a.status_code AS "statusCode", a.duration_ms AS "durationMs", a.error, a.url`;

  return {
    /** The states of events by id. */
    states: {
      name: `${schema}_event_states`,
      text: `SELECT e.id, CASE
            WHEN bool_or(${isLive} AND ${takes} AND e.sequence > p.cursor) OR EXISTS (
              SELECT FROM ${schema}.replays r WHERE r.source_id = e.source_id AND e.sequence > r.cursor AND e.sequence <= r.until
                AND (r.types IS NULL OR e.type = ANY (r.types))) THEN 'pending'
            WHEN bool_or(EXISTS (SELECT FROM ${schema}.parked_events k
              WHERE k.endpoint_id = p.id AND k.source_id = p.source_id AND k.sequence = e.sequence)) THEN 'parked'
            WHEN bool_or(${takes} AND e.sequence <= p.cursor AND NOT EXISTS (
              SELECT FROM ${schema}.skipped_ranges s
              WHERE s.endpoint_id = p.id AND s.source_id = p.source_id
                AND e.sequence > s.after AND e.sequence <= s.until)) THEN 'delivered'
            ELSE 'not_sent' END AS state
        FROM ${schema}.events e LEFT JOIN ${schema}.endpoints p
          ON p.source_id = e.source_id AND ${isWebhook('p')}
        WHERE e.id = ANY ($1::uuid[])
        GROUP BY e.id, e.source_id, e.sequence, e.type`,
    },

    attempts: {
      name: `${schema}_attempts_of_events`,
      text: `SELECT a.event_id AS "eventId", a.endpoint_id AS "endpointId", a.at,
          a.status_code AS "statusCode", a.duration_ms AS "durationMs", a.error
        FROM ${schema}.delivery_attempts a WHERE a.event_id = ANY ($1::uuid[]) ORDER BY a.id`,
    },

    /**
     * Attempts of an endpoint, newest first: source, endpoint, before, limit. These lists have no
     * name: a plan for any values may read the attempts of other endpoints.
     */
    attemptsTo: {
      text: `SELECT ${attempt}, a.response FROM ${schema}.delivery_attempts a
        WHERE a.source_id = $1 AND a.endpoint_id = $2 AND ($3::bigint IS NULL OR a.id < $3)
        ORDER BY a.id DESC LIMIT $4`,
    },

    /** Attempts with their payload: source, endpoint, offset, limit. */
    loggedAttempts: {
      text: `SELECT ${attempt}, a.payload, a.response FROM ${schema}.delivery_attempts a
        WHERE a.source_id = $1 AND a.endpoint_id = $2 AND a.payload IS NOT NULL
        ORDER BY a.id DESC OFFSET $3 LIMIT $4`,
    },

    /** Counts of the endpoints of a source, or of one of them: source, endpoint or null. */
    counts: {
      name: `${schema}_event_counts`,
      text: `SELECT
          (SELECT coalesce(max(n), 0)::integer FROM ${schema}.endpoints p
            CROSS JOIN LATERAL (${counted}) waiting
            WHERE ${isMeant} AND ${isLive}) AS pending,
          (SELECT round(extract(epoch FROM now() - min(oldest.created_at)))::integer
            FROM ${schema}.endpoints p
            CROSS JOIN LATERAL (SELECT e.created_at ${undelivered}
              ORDER BY e.sequence LIMIT 1) oldest
            WHERE ${isMeant} AND ${isLive}) AS "oldestPendingAgeSeconds",
          (SELECT count(DISTINCT k.event_id)::integer FROM (
            SELECT k.event_id FROM ${schema}.parked_events k
            JOIN ${schema}.endpoints p ON p.id = k.endpoint_id AND p.source_id = k.source_id
            WHERE ${isMeant} LIMIT ${COUNTED_EVENTS_MAX}) k) AS parked`,
    },

    /** Sources with undelivered events that a sweep has seen; `$1` a source or null for all. */
    undelivered: {
      text: `SELECT p.source_id AS "sourceId", max(n)::integer AS events
        FROM ${schema}.endpoints p CROSS JOIN LATERAL (${counted}) waiting
        WHERE ${isLive} AND n > 0
          AND CASE WHEN $1::uuid IS NULL THEN p.wanted > p.cursor ELSE p.source_id = $1 END
        GROUP BY p.source_id`,
    },

    /** Parked events of an endpoint, newest first: source, endpoint, before, offset, limit. */
    parked: {
      name: `${schema}_parked_events`,
      text: `SELECT k.event_id AS "eventId", k.sequence, k.reason, k.attempts,
          k.parked_at AS "parkedAt"
        FROM ${schema}.parked_events k
        WHERE k.source_id = $1 AND k.endpoint_id = $2 AND ($3::bigint IS NULL OR k.sequence < $3)
        ORDER BY k.sequence DESC OFFSET $4 LIMIT $5`,
    },
  } as const satisfies Record<string, Statement>;
}
