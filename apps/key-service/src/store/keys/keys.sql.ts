/** Every statement on keys.api_keys. Values that callers send are always parameters. */
import { keyIdRange, type PartialSecret, previewPrefix } from '@gatehouse/crypto';
import { type Statement } from '@gatehouse/kit/sql';
import { KEY_VISIBILITIES } from '@gatehouse/schemas';
import { KEY_KINDS, REVOCATION_REASONS } from './key.types.js';
import { type KeyListQuery, type TimeRange } from './key.record.js';

export const KEY_COLUMNS = `
  key_id, kind, name, actor_id, scopes, metadata, tags, visibility, rate_quota, rate_unit,
  rate_window_seconds, rate_limits, allowed_cidrs, expiring_thresholds, key_preview, create_time,
  update_time, expire_time, last_used_time, pause_time, leaver, resume_time, revoke_time,
  revocation_reason, revocation_description, replaced_by, credit_account, trust`;

/** The columns of alias `k`. */
const ownColumns = (alias: string) =>
  KEY_COLUMNS.split(',')
    .map((column) => `${alias}.${column.trim()}`)
    .join(', ');

/** Keys of actors that one statement changes. */
export const OF_ACTORS_MAX = 1_000;

/** JSON columns stay text: most verification answers copy them unparsed. */
const VERIFICATION_COLUMNS = `
  key_id, kind, actor_id, array_to_json(scopes)::text AS scopes, metadata::text AS metadata,
  visibility, (extract(epoch FROM expire_time) * 1000)::float8 AS expire_ms,
  revoke_time IS NOT NULL AS revoked, pause_time IS NOT NULL AS paused, leaver IS NOT NULL AS left,
  rate_quota, rate_unit,
  rate_window_seconds, rate_limits::text AS rate_limits, credit_account,
  NULLIF(allowed_cidrs, '{}') AS allowed_cidrs, NULLIF(tags, '{}') AS tags,
  encode(secret_hash, 'base64') AS secret_hash, hash_key_id`;

/** With the current time as $1. */
const IS_LIVE = '(revoke_time IS NULL AND (expire_time IS NULL OR expire_time > $1))';
const SUPERSEDED = REVOCATION_REASONS.indexOf('REVOCATION_REASON_SUPERSEDED');

/**
 * When a key first comes within one of its own thresholds, from a time on; null for never. A key that
 * lives no longer than a threshold was never outside of it.
 */
export const nextExpiringTime = (thresholds: string, expireTime: string, from: string): string => `(
  SELECT min(due) FROM (
    SELECT ${expireTime} - make_interval(secs => seconds) AS due
    FROM unnest(${thresholds}) AS seconds) AS dues
  WHERE due > create_time AND due >= ${from})`;

/** A verification that waits longer fails with VERIFICATION_ERROR_INTERNAL. */
const LOAD_TIMEOUT_MS = 5_000;

export const LOAD_FOR_VERIFICATION: Statement = {
  name: 'keys_load_for_verification',
  answerTimeoutMs: LOAD_TIMEOUT_MS,
  text: `SELECT ${VERIFICATION_COLUMNS} FROM keys.api_keys WHERE key_id = $1`,
};

export const LOAD_MANY_FOR_VERIFICATION: Statement = {
  name: 'keys_load_many_for_verification',
  answerTimeoutMs: LOAD_TIMEOUT_MS,
  text: `SELECT ${VERIFICATION_COLUMNS} FROM keys.api_keys WHERE key_id = ANY($1)`,
};

export const LOAD_IMPORTED: Statement = {
  name: 'keys_load_imported',
  answerTimeoutMs: LOAD_TIMEOUT_MS,
  text: `
    SELECT ${VERIFICATION_COLUMNS} FROM keys.api_keys
    WHERE hash_key_id IS NOT NULL AND secret_hash = ANY($1::bytea[])`,
};

/** Serializes the transactions that import keys while HMAC_SECRETS has several entries. */
export const LOCK_IMPORTS: Statement = { text: 'SELECT pg_advisory_xact_lock(7120303)' };

export const FIND_IMPORTED_HASHES: Statement = {
  text: `
    SELECT encode(secret_hash, 'base64') AS hash FROM keys.api_keys
    WHERE hash_key_id IS NOT NULL AND secret_hash = ANY($1::bytea[])`,
};

export const INSERT: Statement = {
  name: 'keys_insert',
  text: `
    INSERT INTO keys.api_keys (
      key_id, kind, name, actor_id, scopes, metadata, visibility, rate_quota, rate_unit,
      rate_window_seconds, allowed_cidrs, secret_hash, hash_key_id, key_preview, request_id,
      create_time, update_time, expire_time, rotated_from, expiring_thresholds, next_expiring_time,
      tags, rate_limits, credit_account, trust)
    SELECT
      key_id, kind, name, actor_id, scopes, metadata, visibility, rate_quota, rate_unit,
      rate_window_seconds, allowed_cidrs, decode(secret_hash, 'hex'), hash_key_id, key_preview,
      request_id, create_time, create_time, expire_time, rotated_from, expiring_thresholds,
      ${nextExpiringTime('expiring_thresholds', 'expire_time', 'create_time')},
      tags, rate_limits, credit_account, trust
    FROM jsonb_to_recordset($1::jsonb) AS added (
      key_id text, kind text, name text, actor_id text, scopes text[], metadata jsonb,
      visibility smallint, rate_quota bigint, rate_unit text, rate_window_seconds bigint,
      allowed_cidrs text[], secret_hash text, hash_key_id text, key_preview text, request_id text,
      create_time timestamptz, expire_time timestamptz, rotated_from text,
      expiring_thresholds integer[], tags text[], rate_limits jsonb,
      credit_account text, trust jsonb)
    ON CONFLICT DO NOTHING
    RETURNING ${KEY_COLUMNS}`,
};

export const FIND: Statement = {
  name: 'keys_find',
  text: `SELECT ${KEY_COLUMNS} FROM keys.api_keys WHERE key_id = $1`,
};

export const FIND_FOR_UPDATE: Statement = { text: `${FIND.text} FOR UPDATE` };

export const FIND_BY_REQUEST_IDS: Statement = {
  text: `SELECT request_id, ${KEY_COLUMNS} FROM keys.api_keys WHERE request_id = ANY($1)`,
};

/**
 * A null in $4 to $7 keeps the column; $8 says whether to set the rate limit policy, and $12 whether to
 * set the thresholds; $14 are the tags, $15 the
 * named limits, $16 the terms of a trust rule. Thresholds that have passed are not announced, but for
 * those that wait for a scan.
 */
export const UPDATE: Statement = {
  text: `
    UPDATE keys.api_keys SET
      update_time = $3,
      name = COALESCE($4, name),
      scopes = COALESCE($5::text[], scopes),
      metadata = COALESCE($6::jsonb, metadata),
      allowed_cidrs = COALESCE($7::text[], allowed_cidrs),
      rate_quota = CASE WHEN $8::boolean THEN $9::bigint ELSE rate_quota END,
      rate_unit = CASE WHEN $8::boolean THEN $10 ELSE rate_unit END,
      rate_window_seconds = CASE WHEN $8::boolean THEN $11::bigint ELSE rate_window_seconds END,
      expiring_thresholds = CASE WHEN $12::boolean THEN $13::integer[] ELSE expiring_thresholds END,
      next_expiring_time = CASE WHEN $12::boolean
        THEN ${nextExpiringTime('$13::integer[]', 'expire_time', 'LEAST($3, next_expiring_time)')}
        ELSE next_expiring_time END,
      tags = COALESCE($14::text[], tags),
      rate_limits = NULLIF(COALESCE($15::jsonb, rate_limits), '[]'),
      trust = trust || $16::jsonb
    WHERE key_id = $1 AND kind = $2
    RETURNING ${KEY_COLUMNS}`,
};

export const REVOKE: Statement = {
  text: `
    UPDATE keys.api_keys
    SET revoke_time = $3, update_time = $3, revocation_reason = $4, revocation_description = $5,
      leaver = NULL,
      undelete_until = CASE WHEN exposed_places IS NULL THEN $6::timestamptz END
    WHERE key_id = $1 AND kind = ANY($2) AND revoke_time IS NULL
    RETURNING ${KEY_COLUMNS}`,
};

/** Key id, time, whether to pause. */
export const SET_PAUSED: Statement = {
  text: `
    UPDATE keys.api_keys SET
      update_time = $2,
      pause_time = CASE WHEN $3 THEN $2::timestamptz END,
      leaver = NULL,
      resume_time = CASE WHEN $3 THEN resume_time ELSE $2 END
    WHERE key_id = $1
    RETURNING ${KEY_COLUMNS}`,
};

/**
 * Locks live keys `k` of the actors `$2` in one order. OFFSET and the array have the plan look up each actor and
 * each key, before the table has been analyzed too.
 */
const keysOfActors = (condition: string) => `
  SELECT k.key_id FROM keys.api_keys k
  WHERE k.key_id = ANY (ARRAY(
      SELECT own.key_id FROM unnest($2::text[]) AS a (actor_id) CROSS JOIN LATERAL (
        SELECT key_id FROM keys.api_keys
        WHERE kind IN (${KEY_KINDS.map((kind) => `'${kind}'`).join(', ')}) AND actor_id = a.actor_id
        OFFSET 0) own))
    AND k.revoke_time IS NULL AND (k.expire_time IS NULL OR k.expire_time > $1) AND ${condition}
  ORDER BY k.key_id LIMIT ${OF_ACTORS_MAX} FOR UPDATE`;

const LEAVER = '$3::jsonb -> k.actor_id';

/** Time, actors, an object with the person because of whom the keys of each stop. */
export const PAUSE_OF_ACTORS: Statement = {
  name: 'keys_pause_of_actors',
  text: `
    WITH leaving AS (${keysOfActors('k.pause_time IS NULL')})
    UPDATE keys.api_keys k SET update_time = $1, pause_time = $1, leaver = ${LEAVER}
    FROM leaving WHERE k.key_id = leaving.key_id
    RETURNING ${ownColumns('k')}`,
};

/**
 * As above; then the reason, and for how many seconds it can be undone. A key that an administrator has paused
 * stays so if it is.
 */
export const REVOKE_OF_ACTORS: Statement = {
  name: 'keys_revoke_of_actors',
  text: `
    WITH leaving AS (${keysOfActors('true')})
    UPDATE keys.api_keys k
    SET revoke_time = $1, update_time = $1, revocation_reason = $4,
      leaver = CASE WHEN k.pause_time IS NULL OR k.leaver IS NOT NULL THEN ${LEAVER} END,
      undelete_until = CASE WHEN exposed_places IS NULL THEN $1 + make_interval(secs => $5) END
    FROM leaving WHERE k.key_id = leaving.key_id
    RETURNING ${ownColumns('k')}`,
};

/** Time, actors. A live key with a leaver is paused. The condition leaves the index of leavers unused. */
export const RESUME_OF_ACTORS: Statement = {
  name: 'keys_resume_of_actors',
  text: `
    WITH resumed AS (${keysOfActors("k.leaver -> 'userId' IS NOT NULL")})
    UPDATE keys.api_keys k
    SET update_time = $1, pause_time = NULL, leaver = NULL, resume_time = $1
    FROM resumed WHERE k.key_id = resumed.key_id
    RETURNING ${ownColumns('k')}`,
};

/**
 * Key id, time. The scans for keys that expire or are unused have passed over the key meanwhile: the
 * scan for own thresholds catches up with those of the settings, too.
 */
export const UNDELETE: Statement = {
  text: `
    WITH undeleted AS (
      UPDATE keys.api_keys
      SET revoke_time = NULL, update_time = $2, revocation_reason = 0, revocation_description = '',
        leaver = CASE WHEN pause_time IS NOT NULL THEN leaver END,
        undelete_until = NULL,
        next_expiring_time =
          CASE WHEN expiring_thresholds IS NULL THEN revoke_time ELSE next_expiring_time END
      WHERE key_id = $1 AND revoke_time IS NOT NULL AND undelete_until > $2
        AND replaced_by IS NULL AND (expire_time IS NULL OR expire_time > $2)
      RETURNING ${KEY_COLUMNS}),
    checked AS (
      INSERT INTO keys.unused_checks (key_id, check_from) SELECT key_id, $2 FROM undeleted
      ON CONFLICT DO NOTHING)
    SELECT * FROM undeleted`,
};

/**
 * Key id, time. Events may have the time of a clock that is behind or ahead. A delivery that has read an
 * event ends within minutes, and may log its payload then.
 */
export const ERASE: Statement = {
  text: `
    WITH planned AS (
      INSERT INTO keys.erasures AS e (key_id, pass, due_time, day, last_day, actor_id)
      SELECT key_id, pass, now() + (pass - 1) * interval '20 minutes',
        (create_time AT TIME ZONE 'UTC')::date - 1, ($2::timestamptz AT TIME ZONE 'UTC')::date + 1,
        actor_id
      FROM keys.api_keys, generate_series(1, 2) AS pass WHERE key_id = $1
      ON CONFLICT (key_id, pass) DO UPDATE
        SET due_time = excluded.due_time, day = excluded.day, last_day = excluded.last_day,
          actor_id = COALESCE(NULLIF(excluded.actor_id, ''), e.actor_id)),
    forgotten AS (DELETE FROM keys.refusals WHERE key_id = $1)
    UPDATE keys.api_keys
    SET update_time = $2, name = '', actor_id = '', metadata = '{}', tags = '{}',
      allowed_cidrs = '{}', rate_limits = NULL, revocation_description = '', request_id = NULL,
      undelete_until = NULL, trust = trust || '{"subjectPattern": "", "claims": {}}'
    WHERE key_id = $1
    RETURNING ${KEY_COLUMNS}`,
};

/** Without $4, the end of the grace period, the replaced key is revoked at once. */
export const REPLACE: Statement = {
  text: `
    UPDATE keys.api_keys SET
      update_time = $1,
      replaced_by = $3,
      revoke_time = CASE WHEN $4::timestamptz IS NULL THEN $1::timestamptz END,
      revocation_reason =
        CASE WHEN $4::timestamptz IS NULL THEN ${SUPERSEDED} ELSE revocation_reason END,
      expire_time = LEAST(expire_time, $4::timestamptz),
      next_expiring_time = ${nextExpiringTime(
        'expiring_thresholds',
        'LEAST(expire_time, $4::timestamptz)',
        'LEAST($1, next_expiring_time)',
      )}
    WHERE key_id = $2 AND kind = 'issued' AND replaced_by IS NULL AND pause_time IS NULL
      AND ${IS_LIVE}
    RETURNING ${KEY_COLUMNS}`,
};

export const DELETE_IMPORTED: Statement = {
  text: `
    WITH emptied AS (
      DELETE FROM keys.credits WHERE account_id = $1
        AND EXISTS (SELECT FROM keys.api_keys WHERE key_id = $1 AND kind = 'imported')),
    forgotten AS (DELETE FROM keys.imported_hashes WHERE key_id = $1),
    unexplained AS (DELETE FROM keys.refusals WHERE key_id = $1)
    DELETE FROM keys.api_keys WHERE key_id = $1 AND kind = 'imported' RETURNING ${KEY_COLUMNS}`,
};

export const SET_CREDIT_ACCOUNT: Statement = {
  text: 'UPDATE keys.api_keys SET credit_account = $2, update_time = $3 WHERE key_id = $1',
};

export const HAS_ANY: Statement = { text: 'SELECT EXISTS (SELECT FROM keys.api_keys) AS found' };

/** Serializes the transactions that add keys while MAX_KEYS is set. */
export const LOCK_COUNT: Statement = { text: 'SELECT pg_advisory_xact_lock(7120302)' };

export const COUNT_LIVE: Statement = {
  text: `SELECT count(*) FROM keys.api_keys WHERE ${IS_LIVE}`,
};

/** The most that may accept tokens at a time: each exchange looks at those of its issuer. */
export const TRUST_RULES_MAX = 1_000;

/** Trust rules that accept tokens, unless they are paused; in the order in which they are tried. */
export const LIST_TRUST_RULES: Statement = {
  name: 'keys_list_trust_rules',
  text: `
    SELECT key_id AS "keyId", trust FROM keys.api_keys
    WHERE kind = 'trust' AND ${IS_LIVE}
    ORDER BY (SELECT count(*) FROM jsonb_object_keys(trust->'claims')) DESC,
      length(replace(trust->>'subjectPattern', '*', '')) DESC, create_time, key_id`,
};

/** A page of keys. Absent filters add no condition, so that every page can use an index. */
export function listStatement(query: KeyListQuery): { statement: Statement; values: unknown[] } {
  const { kind, filter, withoutScopes, after, limit } = query;
  const values: unknown[] = [new Date(), kind];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const conditions = ['kind = $2', '$1::timestamptz IS NOT NULL'];
  const compare = (column: string, relation: '=' | '<' | '>', value: unknown) => {
    if (value !== undefined) conditions.push(`${column} ${relation} ${bind(value)}`);
  };
  const compareTime = (column: string, range: TimeRange | undefined) => {
    compare(column, '=', range?.at);
    compare(column, '<', range?.before);
    compare(column, '>', range?.after);
  };
  compare('actor_id', '=', filter.actorId);
  compare('name', '=', filter.name);
  compare('visibility', '=', filter.visibility && KEY_VISIBILITIES.indexOf(filter.visibility));
  if (filter.tag !== undefined) {
    // The first condition lets the index of tagged keys serve the second.
    conditions.push("tags <> '{}'", `tags @> ARRAY[${bind(filter.tag)}]`);
  }
  if (filter.secret) conditions.push(...secretConditions(filter.secret, bind));
  if (withoutScopes) conditions.push(`NOT scopes && ${bind(withoutScopes)}::text[]`);
  compareTime('create_time', filter.createTime);
  compareTime('expire_time', filter.expireTime);
  if (filter.status === 'KEY_STATUS_ACTIVE') conditions.push(IS_LIVE, 'pause_time IS NULL');
  if (filter.status === 'KEY_STATUS_PAUSED') conditions.push(IS_LIVE, 'pause_time IS NOT NULL');
  if (filter.status === 'KEY_STATUS_REVOKED') conditions.push('revoke_time IS NOT NULL');
  if (filter.status === 'KEY_STATUS_EXPIRED') {
    conditions.push('revoke_time IS NULL AND expire_time <= $1');
  }
  // The order of `positionOf`.
  const time = filter.expireTime === undefined ? 'create_time' : 'expire_time';
  const order = filter.secret?.first === undefined ? [time, 'key_id'] : ['key_id'];
  if (after) conditions.push(`(${order.join(', ')}) < (${after.map(bind).join(', ')})`);
  const text = `
    SELECT ${KEY_COLUMNS} FROM keys.api_keys WHERE ${conditions.join(' AND ')}
    ORDER BY ${order.map((column) => `${column} DESC`).join(', ')} LIMIT ${bind(limit)}`;
  return { statement: { text }, values };
}

function secretConditions(
  { prefix, first, lastFour }: PartialSecret,
  bind: (value: unknown) => string,
): string[] {
  const conditions: string[] = [];
  if (prefix !== undefined) {
    conditions.push(`starts_with(key_preview, ${bind(previewPrefix(prefix))})`);
  }
  if (first !== undefined) {
    const [firstId, lastId] = keyIdRange(first);
    conditions.push(`key_id BETWEEN ${bind(firstId)} AND ${bind(lastId)}`);
  }
  if (lastFour !== undefined) {
    // The first condition lets the index of previews serve the second.
    conditions.push("key_preview <> ''", `right(key_preview, 4) = ${bind(lastFour)}`);
  }
  return conditions;
}
