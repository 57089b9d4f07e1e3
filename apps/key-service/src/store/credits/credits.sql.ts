/**
 * Statements on balances. A refill is due lazily: each of them that changes a balance applies the refills
 * that are due by the clock of PostgreSQL. All of it is computed from the row that the statement locks,
 * so of any number of replicas one applies a refill, and no balance becomes negative.
 */
import { type Statement } from '@gatehouse/kit/sql';
import { CREDITS_MAX } from './credit.types.js';

/** How long a verification waits for its turn, and then for its statement, before it fails. */
export const SPEND_TIMEOUT_MS = 5_000;
/** A lease has at most this part of what is left, so that other processes have some too. */
const SLICES_LEFT = 64;
const REQUEST_IDS_MAX = 100;

const IS_DUE = 'COALESCE(refill_time <= now(), false)';

/** The remaining credits, including a refill that is due. */
const AVAILABLE = `CASE WHEN ${IS_DUE} THEN greatest(remaining, refill_amount) ELSE remaining END`;

const NEXT_REFILL = `CASE WHEN ${IS_DUE}
  THEN refill_time + make_interval(secs => refill_seconds
    * (1 + floor(extract(epoch FROM now() - refill_time)::float8 / refill_seconds)))
  ELSE refill_time END`;

/** The period, with the refills that are due. */
const PERIOD = `period + CASE WHEN ${IS_DUE} AND remaining < refill_amount THEN 1 ELSE 0 END`;

/** Leases of an earlier period are part of the refill that ended it, and are not given back. */
const REFILLED = `
  period = ${PERIOD},
  refill_time = ${NEXT_REFILL}`;

const GRANT = `greatest($2::bigint,
  CASE WHEN is_strict THEN 0 ELSE least($3::bigint, (${AVAILABLE}) / ${SLICES_LEFT}) END)`;

const STATE = `remaining::float8 AS remaining, period::text AS period, is_strict AS "isStrict",
  (extract(epoch FROM refill_time) * 1000)::float8 AS "refillAtMs",
  (extract(epoch FROM refill_time - now()) * 1000)::float8 AS "refillInMs"`;

/** Account, credits that are needed, credits to lease. Takes all that is needed, or nothing. */
export const SPEND: Statement = {
  name: 'keys_spend_credits',
  answerTimeoutMs: SPEND_TIMEOUT_MS,
  text: `
    UPDATE keys.credits SET
      granted = ${GRANT},
      remaining = (${AVAILABLE}) - (${GRANT}), ${REFILLED}
    WHERE account_id = $1 AND $2::bigint <= ${AVAILABLE}
    RETURNING granted::float8 AS granted, ${STATE}`,
};

/** Account. */
export const READ: Statement = {
  name: 'keys_read_credits',
  answerTimeoutMs: SPEND_TIMEOUT_MS,
  text: `
    SELECT ${STATE} FROM (
      SELECT (${AVAILABLE}) AS remaining, period, is_strict, ${NEXT_REFILL} AS refill_time
      FROM keys.credits WHERE account_id = $1) AS current`,
};

/** Account, credits, period. */
export const GIVE_BACK: Statement = {
  name: 'keys_give_credits_back',
  answerTimeoutMs: SPEND_TIMEOUT_MS,
  text: `
    UPDATE keys.credits SET remaining = remaining + $2::bigint
    WHERE account_id = $1 AND period = $3::bigint`,
};

/** Account, remaining, amount, seconds and time of the refill, strictness. Ends all leases. */
export const SET: Statement = {
  text: `
    INSERT INTO keys.credits
      (account_id, remaining, refill_amount, refill_seconds, refill_time, is_strict)
    VALUES ($1, $2, $3, $4, $5, $6)
    ON CONFLICT (account_id) DO UPDATE SET
      remaining = excluded.remaining, refill_amount = excluded.refill_amount,
      refill_seconds = excluded.refill_seconds, refill_time = excluded.refill_time,
      is_strict = excluded.is_strict, period = keys.credits.period + 1`,
};

/**
 * Account, credits, request id. Changes nothing beyond the largest balance, and for a request id that
 * was used before.
 */
export const ADD: Statement = {
  text: `
    UPDATE keys.credits SET
      remaining = (${AVAILABLE}) + $2::bigint, ${REFILLED}, exhausted_period = NULL,
      request_ids = CASE WHEN $3::text IS NULL THEN request_ids ELSE
        (request_ids || $3)[greatest(cardinality(request_ids) - ${REQUEST_IDS_MAX - 2}, 1):] END
    WHERE account_id = $1 AND (${AVAILABLE}) + $2::bigint <= ${CREDITS_MAX}
      AND NOT COALESCE(request_ids @> ARRAY[$3::text], false)
    RETURNING account_id`,
};

/** Account, request id. */
export const FIND_REQUEST: Statement = {
  text: 'SELECT FROM keys.credits WHERE account_id = $1 AND request_ids @> ARRAY[$2::text]',
};

/**
 * Accounts, costs. Marks the balances that still lack the cost, unless that was done since they got
 * credits last.
 */
export const MARK_EXHAUSTED: Statement = {
  text: `
    UPDATE keys.credits SET exhausted_period = ${PERIOD}
    FROM unnest($1::text[], $2::bigint[]) AS refused (account, cost)
    WHERE account_id = account AND ${AVAILABLE} < cost
      AND exhausted_period IS DISTINCT FROM ${PERIOD}
    RETURNING account_id AS "accountId"`,
};

/** Accounts, costs. The positions of those that `MARK_EXHAUSTED` would mark, from 1. */
export const FIND_EXHAUSTED: Statement = {
  name: 'keys_find_exhausted_credits',
  text: `
    SELECT position::integer AS position
    FROM unnest($1::text[], $2::bigint[]) WITH ORDINALITY AS refused (account, cost, position)
    JOIN keys.credits ON account_id = account
    WHERE ${AVAILABLE} < cost AND exhausted_period IS DISTINCT FROM ${PERIOD}`,
};

/**
 * Accounts. Their balances with the refills that are due. A balance may belong to another key than the
 * one that uses it, so it is never read in a statement on keys.
 */
export const FIND_BALANCES: Statement = {
  name: 'keys_find_balances',
  text: `
    SELECT account_id AS "accountId", (${AVAILABLE})::float8 AS remaining, is_strict AS "isStrict",
      refill_amount::float8 AS amount, refill_seconds::float8 AS "intervalSeconds",
      ${NEXT_REFILL} AS "refillAt"
    FROM keys.credits WHERE account_id = ANY ($1)`,
};
