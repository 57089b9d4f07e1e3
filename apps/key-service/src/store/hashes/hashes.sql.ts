/** Statements on the hashes of imported keys. A hash is pending until its key was used or dropped. */
import { type Statement } from '@gatehouse/kit/sql';

const IS_PENDING = 'rekey_time IS NULL AND hash_drop_time IS NULL';
const LOAD_TIMEOUT_MS = 5_000;

export const LOAD_GROUPS: Statement = {
  text: `
    SELECT group_id AS "groupId", algorithm, fingerprint, prefix_length AS "prefixLength",
      sealed_key AS "sealedKey"
    FROM keys.imported_hash_groups AS g`,
};

/** The groups that have a pending hash. */
export const LOAD_PENDING_GROUPS: Statement = {
  name: 'hashes_load_pending_groups',
  answerTimeoutMs: LOAD_TIMEOUT_MS,
  text: `${LOAD_GROUPS.text}
    WHERE EXISTS (
      SELECT FROM keys.imported_hashes AS h WHERE h.group_id = g.group_id AND ${IS_PENDING})
    ORDER BY group_id`,
};

export const FIND_BY_PREFIXES: Statement = {
  name: 'hashes_find_by_prefixes',
  answerTimeoutMs: LOAD_TIMEOUT_MS,
  text: `
    SELECT h.key_id AS "keyId", h.prefix, h.sealed_hash AS "sealedHash",
      encode(k.secret_hash, 'base64') AS "secretHash"
    FROM keys.imported_hashes AS h JOIN keys.api_keys AS k ON k.key_id = h.key_id
    WHERE h.prefix = ANY($1) ORDER BY h.key_id LIMIT $2`,
};

/** Serializes the transactions that import hashes: what they may add depends on what there is. */
export const LOCK: Statement = { text: 'SELECT pg_advisory_xact_lock(7120304)' };

export const FIND_IDENTITIES: Statement = {
  text: `
    SELECT encode(identity, 'base64') AS identity FROM keys.imported_hashes
    WHERE identity = ANY($1::bytea[])`,
};

export const COUNT_PREFIXES: Statement = {
  text: `
    SELECT prefix, count(*)::int AS count FROM keys.imported_hashes
    WHERE prefix = ANY($1) GROUP BY prefix`,
};

/** A group that was to be dropped by a time that has passed is kept when a hash is added. */
export const ADD_GROUP: Statement = {
  text: `
    INSERT INTO keys.imported_hash_groups (algorithm, fingerprint, prefix_length, sealed_key)
    VALUES ($1, $2, $3, $4)
    ON CONFLICT (fingerprint) DO UPDATE SET drop_time = CASE
      WHEN imported_hash_groups.drop_time > now() THEN imported_hash_groups.drop_time END
    RETURNING group_id AS "groupId"`,
};

export const INSERT: Statement = {
  text: `
    INSERT INTO keys.imported_hashes (key_id, group_id, identity, prefix, sealed_hash)
    SELECT key_id, group_id, decode(identity, 'base64'), prefix, sealed_hash
    FROM jsonb_to_recordset($1::jsonb) AS added (
      key_id text, group_id integer, identity text, prefix text, sealed_hash text)`,
};

/** Key id, the former and the new keyed hash, its HMAC secret. Only one of several calls finds it. */
export const REKEY: Statement = {
  text: `
    WITH rekeyed AS (
      UPDATE keys.api_keys SET secret_hash = $3, hash_key_id = $4
      WHERE key_id = $1 AND secret_hash = $2 RETURNING key_id),
    done AS (
      UPDATE keys.imported_hashes SET rekey_time = now(), prefix = NULL, sealed_hash = NULL
      WHERE key_id = $1 AND rekey_time IS NULL AND EXISTS (SELECT FROM rekeyed) RETURNING group_id)
    SELECT g.algorithm FROM keys.imported_hash_groups AS g JOIN done ON done.group_id = g.group_id`,
};

/** The current time as $1. */
export const COUNT: Statement = {
  text: `
    SELECT g.algorithm, min(g.drop_time) AS "dropTime", count(*)::int AS total,
      count(h.rekey_time)::int AS rekeyed, count(h.hash_drop_time)::int AS dropped,
      count(*) FILTER (WHERE ${IS_PENDING} AND NOT h.is_ended)::int AS pending,
      count(*) FILTER (WHERE ${IS_PENDING} AND h.is_ended)::int AS ended
    FROM keys.imported_hash_groups AS g
    JOIN (
      SELECT i.*, COALESCE(k.revoke_time IS NOT NULL OR k.expire_time <= $1, false) AS is_ended
      FROM keys.imported_hashes AS i
      LEFT JOIN keys.api_keys AS k ON i.rekey_time IS NULL AND k.key_id = i.key_id
    ) AS h ON h.group_id = g.group_id
    GROUP BY g.algorithm ORDER BY g.algorithm`,
};

/** Algorithms. Locks their groups with a planned end, the earliest first. */
export const LOCK_PLANNED: Statement = {
  text: `
    SELECT drop_time AS "dropTime" FROM keys.imported_hash_groups
    WHERE algorithm = ANY($1) AND drop_time IS NOT NULL ORDER BY drop_time, group_id FOR UPDATE`,
};

/** The time, and the algorithms. */
export const PLAN_DROP: Statement = {
  text: `
    UPDATE keys.imported_hash_groups SET drop_time = $1 WHERE algorithm = ANY($2)`,
};

/** The current time, how many. Locks hashes that are to be dropped. */
export const LOCK_DROPPED: Statement = {
  text: `
    SELECT h.key_id AS "keyId" FROM keys.imported_hashes AS h
    WHERE h.group_id IN (
        SELECT group_id FROM keys.imported_hash_groups WHERE drop_time <= $1)
      AND h.rekey_time IS NULL AND h.hash_drop_time IS NULL
    LIMIT $2 FOR UPDATE SKIP LOCKED`,
};

export const DROP: Statement = {
  text: `
    UPDATE keys.imported_hashes SET hash_drop_time = $2, prefix = NULL, sealed_hash = NULL
    WHERE key_id = ANY($1)`,
};

/** The pattern of what is sealed with the current key, how many. */
export const LIST_RESEALED: Statement = {
  text: `
    SELECT key_id AS id, sealed_hash AS sealed FROM keys.imported_hashes
    WHERE sealed_hash NOT LIKE $1 LIMIT $2`,
};

export const RESEAL: Statement = {
  text: `
    UPDATE keys.imported_hashes SET sealed_hash = $3 WHERE key_id = $1 AND sealed_hash = $2`,
};

export const LIST_RESEALED_GROUPS: Statement = {
  text: `
    SELECT fingerprint AS id, sealed_key AS sealed FROM keys.imported_hash_groups
    WHERE sealed_key NOT LIKE $1 LIMIT $2`,
};

export const RESEAL_GROUP: Statement = {
  text: `
    UPDATE keys.imported_hash_groups SET sealed_key = $3
    WHERE fingerprint = $1 AND sealed_key = $2`,
};
