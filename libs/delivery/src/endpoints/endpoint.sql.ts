/** Statements of endpoints as administrators see them. */
import { type Statement } from '@gatehouse/kit/sql';
import { KEY_SERVICE_ENDPOINT } from './endpoint.types.js';

/** The columns of an Endpoint, of endpoint `e`. */
export const ENDPOINT_COLUMNS = `e.id, e.source_id AS "sourceId", e.url, e.types, e.enabled,
  e.secret_sealed AS "secretSealed", e.headers_sealed AS "headersSealed",
  CASE WHEN e.previous_secret_until > now()
    THEN e.previous_secret_sealed END AS "previousSecretSealed",
  e.logs_attempts AS "logsAttempts", e.on_poison AS "onPoison",
  e.created_at AS "createdAt", e.updated_at AS "updatedAt",
  e.state, e.reason, e.failures, e.failing_since AS "failingSince",
  e.last_success_at AS "lastSuccessAt",
  CASE WHEN isfinite(e.next_attempt_at) AND (e.state <> 'healthy' OR e.next_attempt_at > now())
    THEN e.next_attempt_at END AS "nextAttemptAt"`;

/** Whether an endpoint, by its alias, is one of administrators. */
export const isWebhook = (endpoint: string) => `${endpoint}.id <> '${KEY_SERVICE_ENDPOINT}'`;

/** Unfinished replays of an endpoint. Each resent event is one too. */
const OPEN_REPLAYS_MAX = 100;

export function endpointStatements(schema: string) {
  const newest = `coalesce(pg_sequence_last_value('${schema}.event_sequence'), 0)`;
  /** Events logged while the endpoint was off are skipped. */
  const skipped = (endpoint: string) =>
    `skipped AS (INSERT INTO ${schema}.skipped_ranges (source_id, endpoint_id, after, until)
      SELECT source_id, id, cursor, ${newest} FROM ${endpoint} WHERE cursor < ${newest}
      ON CONFLICT (endpoint_id, after, source_id) DO UPDATE SET until = excluded.until)`;

  return {
    /** Starts with the next event: id, source, then the settings. */
    insert: {
      text: `WITH added AS (
          INSERT INTO ${schema}.endpoints (id, source_id, url, types, secret_sealed, headers_sealed,
            logs_attempts, on_poison, enabled, cursor)
          VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, ${newest})
          RETURNING id, source_id, cursor)
        INSERT INTO ${schema}.skipped_ranges (source_id, endpoint_id, after, until)
        SELECT source_id, id, 0, cursor FROM added`,
    },

    find: {
      name: `${schema}_find_endpoint`,
      text: `SELECT ${ENDPOINT_COLUMNS} FROM ${schema}.endpoints e WHERE e.id = $1 AND e.source_id = $2`,
    },

    /** Whether an endpoint of any source exists. */
    exists: { text: `SELECT FROM ${schema}.endpoints WHERE id = $1` },

    /** Endpoints whose ids are those of their sources. */
    findOwn: {
      name: `${schema}_find_own_endpoints`,
      text: `SELECT ${ENDPOINT_COLUMNS} FROM unnest($1::uuid[]) AS s (id)
        JOIN ${schema}.endpoints e ON e.id = s.id AND e.source_id = s.id`,
    },

    list: {
      name: `${schema}_list_endpoints`,
      text: `SELECT ${ENDPOINT_COLUMNS} FROM ${schema}.endpoints e WHERE e.source_id = ANY ($1::uuid[])
          AND ${isWebhook('e')}
        ORDER BY e.created_at, e.id`,
    },

    /** Id, source, then the settings; a lease that runs on sees another revision. */
    update: {
      text: `UPDATE ${schema}.endpoints SET url = $3, types = $4, secret_sealed = $5,
          headers_sealed = $6, logs_attempts = $7, on_poison = $8, enabled = $9,
          revision = revision + 1, updated_at = now()
        WHERE id = $1 AND source_id = $2`,
    },

    /** Id, source, sealed secret, seconds for which the current one still signs. */
    rotate: {
      text: `UPDATE ${schema}.endpoints SET
          previous_secret_sealed = CASE WHEN $4::float > 0 THEN secret_sealed END,
          previous_secret_until = now() + make_interval(secs => $4),
          secret_sealed = $3, updated_at = now()
        WHERE id = $1 AND source_id = $2`,
    },

    /** Makes it healthy, and continues with the event after the last one that it took. */
    resume: {
      text: `UPDATE ${schema}.endpoints SET state = 'healthy', reason = NULL, failures = 0,
          failing_since = NULL, next_attempt_at = '-infinity', refusals = 0, revision = revision + 1
        WHERE id = $1 AND source_id = $2`,
    },

    /** Makes it healthy, and continues with the next event that is logged. */
    restart: {
      text: `WITH former AS (
          SELECT id, source_id, cursor FROM ${schema}.endpoints
          WHERE id = $1 AND source_id = $2 FOR UPDATE),
        ${skipped('former')}
        UPDATE ${schema}.endpoints e SET state = 'healthy', reason = NULL, failures = 0,
          failing_since = NULL, next_attempt_at = '-infinity', refusals = 0,
          cursor = greatest(e.cursor, ${newest}), cursor_at = now(), revision = e.revision + 1
        FROM former WHERE e.id = former.id AND e.source_id = former.source_id`,
    },

    pause: {
      text: `UPDATE ${schema}.endpoints SET state = 'paused', reason = $3,
          failing_since = coalesce(failing_since, now()), next_attempt_at = 'infinity',
          revision = revision + 1
        WHERE id = $1 AND source_id = $2 AND state <> 'stopped'`,
    },

    /** Id and source, url, sealed secret. Starts with the next event when the address is new. */
    put: {
      text: `INSERT INTO ${schema}.endpoints AS e (id, source_id, url, secret_sealed, enabled, cursor)
        VALUES ($1, $1, $2, $3, $2 <> '', ${newest})
        ON CONFLICT (id, source_id) DO UPDATE SET secret_sealed = $3, enabled = $2 <> '', url = $2,
          cursor = CASE WHEN e.enabled THEN e.cursor ELSE ${newest} END,
          state = CASE WHEN e.url = $2 THEN e.state ELSE 'healthy' END,
          reason = CASE WHEN e.url = $2 THEN e.reason END,
          failures = CASE WHEN e.url = $2 THEN e.failures ELSE 0 END,
          failing_since = CASE WHEN e.url = $2 THEN e.failing_since END,
          refusals = CASE WHEN e.url = $2 THEN e.refusals ELSE 0 END,
          next_attempt_at = CASE WHEN e.url = $2 THEN e.next_attempt_at ELSE '-infinity' END,
          revision = CASE WHEN e.url = $2 THEN e.revision ELSE e.revision + 1 END,
          updated_at = now()`,
    },

    delete: { text: `DELETE FROM ${schema}.endpoints WHERE id = $1 AND source_id = $2` },

    deleteOfSource: { text: `DELETE FROM ${schema}.endpoints WHERE source_id = $1` },

    /**
     * Sources or null for all, after, until, types or null, endpoint or null. One replay for each
     * endpoint that is on and takes one of the types; one that is open already is not started again,
     * and none where too many are open. It ends at the cursor: events behind that still wait for
     * their turn.
     */
    replay: {
      text: `WITH targets AS (
          SELECT e.id, e.source_id, e.types, e.cursor,
            e.open_replays >= ${OPEN_REPLAYS_MAX} AS is_full FROM ${schema}.endpoints e
          WHERE ($1::uuid[] IS NULL OR e.source_id = ANY ($1::uuid[]))
            AND ($5::uuid IS NULL OR e.id = $5)
            AND ($4::text[] IS NULL OR e.types IS NULL OR e.types && $4)
            AND e.enabled AND e.state <> 'stopped' AND ${isWebhook('e')}
          ORDER BY e.id FOR UPDATE),
        started AS (
          INSERT INTO ${schema}.replays (source_id, endpoint_id, after, cursor, cursor_at, until, types)
          SELECT t.source_id, t.id, $2, $2, coalesce((SELECT e.created_at FROM ${schema}.events e
              WHERE e.source_id = t.source_id AND e.sequence > $2 ORDER BY e.sequence LIMIT 1), now()),
            least($3, t.cursor),
            CASE WHEN $4::text[] IS NULL THEN t.types WHEN t.types IS NULL THEN $4
              ELSE ARRAY(SELECT unnest(t.types) INTERSECT SELECT unnest($4)) END
          FROM targets t WHERE t.cursor > $2 AND NOT t.is_full
          ON CONFLICT DO NOTHING
          RETURNING endpoint_id, source_id),
        counted AS (
          UPDATE ${schema}.endpoints e SET open_replays = e.open_replays + 1
          FROM started WHERE e.id = started.endpoint_id AND e.source_id = started.source_id)
        SELECT id AS "endpointId", source_id AS "sourceId", is_full AS "isFull" FROM targets`,
    },
  } as const satisfies Record<string, Statement>;
}
