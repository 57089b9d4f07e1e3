/** Statements of workspace connections and of the authorizations that are on their way. */
import { type Statement } from '@gatehouse/kit/sql';

const COLUMNS = `c.directory_id AS "directoryId", c.provider, c.domain, c.administrator, c.state,
  c.account, c.disconnected, c.reason, c.changed_at AS "changedAt", c.version,
  c.access_token_sealed AS "accessTokenSealed", c.refresh_token_sealed AS "refreshTokenSealed",
  c.scope, c.token_type AS "tokenType", c.expires_at AS "expiresAt"`;
const PUSH = 'p.active_until AS "pushUntil", p.error AS "pushError"';

/** Connections `c` that are connected, or read by access of the service. */
export const READABLE_CONNECTION = `(c.state = 'authorized'
  OR (c.administrator IS NOT NULL OR c.provider = 'entra') AND NOT c.disconnected)`;

export const INSERT: Statement = {
  text: `INSERT INTO dsync.workspace_connections
      (directory_id, provider, domain, administrator, state, reason)
    VALUES ($1, $2, $3, $4, $5, $6)`,
};

export const FIND_MANY: Statement = {
  name: 'dsync_find_connections',
  text: `SELECT ${COLUMNS}, ${PUSH} FROM dsync.workspace_connections c
    LEFT JOIN dsync.workspace_push p ON p.directory_id = c.directory_id
    WHERE c.directory_id = ANY ($1)`,
};

export const LOCK: Statement = {
  name: 'dsync_lock_connection',
  text: `SELECT ${COLUMNS}, ${PUSH} FROM dsync.workspace_connections c
    LEFT JOIN dsync.workspace_push p ON p.directory_id = c.directory_id
    WHERE c.directory_id = $1 FOR UPDATE OF c`,
};

/**
 * The channels watch someone else from now on. Other settings may end the reason why the directory needed
 * authorization: `$4` says so. Another domain may be one of another account.
 */
export const CHANGE: Statement = {
  text: `WITH checked AS (UPDATE dsync.workspace_push SET check_at = now() WHERE directory_id = $1)
    UPDATE dsync.workspace_connections
    SET domain = $2, administrator = $3, state = $4, reason = $5, changed_at = now(),
      version = version + 1, disconnected = false,
      account = CASE WHEN $2::text IS NULL OR $2 IS NOT DISTINCT FROM domain THEN account END
    WHERE directory_id = $1`,
};

/** The account of the consent, or of the tokens, that are stored with it. */
export const SET_ACCOUNT: Statement = {
  text: `UPDATE dsync.workspace_connections SET account = $2, disconnected = false
    WHERE directory_id = $1`,
};

/**
 * Forgets tokens and account. Consents on their way end, and so does a run that has not read everything. The
 * channels, which only the tokens could close, expire at the provider.
 */
export const DISCONNECT: Statement = {
  text: `WITH ended AS (DELETE FROM dsync.workspace_authorizations WHERE directory_id = $1),
      closed AS (DELETE FROM dsync.workspace_channels WHERE directory_id = $1),
      watched AS (UPDATE dsync.workspace_push
        SET check_at = now(), active_until = NULL, error = NULL WHERE directory_id = $1),
      failed AS (UPDATE dsync.workspace_runs SET state = 'failed', error = $2, finished_at = now(),
        page_token = NULL, leased_by = NULL, leased_until = NULL
        WHERE directory_id = $1 AND state IN ('queued', 'listing'))
    UPDATE dsync.workspace_connections
    SET access_token_sealed = NULL, refresh_token_sealed = NULL, scope = NULL, token_type = NULL,
      expires_at = NULL, account = NULL, disconnected = true, state = 'needs_authorization',
      reason = $2, changed_at = now(), version = version + 1
    WHERE directory_id = $1`,
};

/**
 * Replaces both tokens: the refresh token of another consent may be of another account. With new
 * access, channels can be opened.
 */
export const SET_TOKENS: Statement = {
  name: 'dsync_set_workspace_tokens',
  text: `WITH checked AS (UPDATE dsync.workspace_push p SET check_at = now()
      FROM dsync.workspace_connections c
      WHERE c.directory_id = $1 AND c.state <> 'authorized' AND p.directory_id = $1)
    UPDATE dsync.workspace_connections
    SET access_token_sealed = $2, refresh_token_sealed = $3,
      scope = $4, token_type = $5, expires_at = $6, reason = NULL, version = version + 1,
      changed_at = CASE state WHEN 'authorized' THEN changed_at ELSE now() END,
      state = 'authorized'
    WHERE directory_id = $1`,
};

/** Returns the directory if its state has changed. */
export const MARK_UNAUTHORIZED: Statement = {
  name: 'dsync_mark_unauthorized',
  text: `UPDATE dsync.workspace_connections c
    SET state = 'needs_authorization', reason = $3, changed_at = now()
    FROM dsync.directories d
    WHERE c.directory_id = $1 AND c.version = $2 AND c.state = 'authorized'
      AND d.id = c.directory_id AND d.deleted_at IS NULL
    RETURNING d.id, d.name, d.tenant, d.product`,
};

export const MARK_AUTHORIZED: Statement = {
  name: 'dsync_mark_authorized',
  text: `UPDATE dsync.workspace_connections
    SET state = 'authorized', reason = NULL, changed_at = now()
    WHERE directory_id = $1 AND state <> 'authorized' AND NOT disconnected`,
};

/** Authorizations that one directory, or one of its setup links, can have on their way; older ones end. */
const AUTHORIZATIONS_MAX = 10;

export const BEGIN_AUTHORIZATION: Statement = {
  text: `WITH old AS (
      DELETE FROM dsync.workspace_authorizations
      WHERE directory_id = $2 AND (expires_at <= now() OR state_sha256 IN (
        SELECT state_sha256 FROM dsync.workspace_authorizations
        WHERE directory_id = $2 AND link_id IS NOT DISTINCT FROM $5::uuid
        ORDER BY created_at DESC OFFSET ${AUTHORIZATIONS_MAX - 1})))
    INSERT INTO dsync.workspace_authorizations
      (state_sha256, directory_id, verifier_sealed, expires_at, link_id, caller)
    VALUES ($1, $2, $3, now() + $4 * interval '1 second', $5, $6)`,
};

/** Deleted when it is used, so it is used once, whichever replica answers. */
export const TAKE_AUTHORIZATION: Statement = {
  text: `DELETE FROM dsync.workspace_authorizations
    WHERE state_sha256 = $1 AND directory_id = $2 AND link_id IS NOT DISTINCT FROM $3::uuid
    RETURNING verifier_sealed AS "verifierSealed", caller, expires_at > now() AS "isCurrent"`,
};

export const TAKE_NEWEST_AUTHORIZATION: Statement = {
  text: `DELETE FROM dsync.workspace_authorizations WHERE state_sha256 = (
      SELECT state_sha256 FROM dsync.workspace_authorizations
      WHERE directory_id = $1 AND link_id IS NULL AND expires_at > now()
      ORDER BY created_at DESC LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING verifier_sealed AS "verifierSealed", caller, true AS "isCurrent"`,
};
