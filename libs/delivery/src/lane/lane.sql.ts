/** Statements of a lane: its lease, its pending events, the outcomes of attempts. */
import { type Statement } from '@gatehouse/kit/sql';
import { EVENT_COLUMNS, TRANSACTION_TIME_MAX } from '../log/event-log.sql.js';

/** Whether endpoint `e` takes events at all. */
const IS_LIVE = `(e.enabled AND e.state <> 'stopped')`;

const IS_DUE = `e.state <> 'paused' AND e.next_attempt_at <= now()`;

/** Whether run `$3` has the lease of endpoint `$1` of source `$2`. */
const IS_HELD = `e.id = $1 AND e.source_id = $2 AND e.leased_by = $3`;

/** Bounds the time that metrics cost: more endpoints behind, or parked events, are not counted. */
const COUNTED_MAX = 5_000;

/** `$n` and the following parameters are arrays with one element for each attempt. */
const attemptArrays = (n: number) =>
  `$${n}::uuid[], $${n + 1}::timestamptz[], $${n + 2}::integer[], $${n + 3}::integer[],
    $${n + 4}::text[], $${n + 5}::text[], $${n + 6}::text[], $${n + 7}::text[]`;

const ATTEMPT_COLUMNS = 'event_id, at, status_code, duration_ms, error, payload, response, url';

/** Attempts of one lane. */
const attemptsFrom = (n: number) => `unnest(${attemptArrays(n)}) AS a (${ATTEMPT_COLUMNS})`;

/** A partition exists for the time of the database; the clock of a worker may be far from it. */
const ATTEMPTED_AT = `least(greatest(a.at, now() - interval '1 hour'), now() + interval '1 hour')`;

export function laneStatements(schema: string) {
  const insertAttempts = (from: string) =>
    `INSERT INTO ${schema}.delivery_attempts (endpoint_id, source_id, url, event_id, at, status_code,
        duration_ms, error, payload, response)
      SELECT lane.id, lane.source_id, a.url, a.event_id, ${ATTEMPTED_AT}, a.status_code,
        a.duration_ms, a.error, a.payload::json, a.response
      FROM ${from}`;

  const runnable = (ofSource: string) =>
    `SELECT e.id, e.source_id AS "sourceId" FROM ${schema}.endpoints e
      WHERE ${ofSource} AND ${IS_LIVE} AND e.next_attempt_at <= now()
      ORDER BY e.created_at, e.id`;

  const recordLanes = (locked: string) => `WITH lane AS (
      SELECT e.id, e.source_id, g.cursor, g.cursor_at, g.releases, g.position
      FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::bigint[], $5::timestamptz[], $6::boolean[])
        WITH ORDINALITY AS g (id, source_id, run, cursor, cursor_at, releases, position)
      JOIN ${schema}.endpoints e ON e.id = g.id AND e.source_id = g.source_id AND e.leased_by = g.run
      FOR UPDATE OF e ${locked}),
    moved AS (
      UPDATE ${schema}.endpoints e SET cursor = greatest(e.cursor, lane.cursor), cursor_at = lane.cursor_at,
        refusals = 0, last_success_at = now(),
        leased_by = CASE WHEN NOT lane.releases THEN e.leased_by END,
        leased_until = CASE WHEN NOT lane.releases THEN e.leased_until END
      FROM lane WHERE e.id = lane.id AND e.source_id = lane.source_id),
    logged AS (
      ${insertAttempts(`lane JOIN unnest($7::bigint[], ${attemptArrays(8)})
        AS a (position, ${ATTEMPT_COLUMNS}) ON a.position = lane.position`)})
    SELECT position::integer AS position FROM lane`;

  return {
    /**
     * Takes or renews leases and reads the next events: endpoints, their sources, their runs, seconds, most
     * events and bytes of each, and whether to wait for a locked row, which only one endpoint may. Returns
     * no row for an endpoint that is locked or that another run holds. `ofSource`: as `ofSources`.
     * One column, because every column costs the client time.
     */
    claim: {
      name: `${schema}_claim_lanes`,
      text: `SELECT to_json(claim) AS claim FROM (
          SELECT e.id, e.source_id AS "sourceId", e.url, e.types, e.revision, e.state, e.reason,
          e.secret_sealed AS "secretSealed", e.headers_sealed AS "headersSealed",
          CASE WHEN e.previous_secret_until > now()
            THEN e.previous_secret_sealed END AS "previousSecretSealed",
          e.logs_attempts AS "logsAttempts", e.on_poison AS "onPoison",
          ${IS_LIVE} AS enabled, e.failures, e.failing_since AS "failingSince",
          e.last_success_at AS "lastSuccessAt",
          CASE WHEN isfinite(e.next_attempt_at) THEN e.next_attempt_at END AS "nextAttemptAt",
          e.next_attempt_at > now() AS "isWaiting",
          e.cursor::text, e.cursor_at AS "cursorAt", e.refusals, e.open_replays AS "openReplays",
          c.run AS "runId", c.is_leased AS "isLeased", c.horizon::text, c.is_blocked AS "isBlocked",
          c.has_more AS "hasMore", c.events, c.source,
          ARRAY(SELECT r.id FROM (${runnable('e.source_id = (c.lane).source_id')}) r) AS "ofSource"
        FROM ${schema}.claim_lanes($1, $2, $3, make_interval(secs => $4), ${TRANSACTION_TIME_MAX},
          $5, $6, $7) c, LATERAL (SELECT (c.lane).*) e) claim`,
    },

    /**
     * Renews leases: endpoints, their sources, their runs, seconds. Returns the runs that have lost theirs. Rows that
     * others have locked are left to the next time, so that this never takes part in a deadlock.
     */
    renew: {
      name: `${schema}_renew_leases`,
      text: `WITH held AS (
          SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::uuid[]) AS h (id, source_id, run)),
        mine AS (SELECT e.id, e.source_id FROM ${schema}.endpoints e
          JOIN held h ON e.id = h.id AND e.source_id = h.source_id AND e.leased_by = h.run
          FOR UPDATE OF e SKIP LOCKED),
        renewed AS (UPDATE ${schema}.endpoints e
          SET leased_until = now() + make_interval(secs => $4) FROM mine
          WHERE e.id = mine.id AND e.source_id = mine.source_id)
        SELECT h.run AS "runId" FROM held h WHERE NOT EXISTS (
          SELECT FROM ${schema}.endpoints e
          WHERE e.id = h.id AND e.source_id = h.source_id AND e.leased_by = h.run)`,
    },

    release: {
      name: `${schema}_release_endpoint`,
      text: `UPDATE ${schema}.endpoints SET leased_by = NULL, leased_until = NULL
        WHERE id = $1 AND source_id = $2 AND leased_by = $3`,
    },

    /** The next events of a replay: source, cursor, its time, last number, limit, bytes, types or null. */
    replayed: {
      name: `${schema}_replayed_events`,
      text: `SELECT ${EVENT_COLUMNS}, e.traceparent
        FROM (SELECT next.*, row_number() OVER in_order AS position,
            sum(octet_length(data::text) + coalesce(octet_length(previous::text), 0))
              OVER in_order AS bytes
          FROM ${schema}.events_in_order($1, $2, $4, $3::timestamptz - ${TRANSACTION_TIME_MAX}, $7,
            $5) next
          WINDOW in_order AS (ORDER BY sequence)) e
        WHERE e.position = 1 OR e.bytes <= $6
        ORDER BY e.sequence`,
    },

    /** The oldest open replay of an endpoint. */
    replay: {
      name: `${schema}_open_replay`,
      text: `SELECT id AS "replayId", cursor, cursor_at AS "cursorAt", until, types, refusals
        FROM ${schema}.replays
        WHERE endpoint_id = $1 AND source_id = $2 ORDER BY created_at, id LIMIT 1`,
    },

    /**
     * Moves cursors: endpoints, their sources, their runs, cursors, times of these, whether to release the
     * leases, and attempts with the position of their endpoint. A restart may have moved a cursor further.
     * Returns the positions of the endpoints whose rows were moved.
     */
    record: {
      name: `${schema}_record_lanes`,
      text: recordLanes('SKIP LOCKED'),
    },

    /** The same, for one endpoint whose row another statement may have locked. */
    recordOne: {
      name: `${schema}_record_lane`,
      text: recordLanes(''),
    },

    /** Moves a cursor behind a parked event: endpoint, source, cursor, its time. */
    skip: {
      text: `UPDATE ${schema}.endpoints e SET cursor = greatest(e.cursor, $3), cursor_at = $4, refusals = 0
        WHERE e.id = $1 AND e.source_id = $2`,
    },
    skipInReplay: {
      text: `UPDATE ${schema}.replays SET cursor = $3, cursor_at = $4, refusals = 0
        WHERE id = $1 AND source_id = $2`,
    },

    /**
     * Moves a replay, `$14`: endpoint, source, run, cursor, its time, attempts. What it delivers is no
     * longer parked.
     */
    advanceReplay: {
      name: `${schema}_advance_replay`,
      text: `WITH lane AS (
          UPDATE ${schema}.endpoints e SET last_success_at = now() WHERE ${IS_HELD}
          RETURNING e.id, e.source_id),
        moved AS (UPDATE ${schema}.replays r
          SET cursor = $4, cursor_at = $5, refusals = 0
          FROM lane WHERE r.id = $14 AND r.source_id = $2 AND r.endpoint_id = lane.id),
        delivered AS (DELETE FROM ${schema}.parked_events p USING lane
          WHERE p.endpoint_id = lane.id AND p.source_id = $2 AND p.event_id = ANY ($6::uuid[])),
        logged AS (${insertAttempts(`lane, ${attemptsFrom(6)}`)})
        SELECT id FROM lane`,
    },

    /** Attempts without progress: endpoint, source, run, attempts from `$4`. */
    logAttempts: {
      name: `${schema}_log_attempts`,
      text: `WITH lane AS (
          SELECT e.id, e.source_id FROM ${schema}.endpoints e WHERE ${IS_HELD} FOR UPDATE),
        logged AS (${insertAttempts(`lane, ${attemptsFrom(4)}`)})
        SELECT id FROM lane`,
    },

    /** The number of refusals of the event that a lane or replay is at: its id, source, the number. */
    countRefusal: {
      text: `UPDATE ${schema}.endpoints SET refusals = $3 WHERE id = $1 AND source_id = $2`,
    },
    countReplayRefusal: {
      text: `UPDATE ${schema}.replays SET refusals = $3 WHERE id = $1 AND source_id = $2`,
    },

    /**
     * Endpoint, source, revision, state, reason, failures, seconds to the next attempt: -Infinity for
     * now, Infinity for never. Returns whether the state is new.
     */
    setHealth: {
      text: `WITH former AS (SELECT id, state FROM ${schema}.endpoints
          WHERE id = $1 AND source_id = $2 AND revision = $3 FOR UPDATE)
        UPDATE ${schema}.endpoints e SET state = $4, reason = $5, failures = $6,
          failing_since = CASE WHEN $4 = 'healthy' THEN NULL ELSE coalesce(e.failing_since, now()) END,
          next_attempt_at = CASE $7::float WHEN 'Infinity' THEN 'infinity'::timestamptz
            WHEN '-Infinity' THEN '-infinity' ELSE now() + make_interval(secs => $7::float) END
        FROM former WHERE e.id = former.id AND e.source_id = $2
        RETURNING former.state <> $4 AS "isNew", e.failing_since AS "failingSince"`,
    },

    park: {
      text: `INSERT INTO ${schema}.parked_events (endpoint_id, source_id, sequence, event_id, reason,
          attempts)
        VALUES ($1, $2, $3, $4, $5, $6)
        ON CONFLICT (endpoint_id, sequence, source_id)
          DO UPDATE SET reason = excluded.reason, attempts = excluded.attempts, parked_at = now()`,
    },

    closeReplay: {
      text: `WITH closed AS (DELETE FROM ${schema}.replays
          WHERE id = $3 AND source_id = $2 AND endpoint_id = $1 RETURNING 1)
        UPDATE ${schema}.endpoints SET open_replays = greatest(0, open_replays - 1)
        WHERE id = $1 AND source_id = $2 AND EXISTS (SELECT FROM closed)`,
    },

    ofSources: {
      name: `${schema}_endpoints_of_sources`,
      text: runnable('e.source_id = ANY ($1::uuid[])'),
    },

    /**
     * The numbers between which no sweep has looked yet, and the sources of at most `$1` endpoints that
     * should run and that no run holds; a source may appear twice.
     */
    sweep: {
      name: `${schema}_sweep`,
      text: `SELECT d.position, ${schema}.event_horizon(NULL) AS horizon, ARRAY(
          SELECT e.source_id FROM ${schema}.endpoints e
          WHERE (e.wanted > e.cursor OR e.open_replays > 0) AND e.next_attempt_at <= now()
            AND (e.leased_until IS NULL OR e.leased_until < now()) AND ${IS_LIVE}
          ORDER BY e.next_attempt_at LIMIT $1) AS due
        FROM ${schema}.dispatch d`,
    },

    /**
     * Sweeps at most `$2` numbers up to `$1`: marks the endpoints of their sources that have not come as
     * far, and returns whether a part is left. A second sweep at the same time does nothing. The arrays
     * have the plan look up each source, whatever the number of rows that is expected.
     */
    mark: {
      name: `${schema}_mark_endpoints`,
      text: `WITH swept AS MATERIALIZED (
          SELECT position, least(position + $2, $1) AS until FROM ${schema}.dispatch
          WHERE position < $1 FOR UPDATE SKIP LOCKED),
        newest AS MATERIALIZED (
          SELECT e.source_id, max(e.sequence) AS sequence FROM ${schema}.events e
          WHERE e.sequence > (SELECT position FROM swept) AND e.sequence <= (SELECT until FROM swept)
          GROUP BY e.source_id),
        marked AS (UPDATE ${schema}.endpoints e SET wanted = fresh.sequence
          FROM unnest((SELECT array_agg(source_id ORDER BY source_id) FROM newest),
            (SELECT array_agg(sequence ORDER BY source_id) FROM newest)) AS fresh (source_id, sequence)
          WHERE e.source_id = fresh.source_id AND e.wanted < fresh.sequence
            AND e.cursor < fresh.sequence)
        UPDATE ${schema}.dispatch SET position = swept.until FROM swept
        RETURNING swept.until < $1 AS "isPart"`,
    },

    backlog: {
      name: `${schema}_backlog`,
      text: `SELECT count(*) FILTER (WHERE e.state <> 'paused')::integer AS waiting,
          count(*) FILTER (WHERE ${IS_DUE})::integer AS due,
          coalesce(extract(epoch FROM now() - min(e.oldest_at)
            FILTER (WHERE e.state <> 'paused')), 0)::float AS "oldestAgeSeconds",
          coalesce(extract(epoch FROM now() - min(e.oldest_at)
            FILTER (WHERE ${IS_DUE})), 0)::float AS "oldestDueAgeSeconds",
          (SELECT count(*) FROM ${schema}.endpoints WHERE state = 'paused')::integer AS paused,
          (SELECT count(*) FROM (SELECT FROM ${schema}.parked_events
            LIMIT ${COUNTED_MAX}) p)::integer AS parked
        FROM ${schema}.lanes_behind(${COUNTED_MAX}, ${TRANSACTION_TIME_MAX}) e`,
    },
  } as const satisfies Record<string, Statement>;
}
