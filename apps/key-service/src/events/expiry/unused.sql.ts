/** Statements of the scan for unused keys. */
import { type Statement } from '@gatehouse/kit/sql';
import { KEY_COLUMNS } from '../../store/keys/keys.sql.js';

/** The creation time up to which the keys of a kind have checks. */
export const FIND_POSITION: Statement = {
  text: 'SELECT position FROM keys.unused_scans WHERE kind = $1',
};

export const SAVE_POSITION: Statement = {
  text: `
    INSERT INTO keys.unused_scans AS stored (kind, position) VALUES ($1, $2)
    ON CONFLICT (kind) DO UPDATE SET position = greatest(stored.position, excluded.position)`,
};

/**
 * Adds checks for live keys in the order of their creation: kind, time and id to continue behind, last
 * time, current time, limit.
 *
 * @returns the keys that were read
 */
export const ADD_CHECKS: Statement = {
  text: `
    WITH found AS MATERIALIZED (
      SELECT key_id, create_time, revoke_time, expire_time FROM keys.api_keys
      WHERE kind = $1 AND (create_time, key_id) > ($2, $3) AND create_time <= $4
      ORDER BY create_time, key_id LIMIT $6),
    added AS (
      INSERT INTO keys.unused_checks (key_id, check_from)
      SELECT key_id, create_time FROM found
      WHERE revoke_time IS NULL AND (expire_time IS NULL OR expire_time > $5)
      ON CONFLICT DO NOTHING)
    SELECT key_id AS "keyId", create_time AS "createTime" FROM found
    ORDER BY create_time, key_id`,
};

/** Checks that are due, the oldest first: time, limit. Those of other replicas are left out. */
export const LOCK_DUE: Statement = {
  text: `
    SELECT key_id AS "keyId", announced_use AS "announcedUse" FROM keys.unused_checks
    WHERE check_from <= $1 ORDER BY check_from LIMIT $2 FOR UPDATE SKIP LOCKED`,
};

/** Locks those of the keys that are live: ids, current time. */
export const LOCK_LIVE: Statement = {
  text: `
    SELECT ${KEY_COLUMNS} FROM keys.api_keys
    WHERE key_id = ANY ($1) AND revoke_time IS NULL AND (expire_time IS NULL OR expire_time > $2)
    ORDER BY key_id FOR NO KEY UPDATE`,
};

/** Key ids, and what to store for each. */
export const UPDATE_CHECKS: Statement = {
  text: `
    UPDATE keys.unused_checks AS stored
    SET check_from = next.check_from, announced_use = next.announced_use
    FROM unnest($1::text[], $2::timestamptz[], $3::timestamptz[])
      AS next (key_id, check_from, announced_use)
    WHERE stored.key_id = next.key_id`,
};

export const DELETE_CHECKS: Statement = {
  text: 'DELETE FROM keys.unused_checks WHERE key_id = ANY ($1)',
};
