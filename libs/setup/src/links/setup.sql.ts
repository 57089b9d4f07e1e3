/** Statements of setup links. */
import { type Statement } from '@gatehouse/kit/sql';

const LINK = `l.id, l.directory_id AS "directoryId", l.allow, l.attributes, l.roles,
  l.return_url AS "returnUrl", l.locale,
  l.provider, l.created_at AS "createdAt", l.expires_at AS "expiresAt", l.revoked_at AS "revokedAt",
  l.csrf_key AS "csrfKey", l.secret_sha256 AS "secretSha256", l.opened_at AS "openedAt",
  l.reopen_until AS "reopenUntil", l.session_expires_at AS "sessionExpiresAt",
  l.session_ended_at AS "sessionEndedAt", l.token_created_at AS "tokenCreatedAt",
  l.consented_at AS "consentedAt", l.step,
  l.connected_at AS "connectedAt", l.completed_at AS "completedAt"`;

/** A directory that was deleted or deactivated cannot be set up. */
const OF_LIVE = `JOIN dsync.directories d ON d.id = l.directory_id
  AND d.deleted_at IS NULL AND NOT d.deactivated`;
const IS_OPEN = `l.revoked_at IS NULL AND l.completed_at IS NULL AND l.session_ended_at IS NULL
  AND l.session_expires_at > now()`;

/** Finds no row for a directory that was deleted meanwhile, or that has `$9` links that work. */
export const INSERT_LINK: Statement = {
  name: 'dsync_insert_setup_link',
  text: `INSERT INTO dsync.setup_links AS l (id, directory_id, secret_sha256, allow, return_url,
      locale, expires_at, session_seconds, csrf_key, attributes, roles)
    SELECT $1, d.id, $3, $4, $5, $6, now() + $7::integer * interval '1 second', $8, $10, $11, $12
    FROM dsync.directories d WHERE d.id = $2 AND d.deleted_at IS NULL
      AND (SELECT count(*) FROM dsync.setup_links o WHERE o.directory_id = d.id
        AND o.revoked_at IS NULL AND o.completed_at IS NULL AND o.session_ended_at IS NULL
        AND coalesce(o.session_expires_at, o.expires_at) > now()) < $9
    RETURNING ${LINK}`,
};

export const FIND_LINK: Statement = {
  name: 'dsync_find_setup_link',
  text: `SELECT ${LINK} FROM dsync.setup_links l WHERE l.id = $1`,
};

/** Custom attributes that directory `$1` maps. */
export const MAPPED_ATTRIBUTES: Statement = {
  text: `SELECT jsonb_object_keys(d.attribute_mapping) AS name FROM dsync.directories d
    WHERE d.id = $1 AND d.attribute_mapping IS NOT NULL`,
};

/** Newest first; of directory `$1`, or all. */
export const LIST_LINKS: Statement = {
  text: `SELECT ${LINK} FROM dsync.setup_links l
    WHERE $1::uuid IS NULL OR l.directory_id = $1 ORDER BY l.id DESC OFFSET $2 LIMIT $3`,
};

/**
 * Never opened; or opened a moment ago by someone whose cookie has not come back since, perhaps because
 * the answer with it was lost.
 */
const CAN_BE_OPENED = `l.secret_sha256 = $1 AND l.revoked_at IS NULL AND l.session_ended_at IS NULL
  AND l.expires_at > now() AND (l.opened_at IS NULL OR l.reopen_until > now())`;

/** A link that can be opened, by the hash of its secret. */
export const FIND_OPENABLE: Statement = {
  name: 'dsync_find_openable_setup_link',
  text: `SELECT ${LINK} FROM dsync.setup_links l ${OF_LIVE} WHERE ${CAN_BE_OPENED}`,
};

/** As above; no one else opens or enters the link until the transaction ends. */
export const LOCK_OPENABLE: Statement = {
  name: 'dsync_lock_openable_setup_link',
  text: `SELECT ${LINK} FROM dsync.setup_links l ${OF_LIVE} WHERE ${CAN_BE_OPENED} FOR UPDATE OF l`,
};

/** Opens the locked link `$1` as the session `$2`, which replaces one that was never entered. */
export const OPEN_LINK: Statement = {
  name: 'dsync_open_setup_link',
  text: `UPDATE dsync.setup_links l SET session_sha256 = $2,
      opened_at = coalesce(l.opened_at, now()),
      reopen_until = coalesce(l.reopen_until, now() + interval '2 minutes'),
      session_expires_at =
        coalesce(l.session_expires_at, now() + l.session_seconds * interval '1 second')
    WHERE l.id = $1 RETURNING ${LINK}`,
};

/** The link of a session that is open, by the hash of its cookie. */
export const FIND_SESSION: Statement = {
  name: 'dsync_find_setup_session',
  text: `SELECT ${LINK} FROM dsync.setup_links l ${OF_LIVE}
    WHERE l.session_sha256 = $1 AND ${IS_OPEN}`,
};

/**
 * The first request with the cookie of a session: from now on the link cannot be opened again. Finds no
 * row for a cookie that another opening has replaced meanwhile.
 */
export const ENTER_SESSION: Statement = {
  name: 'dsync_enter_setup_session',
  text: `UPDATE dsync.setup_links l SET reopen_until = NULL
    WHERE l.session_sha256 = $1 AND ${IS_OPEN} RETURNING ${LINK}`,
};

/** A session that is open; it stays so until the transaction ends, so that it is not revoked meanwhile. */
export const LOCK_SESSION: Statement = {
  name: 'dsync_lock_setup_session',
  text: `SELECT ${LINK} FROM dsync.setup_links l ${OF_LIVE}
    WHERE l.id = $1 AND ${IS_OPEN} FOR UPDATE OF l`,
};

export const SET_PROVIDER: Statement = {
  text: 'UPDATE dsync.setup_links SET provider = $2 WHERE id = $1',
};

/** Until its first request, a directory of no certain provider takes the type of the one chosen. */
export const SET_TYPE: Statement = {
  text: `UPDATE dsync.directories SET type = $2, revision = revision + 1, updated_at = now()
    WHERE id = $1 AND deleted_at IS NULL AND last_request_at IS NULL AND type <> 'workspace'`,
};

export const SET_STEP: Statement = {
  name: 'dsync_set_setup_step',
  text: 'UPDATE dsync.setup_links SET step = $2 WHERE id = $1',
};

/** A link whose session may have ended, by the hash of its secret or of its cookie. */
export const FIND_BY_SECRET: Statement = {
  name: 'dsync_find_setup_link_by_secret',
  text: `SELECT ${LINK} FROM dsync.setup_links l
    WHERE l.secret_sha256 = $1 OR l.session_sha256 = $1`,
};

export const RECORD_TOKEN: Statement = {
  text: 'UPDATE dsync.setup_links SET token_created_at = now() WHERE id = $1',
};

export const RECORD_CONSENT: Statement = {
  text: 'UPDATE dsync.setup_links SET consented_at = now() WHERE id = $1',
};

export const COMPLETE: Statement = {
  text: 'UPDATE dsync.setup_links l SET completed_at = now() WHERE id = $1',
};

/** Finds no row for a link that was revoked before. */
export const REVOKE: Statement = {
  text: `UPDATE dsync.setup_links l SET revoked_at = now() WHERE l.id = $1 AND l.revoked_at IS NULL
    RETURNING ${LINK}`,
};

/** Ends the session; finds no row for a link that was not opened, or whose session was ended before. */
export const END_SESSION: Statement = {
  text: `UPDATE dsync.setup_links l SET session_ended_at = now()
    WHERE l.id = $1 AND l.opened_at IS NOT NULL AND l.session_ended_at IS NULL RETURNING ${LINK}`,
};

/** Whether a run has read users since the consent to link `l`. */
const HAS_READ = `EXISTS (SELECT FROM dsync.workspace_runs r
  WHERE r.directory_id = l.directory_id AND (r.created_at >= l.consented_at AND r.pages > 0
    OR r.finished_at >= l.consented_at AND r.state = 'succeeded'))`;

/**
 * Sessions whose directory has accepted a request since they were opened, or was read since the consent.
 * The directory records requests once a minute; `$2` is a link of which the log of requests shows it.
 */
export const MARK_CONNECTED: Statement = {
  name: 'dsync_mark_setup_connected',
  text: `UPDATE dsync.setup_links c SET connected_at = now()
    FROM (SELECT l.id, d.id AS directory_id, d.name, d.tenant, d.product
      FROM dsync.setup_links l JOIN dsync.directories d ON d.id = l.directory_id
      WHERE l.opened_at IS NOT NULL AND l.connected_at IS NULL AND l.revoked_at IS NULL
        AND l.opened_at > now() - interval '8 days' AND d.deleted_at IS NULL
        AND (d.last_success_at >= l.opened_at OR l.id = $2
          OR l.consented_at IS NOT NULL AND ${HAS_READ})
      ORDER BY l.opened_at LIMIT $1 FOR UPDATE OF l SKIP LOCKED) seen
    WHERE c.id = seen.id
    RETURNING c.id AS "linkId", seen.directory_id AS id, seen.name, seen.tenant, seen.product`,
};

/** Whether directory `$1` has received users and groups. */
export const RECEIVED: Statement = {
  name: 'dsync_setup_received',
  text: `SELECT EXISTS (SELECT FROM dsync.users WHERE directory_id = $1) AS "hasUsers",
    EXISTS (SELECT FROM dsync.groups WHERE directory_id = $1) AS "hasGroups"`,
};

/** The first groups of directory `$1` by name. */
export const LIST_GROUPS: Statement = {
  name: 'dsync_list_setup_groups',
  text: `SELECT g.id, coalesce(g.display_name, '') AS name FROM dsync.groups g
    WHERE g.directory_id = $1 ORDER BY g.display_name_lower, g.id LIMIT $2`,
};

/** Groups of `$2` that directory `$1` has. */
export const KNOWN_GROUPS: Statement = {
  name: 'dsync_known_setup_groups',
  text: 'SELECT id FROM dsync.groups WHERE directory_id = $1 AND id = ANY ($2::uuid[])',
};

/** Whether no other preview of directory `$1` is under way, until the transaction ends. */
export const LOCK_PREVIEW: Statement = {
  name: 'dsync_lock_setup_preview',
  text: `SELECT pg_try_advisory_xact_lock(hashtextextended('dsync.setup_preview', 0)
    # hashtextextended($1::text, 1)) AS locked`,
};

export const DELETE_OLD: Statement = {
  text: `DELETE FROM dsync.setup_links WHERE id = ANY (ARRAY(SELECT id FROM dsync.setup_links
    WHERE expires_at < now() - interval '90 days' ORDER BY expires_at LIMIT 1000))`,
};
