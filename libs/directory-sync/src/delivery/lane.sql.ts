/** Statements of delivery: the lease of a lane, its pending events, the outcomes of attempts. */
import type { Statement } from '@gatehouse/service-kit';
import { IS_SENDING } from '../directories/directory.sql.js';

export const LEASE_LANE: Statement = {
  name: 'dsync_lease_lane',
  text: `UPDATE dsync.lanes SET leased_by = $2, leased_until = now() + make_interval(secs => $3)
    WHERE directory_id = $1 AND (leased_by = $2 OR leased_until IS NULL OR leased_until < now())
    RETURNING next_attempt_at AS "nextAttemptAt"`,
};

export const RELEASE_LANE: Statement = {
  name: 'dsync_release_lane',
  text: `UPDATE dsync.lanes SET leased_by = NULL, leased_until = NULL
    WHERE directory_id = $1 AND leased_by = $2`,
};

export const LANE_TARGET: Statement = {
  name: 'dsync_lane_target',
  text: `SELECT d.id, d.tenant, d.product, d.attribute_mapping AS "attributeMapping",
      d.webhook_endpoint AS endpoint, d.webhook_secret_sealed AS "secretSealed",
      CASE WHEN d.webhook_secret_previous_until > now()
        THEN d.webhook_secret_previous_sealed END AS "previousSecretSealed",
      d.log_webhook_events AS "logsAttempts"
    FROM dsync.directories d
    WHERE d.id = $1 AND d.webhook_endpoint IS NOT NULL AND d.webhook_stopped_at IS NULL
      AND NOT d.deactivated AND d.deleted_at IS NULL`,
};

export const PENDING_EVENTS: Statement = {
  name: 'dsync_pending_events',
  text: `SELECT e.id, e.sequence, e.type, e.data, e.previous, e.created_at AS "createdAt", e.attempts
    FROM (SELECT next.*, row_number() OVER in_order AS position,
        sum(pg_column_size(data) + coalesce(pg_column_size(previous), 0)) OVER in_order AS bytes
      FROM (SELECT * FROM dsync.events WHERE directory_id = $1 AND state = 'pending'
        ORDER BY sequence LIMIT $2) next
      WINDOW in_order AS (ORDER BY sequence)) e
    WHERE e.position = 1 OR e.bytes <= $3
    ORDER BY e.sequence`,
};

export const RECORD_DELIVERY: Statement = {
  name: 'dsync_record_delivery',
  text: `WITH lane AS (
      UPDATE dsync.lanes SET next_attempt_at = (SELECT $5::timestamptz
        FROM dsync.directories d WHERE d.id = $1 AND d.webhook_endpoint = $12)
      WHERE directory_id = $1 AND leased_by = $2 RETURNING directory_id),
    done AS (
      UPDATE dsync.events e SET state = $4, attempts = e.attempts + 1,
        finished_at = CASE WHEN $4 = 'pending' THEN NULL ELSE now() END
      FROM lane WHERE e.directory_id = lane.directory_id AND e.sequence = $3 AND e.state = 'pending'
      RETURNING e.id)
    INSERT INTO dsync.delivery_attempts
      (directory_id, event_id, status_code, duration_ms, error, endpoint, payload, response)
    SELECT $1, done.id, $6, $7, $8, $9, $10::json, $11 FROM done
    RETURNING id`,
};

export const GIVE_UP_PENDING: Statement = {
  text: `WITH lane AS (
      UPDATE dsync.lanes l SET next_attempt_at = NULL
      WHERE l.directory_id = $1 AND NOT EXISTS (SELECT FROM dsync.directories d
        WHERE d.id = $1 AND d.deleted_at IS NULL AND ${IS_SENDING})
      RETURNING l.directory_id)
    UPDATE dsync.events e SET state = 'not_sent', finished_at = now()
    FROM lane WHERE e.directory_id = lane.directory_id AND e.state = 'pending'`,
};

export const STOP_WEBHOOK: Statement = {
  text: `UPDATE dsync.directories SET webhook_stopped_at = now(), revision = revision + 1
    WHERE id = $1 AND webhook_endpoint = $2
    RETURNING id`,
};

export const IDLE_LANES: Statement = {
  name: 'dsync_idle_lanes',
  text: `SELECT l.directory_id AS id FROM dsync.lanes l
    WHERE (l.leased_until IS NULL OR l.leased_until < now())
      AND (l.next_attempt_at IS NULL OR l.next_attempt_at <= now())
      AND EXISTS (SELECT FROM dsync.events e
        WHERE e.directory_id = l.directory_id AND e.state = 'pending')
    LIMIT $1`,
};

// Steps from the first pending event of one lane to that of the next. The cost depends on the
// number of lanes with pending events, not on the number of directories or events.
export const BACKLOG: Statement = {
  text: `WITH RECURSIVE oldest AS (
      (SELECT e.directory_id, e.created_at FROM dsync.events e
        WHERE e.state = 'pending' ORDER BY e.directory_id, e.sequence LIMIT 1)
      UNION ALL
      SELECT next.directory_id, next.created_at FROM oldest o CROSS JOIN LATERAL (
        SELECT e.directory_id, e.created_at FROM dsync.events e
        WHERE e.state = 'pending' AND e.directory_id > o.directory_id
        ORDER BY e.directory_id, e.sequence LIMIT 1) next)
    SELECT count(*)::integer AS lanes,
      coalesce(extract(epoch FROM now() - min(o.created_at)), 0)::float AS "oldestAgeSeconds"
    FROM oldest o`,
};
