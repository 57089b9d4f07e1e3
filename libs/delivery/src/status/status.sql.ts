/** Statements that say what became of events. */
import { type Statement } from '@gatehouse/service-kit';
import { TRANSACTION_TIME_MAX } from '../log/event-log.sql.js';

export function statusStatements(schema: string) {
  const isLive = `(p.enabled AND p.state <> 'stopped')`;
  const takes = `(p.types IS NULL OR e.type = ANY (p.types))`;
  /** Events after the cursor of endpoint `p`. */
  const undelivered = `FROM ${schema}.events e
    WHERE e.source_id = p.source_id AND e.sequence > p.cursor
      AND e.created_at >= p.cursor_at - ${TRANSACTION_TIME_MAX} AND ${takes}`;

  return {
    /** The states of events by id. */
    states: {
      name: `${schema}_event_states`,
      text: `SELECT e.id, CASE
            WHEN bool_or(${isLive} AND ${takes} AND e.sequence > p.cursor) OR EXISTS (
              SELECT FROM ${schema}.replays r JOIN ${schema}.endpoints t ON t.id = r.endpoint_id
              WHERE t.source_id = e.source_id AND e.sequence > r.cursor AND e.sequence <= r.until
                AND (r.types IS NULL OR e.type = ANY (r.types))) THEN 'pending'
            WHEN EXISTS (SELECT FROM ${schema}.parked_events k WHERE k.event_id = e.id) THEN 'dead'
            WHEN bool_or(${takes} AND e.sequence <= p.cursor AND NOT EXISTS (
              SELECT FROM ${schema}.skipped_ranges s WHERE s.endpoint_id = p.id
                AND e.sequence > s.after AND e.sequence <= s.until)) THEN 'delivered'
            ELSE 'not_sent' END AS state
        FROM ${schema}.events e LEFT JOIN ${schema}.endpoints p ON p.source_id = e.source_id
        WHERE e.id = ANY ($1::uuid[])
        GROUP BY e.id, e.source_id, e.sequence, e.type`,
    },

    attempts: {
      name: `${schema}_attempts_of_events`,
      text: `SELECT a.event_id AS "eventId", a.endpoint_id AS "endpointId", a.at,
          a.status_code AS "statusCode", a.duration_ms AS "durationMs", a.error
        FROM ${schema}.delivery_attempts a WHERE a.event_id = ANY ($1::uuid[]) ORDER BY a.id`,
    },

    /** Attempts of a source, newest first: source, only those with a payload, offset, limit. */
    listAttempts: {
      name: `${schema}_list_attempts`,
      text: `SELECT a.id, a.event_id AS "eventId", a.endpoint_id AS "endpointId", a.at,
          a.status_code AS "statusCode", a.duration_ms AS "durationMs", a.error, a.url,
          a.payload, a.response
        FROM ${schema}.delivery_attempts a
        WHERE a.source_id = $1 AND (NOT $2 OR a.payload IS NOT NULL)
        ORDER BY a.id DESC OFFSET $3 LIMIT $4`,
    },

    counts: {
      name: `${schema}_event_counts`,
      text: `SELECT
          (SELECT coalesce(max(n), 0)::integer FROM ${schema}.endpoints p
            CROSS JOIN LATERAL (SELECT count(*) AS n ${undelivered}) waiting
            WHERE p.source_id = $1 AND ${isLive}) AS pending,
          (SELECT round(extract(epoch FROM now() - min(oldest.created_at)))::integer
            FROM ${schema}.endpoints p
            CROSS JOIN LATERAL (SELECT e.created_at ${undelivered}
              ORDER BY e.sequence LIMIT 1) oldest
            WHERE p.source_id = $1 AND ${isLive}) AS "oldestPendingAgeSeconds",
          (SELECT count(DISTINCT k.event_id)::integer FROM ${schema}.parked_events k
            JOIN ${schema}.endpoints p ON p.id = k.endpoint_id
            WHERE p.source_id = $1) AS dead`,
    },

    /** Sources with undelivered events that a sweep has seen; `$1` a source or null for all. */
    undelivered: {
      text: `SELECT p.source_id AS "sourceId", max(n)::integer AS events
        FROM ${schema}.endpoints p CROSS JOIN LATERAL (SELECT count(*) AS n ${undelivered}) waiting
        WHERE ${isLive} AND n > 0
          AND CASE WHEN $1::uuid IS NULL THEN p.wanted > p.cursor ELSE p.source_id = $1 END
        GROUP BY p.source_id`,
    },

    parked: {
      text: `SELECT k.event_id AS "eventId", k.endpoint_id AS "endpointId", k.sequence, k.reason,
          k.attempts, k.parked_at AS "parkedAt"
        FROM ${schema}.parked_events k JOIN ${schema}.endpoints p ON p.id = k.endpoint_id
        WHERE p.source_id = $1 ORDER BY k.parked_at DESC, k.sequence DESC OFFSET $2 LIMIT $3`,
    },
  } as const satisfies Record<string, Statement>;
}
