/** Every statement on keys.refusals, except that erasing or deleting a key deletes its refusals. */
import { type Statement } from '@gatehouse/kit/sql';

/** Rows of one key; the newest stay. */
export const REFUSALS_PER_KEY_MAX = 50;

/** @returns the keys that got a new row, in any number */
export const ADD: Statement = {
  name: 'keys_add_refusals',
  text: `
    INSERT INTO keys.refusals AS stored
      (key_id, reason, limit_name, network, first_time, last_time, count)
    SELECT * FROM unnest($1::text[], $2::smallint[], $3::text[], $4::text[], $5::timestamptz[],
      $6::timestamptz[], $7::bigint[])
    ON CONFLICT (key_id, reason, limit_name, network) DO UPDATE SET
      first_time = LEAST(stored.first_time, excluded.first_time),
      last_time = GREATEST(stored.last_time, excluded.last_time),
      count = stored.count + excluded.count
    RETURNING key_id AS "keyId", xmax = 0 AS "isNew"`,
};

/** Deletes what these keys have beyond their newest rows. */
export const TRIM: Statement = {
  text: `
    DELETE FROM keys.refusals AS stored
    USING unnest($1::text[]) AS trimmed (key_id), LATERAL (
      SELECT reason, limit_name, network FROM keys.refusals WHERE key_id = trimmed.key_id
      ORDER BY last_time DESC, reason, limit_name, network
      OFFSET ${REFUSALS_PER_KEY_MAX}) AS surplus
    WHERE stored.key_id = trimmed.key_id AND stored.reason = surplus.reason
      AND stored.limit_name = surplus.limit_name AND stored.network = surplus.network`,
};

export const LIST: Statement = {
  text: `
    SELECT reason, limit_name AS limit, network, first_time, last_time, count
    FROM keys.refusals WHERE key_id = $1
    ORDER BY last_time DESC, reason, limit_name, network LIMIT ${REFUSALS_PER_KEY_MAX}`,
};

/** How many at most. A row that a new refusal moves meanwhile is not old any more. */
export const DELETE_OLD: Statement = {
  text: `
    DELETE FROM keys.refusals WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM keys.refusals WHERE last_time < now() - interval '30 days' LIMIT $1))
    RETURNING 1`,
};
