/** Statements of the scan for keys that expire. */
import { type Statement } from '@gatehouse/kit/sql';
import { KEY_COLUMNS, nextExpiringTime } from '../../store/keys/keys.sql.js';

/** The replica that holds it scans; the others leave the work to it. */
export const TRY_LOCK: Statement = {
  text: 'SELECT pg_try_advisory_xact_lock(7120304) AS "isHeld"',
};

/** Threshold, and where its first scan begins. */
export const FIND_POSITION: Statement = {
  text: `
    WITH started AS (
      INSERT INTO keys.expiry_scans (threshold_seconds, position) VALUES ($1, $2)
      ON CONFLICT DO NOTHING RETURNING position)
    SELECT position FROM started
    UNION ALL SELECT position FROM keys.expiry_scans WHERE threshold_seconds = $1 LIMIT 1`,
};

export const SAVE_POSITION: Statement = {
  text: `
    UPDATE keys.expiry_scans SET position = greatest(position, $2) WHERE threshold_seconds = $1`,
};

/**
 * Live keys of a kind in the order of their expiry: kind, time and id to continue behind, last time,
 * threshold, limit. A key that lives no longer than the threshold was never outside of it.
 * Keys with thresholds of their own are listed only if this threshold is among them. The scan for own
 * thresholds lists these keys too, unless the thresholds have just been set or unset.
 */
export const LIST_EXPIRING: Statement = {
  text: `
    SELECT key_id AS "keyId", expire_time AS "expireTime" FROM keys.api_keys
    WHERE kind = $1 AND (expire_time, key_id) > ($2, $3) AND expire_time <= $4
      AND revoke_time IS NULL AND expire_time - create_time > make_interval(secs => $5)
      AND ($5 = 0 OR expiring_thresholds IS NULL OR $5 = ANY (expiring_thresholds))
    ORDER BY expire_time, key_id LIMIT $6`,
};

/** Locks those of the keys that are not revoked. One order everywhere, because of deadlocks. */
export const LOCK_LIVE: Statement = {
  text: `
    SELECT ${KEY_COLUMNS} FROM keys.api_keys
    WHERE key_id = ANY ($1) AND revoke_time IS NULL
    ORDER BY key_id FOR NO KEY UPDATE`,
};

/**
 * Keys that are within a threshold of their own since they were scanned last, the longest due first:
 * time, limit.
 */
export const LIST_OWN_DUE: Statement = {
  text: `
    SELECT key_id AS "keyId" FROM keys.api_keys
    WHERE next_expiring_time < $1 AND revoke_time IS NULL
    ORDER BY next_expiring_time LIMIT $2`,
};

/**
 * Plans the next scan of keys: ids, time, the thresholds of keys without own ones, whose revocation was
 * taken back.
 *
 * @returns the thresholds that they have reached before
 */
export const TAKE_OWN_DUE: Statement = {
  text: `
    WITH due AS (
      SELECT key_id, seconds FROM keys.api_keys, unnest(coalesce(expiring_thresholds, $3)) AS seconds
      WHERE key_id = ANY ($1) AND expire_time > $2 AND next_expiring_time < $2
        AND expire_time - make_interval(secs => seconds) >= next_expiring_time
        AND expire_time - make_interval(secs => seconds) > create_time
        AND expire_time - make_interval(secs => seconds) < $2),
    planned AS (
      UPDATE keys.api_keys
      SET next_expiring_time = ${nextExpiringTime('expiring_thresholds', 'expire_time', '$2')}
      WHERE key_id = ANY ($1))
    SELECT key_id AS "keyId", seconds AS threshold FROM due`,
};

/** Key ids, thresholds, expire times. @returns those that had no notice */
export const INSERT_NOTICES: Statement = {
  text: `
    INSERT INTO keys.expiry_notices (key_id, threshold_seconds, expire_time)
    SELECT * FROM unnest($1::text[], $2::integer[], $3::timestamptz[])
    ON CONFLICT DO NOTHING
    RETURNING key_id AS "keyId", threshold_seconds::integer AS threshold`,
};

export const DELETE_OLD_NOTICES: Statement = {
  text: `
    DELETE FROM keys.expiry_notices WHERE (key_id, threshold_seconds) IN (
      SELECT key_id, threshold_seconds FROM keys.expiry_notices
      WHERE expire_time < $1 ORDER BY expire_time LIMIT 5000)`,
};
