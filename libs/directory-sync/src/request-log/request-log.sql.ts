/** Statements of the log of SCIM requests. */
import { type Statement } from '@gatehouse/kit/sql';

export const ENTRY_COLUMNS = `id, directory_id, at, request_id, method, path, filter, status, scim_type,
  detail, duration_ms, user_agent, attributes, resource_id, token_id,
  bodies_sealed`;

/** The row that has the sums of all directories: the last id, so that it is locked last, and not for long. */
export const ALL_DIRECTORIES = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Gaps of less than a minute are those within one synchronization. */
const GAP_SECONDS_MIN = 60;
/** The share of the newest gap in the usual one. */
const GAP_WEIGHT = 0.2;

/**
 * Writes entries (`$2`) and counts (`$1`) of directories `$3`. A directory that has stored `$4` entries
 * in 24 hours is only counted, and keeps no bodies of more than `$5`. Directories are locked in the order
 * of their ids, so that processes do not wait for each other in a circle.
 */
export const WRITE_ENTRIES: Statement = {
  name: 'dsync_write_requests',
  text: `WITH target AS (
      SELECT d.id AS directory_id FROM dsync.directories d
      WHERE d.id = ANY ($3::uuid[]) AND d.deleted_at IS NULL),
    counts AS (
      SELECT c.* FROM json_to_recordset($1::json) AS c (directory_id uuid, requests integer,
        errors integer, unauthorized integer, succeeded integer, refused integer, failed integer,
        first_at timestamptz, last_at timestamptz, unauthorized_at timestamptz, provider text,
        user_agent text)),
    used AS (
      SELECT t.directory_id, coalesce(sum(h.stored), 0) AS stored,
        coalesce(sum(h.captured), 0) AS captured
      FROM target t LEFT JOIN dsync.scim_request_hours h
        ON h.directory_id = t.directory_id AND h.hour > now() - interval '24 hours'
      GROUP BY t.directory_id),
    written AS (
      INSERT INTO dsync.scim_requests (${ENTRY_COLUMNS})
      SELECT e.id, e.directory_id, e.at, e.request_id, e.method, e.path, e.filter, e.status,
        e.scim_type, e.detail, e.duration_ms, e.user_agent,
        ARRAY(SELECT json_array_elements_text(e.attributes)), e.resource_id, e.token_id,
        CASE WHEN u.captured < $5 THEN e.bodies_sealed END
      FROM json_to_recordset($2::json) AS e (id uuid, directory_id uuid, at timestamptz,
          request_id text, method text, path text, filter text, status smallint, scim_type text,
          detail text, duration_ms real, user_agent text, attributes json, resource_id text,
          token_id uuid, bodies_sealed text)
        JOIN used u ON u.directory_id = e.directory_id AND u.stored < $4
      ON CONFLICT DO NOTHING
      RETURNING directory_id, bodies_sealed IS NOT NULL AS is_captured),
    stored AS (
      SELECT directory_id, count(*) AS entries, count(*) FILTER (WHERE is_captured) AS captured
      FROM written GROUP BY directory_id),
    counted AS (
      INSERT INTO dsync.scim_request_hours AS h
        (directory_id, hour, requests, errors, unauthorized, succeeded, refused, failed, stored,
        captured)
      SELECT coalesce(t.directory_id, '${ALL_DIRECTORIES}') AS id, date_trunc('hour', now()),
        coalesce(sum(c.requests), 0), coalesce(sum(c.errors), 0), coalesce(sum(c.unauthorized), 0),
        coalesce(sum(c.succeeded), 0), coalesce(sum(c.refused), 0), coalesce(sum(c.failed), 0),
        coalesce(sum(s.entries), 0), coalesce(sum(s.captured), 0)
      FROM target t LEFT JOIN counts c USING (directory_id) LEFT JOIN stored s USING (directory_id)
      GROUP BY GROUPING SETS ((t.directory_id), ())
      ORDER BY id
      ON CONFLICT (directory_id, hour) DO UPDATE SET requests = h.requests + excluded.requests,
        errors = h.errors + excluded.errors, unauthorized = h.unauthorized + excluded.unauthorized,
        succeeded = h.succeeded + excluded.succeeded, refused = h.refused + excluded.refused,
        failed = h.failed + excluded.failed, stored = h.stored + excluded.stored,
        captured = h.captured + excluded.captured),
    seen AS (
      INSERT INTO dsync.scim_clients AS k
        (directory_id, provider, user_agent, last_at, usual_gap_seconds, unauthorized_at)
      SELECT c.directory_id, c.provider, c.user_agent, c.last_at,
        CASE WHEN extract(epoch FROM c.first_at - b.last_at) >= ${GAP_SECONDS_MIN}
          THEN b.usual_gap_seconds * (1 - ${GAP_WEIGHT})
            + extract(epoch FROM c.first_at - b.last_at) * ${GAP_WEIGHT} END,
        c.unauthorized_at
      FROM counts c JOIN target USING (directory_id)
        LEFT JOIN LATERAL (SELECT o.last_at, coalesce(o.usual_gap_seconds,
            extract(epoch FROM c.first_at - o.last_at)) AS usual_gap_seconds
          FROM dsync.scim_clients o WHERE o.directory_id = c.directory_id) b ON true
      ORDER BY c.directory_id
      ON CONFLICT (directory_id) DO UPDATE SET
        provider = coalesce(excluded.provider, k.provider),
        user_agent = coalesce(excluded.user_agent, k.user_agent),
        last_at = greatest(excluded.last_at, k.last_at),
        usual_gap_seconds = coalesce(excluded.usual_gap_seconds, k.usual_gap_seconds),
        unauthorized_at = coalesce(excluded.unauthorized_at, k.unauthorized_at))
    SELECT coalesce(sum(entries), 0)::integer AS stored FROM stored`,
};

/** The requests of directory `$1` in 24 hours, and its client. */
export const SUMMARY: Statement = {
  name: 'dsync_request_summary',
  text: `SELECT coalesce(sum(h.requests), 0)::integer AS requests,
      coalesce(sum(h.errors), 0)::integer AS errors,
      coalesce(sum(h.unauthorized), 0)::integer AS unauthorized,
      (SELECT row_to_json(k) FROM dsync.scim_clients k WHERE k.directory_id = $1) AS client
    FROM dsync.scim_request_hours h
    WHERE h.directory_id = $1 AND h.hour > now() - interval '24 hours'`,
};

/** Requests of directory `$1` by hour and class of status, from `$2` until before `$3`. */
export const BY_STATUS: Statement = {
  name: 'dsync_requests_by_status',
  text: `SELECT h.hour AS time, c.status, c.count
    FROM dsync.scim_request_hours h CROSS JOIN LATERAL (VALUES
      ('2xx', h.succeeded), ('4xx', h.refused), ('5xx', h.failed)) AS c (status, count)
    WHERE h.directory_id = $1 AND h.hour >= $2 AND h.hour < $3 AND c.count > 0
    ORDER BY h.hour, c.status`,
};

/**
 * The newest entries of directory `$1` since `$2`, for each range of statuses from `$4` to `$5`, at most
 * `$6`. `$3` is the bound of ids that belongs to the time. A range is compared within the index, so that
 * entries of other statuses are not read, however many there are.
 */
export const NEWEST_ENTRIES: Statement = {
  name: 'dsync_newest_requests',
  text: `SELECT e.* FROM unnest($4::smallint[], $5::smallint[], $6::integer[]) AS r (low, high, most)
    CROSS JOIN LATERAL (SELECT ${ENTRY_COLUMNS} FROM dsync.scim_requests
      WHERE directory_id = $1 AND at >= $2 AND id >= $3 AND status >= r.low AND status <= r.high
      ORDER BY id DESC LIMIT r.most) e
    ORDER BY e.id DESC`,
};

export const FIND_ENTRY: Statement = {
  name: 'dsync_find_request',
  text: `SELECT ${ENTRY_COLUMNS} FROM dsync.scim_requests WHERE id = $2 AND directory_id = $1`,
};

/** Counts are shown for a day. */
export const DELETE_OLD_COUNTS: Statement = {
  text: `DELETE FROM dsync.scim_request_hours WHERE hour < now() - interval '48 hours'`,
};
