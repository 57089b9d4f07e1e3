/** Statements about the use of keys. They run in the background, in batches. */
import { type Statement } from '@gatehouse/kit/sql';
import { KEY_COLUMNS } from '../../store/keys/keys.sql.js';

/** The condition of a key whose rotation its first use completes. */
const IS_UNUSED_SUCCESSOR = 'last_used_time IS NULL AND rotated_from IS NOT NULL';

/**
 * Key ids, times, interval in milliseconds. Leaves out the keys whose rotation is completed by this.
 *
 * @returns those keys
 */
export const TOUCH_LAST_USED: Statement = {
  text: `
    WITH touched AS (
      UPDATE keys.api_keys AS stored SET last_used_time = used.at
      FROM unnest($1::text[], $2::timestamptz[]) AS used (key_id, at)
      WHERE stored.key_id = used.key_id AND NOT (${IS_UNUSED_SUCCESSOR})
        AND (stored.last_used_time IS NULL
          OR stored.last_used_time < used.at - $3::float8 * interval '1 millisecond'))
    SELECT key_id AS "keyId" FROM keys.api_keys
    WHERE key_id = ANY ($1) AND ${IS_UNUSED_SUCCESSOR}`,
};

/** Locks those of the keys whose rotation is still to be completed. */
export const LOCK_UNUSED_SUCCESSORS: Statement = {
  text: `
    SELECT rotated_from, ${KEY_COLUMNS} FROM keys.api_keys
    WHERE key_id = ANY ($1) AND ${IS_UNUSED_SUCCESSOR}
    ORDER BY key_id FOR NO KEY UPDATE`,
};

/** Key ids, times. */
export const SET_FIRST_USE: Statement = {
  text: `
    UPDATE keys.api_keys AS stored SET last_used_time = used.at
    FROM unnest($1::text[], $2::timestamptz[]) AS used (key_id, at)
    WHERE stored.key_id = used.key_id AND stored.last_used_time IS NULL`,
};

/** Locks those of the keys that are not revoked and have had no notice since a time. */
export const LOCK_RATE_LIMITED: Statement = {
  text: `
    SELECT ${KEY_COLUMNS} FROM keys.api_keys
    WHERE key_id = ANY ($1) AND revoke_time IS NULL
      AND (rate_limit_notice_time IS NULL OR rate_limit_notice_time <= $2)
    ORDER BY key_id FOR NO KEY UPDATE`,
};

/** Key ids, time. */
export const SET_RATE_LIMIT_NOTICE: Statement = {
  text: 'UPDATE keys.api_keys SET rate_limit_notice_time = $2 WHERE key_id = ANY ($1)',
};

/** The balances of those of the keys that are not revoked and have credits. */
export const FIND_ACCOUNTS: Statement = {
  name: 'keys_find_credit_accounts',
  text: `
    SELECT key_id AS "keyId", credit_account AS "accountId" FROM keys.api_keys
    WHERE key_id = ANY ($1) AND revoke_time IS NULL AND credit_account IS NOT NULL`,
};

/** Locks those of the keys that are not revoked and have credits. */
export const LOCK_PAYING: Statement = {
  text: `
    SELECT ${KEY_COLUMNS} FROM keys.api_keys
    WHERE key_id = ANY ($1) AND revoke_time IS NULL AND credit_account IS NOT NULL
    ORDER BY key_id FOR NO KEY UPDATE`,
};
