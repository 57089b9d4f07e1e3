/** Statements of the tokens of directories. Changes of a token run under the lock of its directory. */
import { type Statement } from '@gatehouse/kit/sql';

const COLUMNS = `t.id, t.name, t.preview, t.created_at AS "createdAt", t.rotated_at AS "rotatedAt",
  t.expires_at AS "expiresAt", t.last_used_at AS "lastUsedAt", t.previous_until AS "previousUntil",
  t.previous_used_at AS "previousUsedAt"`;

/** Writes the PublishedToken of each token into the row of directory `$1`; null without tokens. */
export const PUBLISH_TOKENS: Statement = {
  text: `UPDATE dsync.directories SET scim_token_hashes = (
      SELECT json_agg(json_build_array(t.id, encode(t.sha256, 'base64'),
        (extract(epoch FROM t.expires_at) * 1000)::bigint, encode(t.previous_sha256, 'base64'),
        (extract(epoch FROM t.previous_until) * 1000)::bigint) ORDER BY t.id)
      FROM dsync.scim_tokens t WHERE t.directory_id = $1)
    WHERE id = $1`,
};

export const LIST_TOKENS: Statement = {
  text: `SELECT ${COLUMNS} FROM dsync.scim_tokens t WHERE t.directory_id = $1 ORDER BY t.id`,
};

export const FIND_TOKEN: Statement = {
  text: `SELECT ${COLUMNS} FROM dsync.scim_tokens t WHERE t.directory_id = $1 AND t.id = $2`,
};

export const INSERT_TOKEN: Statement = {
  text: `INSERT INTO dsync.scim_tokens
      (directory_id, id, name, preview, sha256, created_at, expires_at, next_notice_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
};

/** The name; the expiry, also of the previous secret, and the next notice only if `$4`. */
export const UPDATE_TOKEN: Statement = {
  text: `UPDATE dsync.scim_tokens t SET name = $3,
      expires_at = CASE WHEN $4 THEN $5::timestamptz ELSE expires_at END,
      previous_until = CASE WHEN $4 AND previous_until > $5 THEN $5 ELSE previous_until END,
      next_notice_at = CASE WHEN $4 THEN $6 ELSE next_notice_at END
    WHERE directory_id = $1 AND id = $2 RETURNING ${COLUMNS}`,
};

/** Sets a new secret. The current one is kept until `$7`, with its last use; null keeps none. */
export const ROTATE_TOKEN: Statement = {
  text: `UPDATE dsync.scim_tokens t SET preview = $3, sha256 = $4, rotated_at = $5, expires_at = $6,
      last_used_at = NULL, previous_until = $7::timestamptz,
      previous_sha256 = CASE WHEN $7 IS NULL THEN NULL ELSE sha256 END,
      previous_used_at = CASE WHEN $7 IS NULL THEN NULL ELSE last_used_at END,
      next_notice_at = $8
    WHERE directory_id = $1 AND id = $2 RETURNING ${COLUMNS}`,
};

/** Sets a new secret in place of one that was not used. The secret before that one stays as it is. */
export const REPLACE_UNUSED: Statement = {
  text: `UPDATE dsync.scim_tokens t SET preview = $3, sha256 = $4, rotated_at = $5, expires_at = NULL,
      next_notice_at = NULL
    WHERE directory_id = $1 AND id = $2`,
};

export const DELETE_TOKEN: Statement = {
  text: `DELETE FROM dsync.scim_tokens t WHERE directory_id = $1 AND id = $2 RETURNING ${COLUMNS}`,
};

/** Tokens to compare with the time `$1`, the longest due first. Those of other replicas are left out. */
export const LOCK_DUE_TOKENS: Statement = {
  text: `SELECT t.id, t.directory_id AS "directoryId", t.name, t.expires_at AS "expiresAt",
      t.last_used_at AS "lastUsedAt", t.next_notice_at AS "nextNoticeAt",
      d.name AS "directoryName", d.tenant, d.product
    FROM dsync.scim_tokens t JOIN dsync.directories d ON d.id = t.directory_id
    WHERE t.next_notice_at <= $1 AND d.deleted_at IS NULL
    ORDER BY t.next_notice_at LIMIT $2 FOR UPDATE OF t SKIP LOCKED`,
};

/** Directory ids, token ids, and the times of their next notices. */
export const PLAN_NOTICES: Statement = {
  text: `UPDATE dsync.scim_tokens t SET next_notice_at = next.at
    FROM unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) AS next (directory_id, id, at)
    WHERE t.directory_id = next.directory_id AND t.id = next.id`,
};
