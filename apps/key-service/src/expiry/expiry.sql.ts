/** Statements of the scan for keys that expire. */
import { type Statement } from '@gatehouse/service-kit';
import { KEY_COLUMNS } from '../records/keys.sql.js';

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
 */
export const LIST_EXPIRING: Statement = {
  text: `
    SELECT key_id AS "keyId", expire_time AS "expireTime" FROM keys.api_keys
    WHERE kind = $1 AND (expire_time, key_id) > ($2, $3) AND expire_time <= $4
      AND revoke_time IS NULL AND expire_time - create_time > make_interval(secs => $5)
    ORDER BY expire_time, key_id LIMIT $6`,
};

/** Locks those of the keys that are not revoked. One order everywhere, because of deadlocks. */
export const LOCK_LIVE: Statement = {
  text: `
    SELECT ${KEY_COLUMNS} FROM keys.api_keys
    WHERE key_id = ANY ($1) AND revoke_time IS NULL
    ORDER BY key_id FOR NO KEY UPDATE`,
};

/** Threshold, key ids, expire times. @returns the keys that had no notice of the threshold */
export const INSERT_NOTICES: Statement = {
  text: `
    INSERT INTO keys.expiry_notices (key_id, threshold_seconds, expire_time)
    SELECT key_id, $1, expire_time FROM unnest($2::text[], $3::timestamptz[]) AS n (key_id, expire_time)
    ON CONFLICT DO NOTHING
    RETURNING key_id AS "keyId"`,
};

export const DELETE_OLD_NOTICES: Statement = {
  text: `
    DELETE FROM keys.expiry_notices WHERE (key_id, threshold_seconds) IN (
      SELECT key_id, threshold_seconds FROM keys.expiry_notices
      WHERE expire_time < $1 ORDER BY expire_time LIMIT 5000)`,
};
