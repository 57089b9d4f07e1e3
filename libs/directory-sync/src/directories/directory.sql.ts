/** Statements and SQL fragments of the `dsync.directories` table. */
import { ENDPOINT_COLUMNS, KEY_SERVICE_ENDPOINT } from '@gatehouse/delivery';
import { type Statement } from '@gatehouse/kit/sql';

/**
 * The users, groups or directories an operation may see: by tenant and product, directory, or both.
 */
export interface ScopeFilter {
  tenant: string | null;
  product: string | null;
  directoryId: string | null;
}

/** An id that no directory has. */
export const NO_DIRECTORY = '00000000-0000-0000-0000-000000000000';

/** The columns of an AccessRow except its id, of directory `d`. */
export const ACCESS_COLUMNS = `d.revision, d.tenant, d.product, d.type, d.deactivated, d.strict,
  d.put_clears_members AS "putClearsMembers", d.attribute_mapping AS "attributeMapping", d.guard, d.maps_roles AS "mapsRoles", d.capture_until AS "captureUntil",
  d.scim_secret_sha256 AS "scimSecretSha256",
  d.scim_secret_previous_sha256 AS "scimSecretPreviousSha256",
  d.scim_secret_previous_until AS "scimSecretPreviousUntil", d.scim_token_hashes AS "scimTokens",
  EXISTS (SELECT FROM dsync.endpoints p
    WHERE p.source_id = d.id AND p.enabled AND p.state <> 'stopped') AS "isSending",
  EXISTS (SELECT FROM dsync.endpoints p
    WHERE p.source_id = d.id AND p.id = '${KEY_SERVICE_ENDPOINT}') AS "isLinked"`;

/** The condition of a ScopeFilter on directory `d`; its values are `$1` to `$3`. */
export const SCOPE_CONDITION = `d.deleted_at IS NULL
  AND ($1::text IS NULL OR d.tenant = $1) AND ($2::text IS NULL OR d.product = $2)
  AND ($3::uuid IS NULL OR d.id = $3)`;

export function scopeValues({ tenant, product, directoryId }: ScopeFilter): unknown[] {
  return [tenant, product, directoryId];
}

/**
 * The ids of the newest rows of a table in a ScopeFilter, with offset `$4` and limit `$5`. Each
 * directory contributes its newest rows from the primary key, so the statement never reads rows
 * of the table beyond the page.
 */
export const newestIds = (table: 'users' | 'groups') =>
  newestOf(`SELECT r.id FROM dsync.${table} r WHERE r.directory_id = d.id ORDER BY r.id DESC`);

/** The same for users that have a role by the mapping of their directory. */
export const newestIdsWithRole = (role: string) =>
  newestOf(`SELECT r.user_id AS id FROM dsync.user_roles r
    WHERE r.directory_id = d.id AND r.role = ${role} ORDER BY r.user_id DESC`);

/** The same for users that a condition on user `r` finds, in a directory `d` of the scope. */
export const newestIdsFound = (condition: string) =>
  newestOf(`SELECT r.id FROM dsync.users r WHERE ${condition} ORDER BY r.id DESC`);

const newestOf = (rows: string) =>
  `SELECT newest.id FROM dsync.directories d
    CROSS JOIN LATERAL (${rows} LIMIT $4::bigint + $5::bigint) newest
    WHERE ${SCOPE_CONDITION}
    ORDER BY newest.id DESC OFFSET $4 LIMIT $5`;

/**
 * True if a row found by id belongs to directory `$1`. Written so that no index matches: the row
 * is looked up by id, never among all rows of a directory (ADR 0022).
 */
export const inDirectory = (alias: string) => `(${alias}.directory_id = $1) IS TRUE`;

export const ACCESS: Statement = {
  name: 'dsync_directory_access',
  text: `SELECT d.id, ${ACCESS_COLUMNS}
    FROM dsync.directories d WHERE d.id = $1 AND d.deleted_at IS NULL`,
};

export const REVISION: Statement = {
  name: 'dsync_directory_revision',
  text: 'SELECT revision FROM dsync.directories WHERE id = $1 AND deleted_at IS NULL',
};

/** A new revision, because what SCIM requests cache says whether there are endpoints to wake. */
export const LOCK_FOR_ENDPOINTS: Statement = {
  text: `UPDATE dsync.directories SET revision = revision + 1
    WHERE id = $1 AND deleted_at IS NULL RETURNING deactivated`,
};

/**
 * The endpoints of a ScopeFilter in state `$4`, or in any, with their directories, the newest directory
 * first. Without a name: a plan for any values would not begin with the tenant or the product.
 */
export const LIST_ENDPOINTS: Statement = {
  text: `SELECT ${ENDPOINT_COLUMNS}, d.name AS "directoryName", d.tenant, d.product
    FROM dsync.directories d JOIN dsync.endpoints e ON e.source_id = d.id
    WHERE ${SCOPE_CONDITION} AND e.url <> '' AND ($4::text IS NULL OR e.state = $4)
    ORDER BY d.created_at DESC, d.id DESC, e.created_at, e.id OFFSET $5 LIMIT $6`,
};

export const INSERT_DIRECTORY: Statement = {
  text: `INSERT INTO dsync.directories (id, name, tenant, product, type, attribute_mapping,
      scim_secret_sealed, scim_secret_sha256, strict, put_clears_members)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
};

export const COUNT_IGNORED: Statement = {
  name: 'dsync_count_ignored_members',
  text: `UPDATE dsync.directories SET ignored_members = ignored_members + $2 WHERE id = $1`,
};

const HALF_A_MINUTE_AGO = `now() - interval '30 seconds'`;

/**
 * Records a request, and why it was refused (`$2`), or null; and the use of the secret with the hash `$4`:
 * of token `$3`, or of the directory. A repeat of the last outcome is recorded twice a minute at most; the
 * row decides whether it is one, because other processes record requests, too. Changes no revision: nothing
 * that is cached depends on it. The hash decides, so that a request during a rotation does not count for the
 * new secret.
 */
export const TOUCH: Statement = {
  name: 'dsync_touch_directory',
  text: `WITH used AS (
      UPDATE dsync.scim_tokens SET
        last_used_at = CASE WHEN sha256 = $4::bytea THEN now() ELSE last_used_at END,
        previous_used_at = CASE WHEN previous_sha256 = $4 THEN now() ELSE previous_used_at END
      WHERE directory_id = $1 AND id = $3::uuid
        AND coalesce(CASE WHEN sha256 = $4 THEN last_used_at
          WHEN previous_sha256 = $4 THEN previous_used_at
          ELSE now() END < ${HALF_A_MINUTE_AGO}, true))
    UPDATE dsync.directories SET last_request_at = now(), quiet_at = NULL,
      last_success_at = CASE WHEN $2::text IS NULL THEN now() ELSE last_success_at END,
      last_error_at = CASE WHEN $2::text IS NULL THEN last_error_at ELSE now() END,
      last_error = coalesce($2, last_error),
      scim_secret_used_at = CASE WHEN scim_secret_sha256 = $4 THEN now()
        ELSE scim_secret_used_at END
    WHERE id = $1
      AND (CASE WHEN $2::text IS NULL
          THEN last_success_at >= greatest(last_error_at, ${HALF_A_MINUTE_AGO})
          ELSE last_error_at > greatest(last_success_at, ${HALF_A_MINUTE_AGO}) END IS NOT TRUE
        OR scim_secret_sha256 = $4
          AND coalesce(scim_secret_used_at < ${HALF_A_MINUTE_AGO}, true))`,
};

/** A directory without a SCIM secret accepts its tokens only. */
export const RETIRE_SECRET: Statement = {
  text: `UPDATE dsync.directories SET scim_secret_sealed = NULL, scim_secret_sha256 = NULL,
      scim_secret_previous_sha256 = NULL, scim_secret_previous_until = NULL, updated_at = now()
    WHERE id = $1 AND scim_secret_sha256 IS NOT NULL RETURNING id`,
};

/** Directories without a request for `$1` seconds, each once until its next request. */
export const MARK_QUIET: Statement = {
  text: `UPDATE dsync.directories q SET quiet_at = now()
    FROM (SELECT d.id FROM dsync.directories d
      WHERE d.deleted_at IS NULL AND NOT d.deactivated AND d.quiet_at IS NULL
        AND d.last_request_at < now() - $1::float * interval '1 second'
      ORDER BY d.last_request_at LIMIT $2 FOR UPDATE SKIP LOCKED) quiet
    WHERE q.id = quiet.id
    RETURNING q.id, q.name, q.tenant, q.product, q.last_request_at AS "lastRequestAt"`,
};

export const DELETED_IDS: Statement = {
  text: 'SELECT id FROM dsync.directories WHERE deleted_at IS NOT NULL ORDER BY deleted_at LIMIT 100',
};

/** By then, every statement that saw a deleted directory alive has ended. */
export const PURGED_AFTER = `interval '10 minutes'`;

export const DELETE_PURGED: Statement = {
  text: `DELETE FROM dsync.directories WHERE id = $1 AND deleted_at < now() - ${PURGED_AFTER}`,
};

export const PURGE_BATCH_ROWS = 5_000;

const OF_DIRECTORY = 'directory_id = $1';
const WITHOUT_CHANNELS =
  'NOT EXISTS (SELECT FROM dsync.workspace_channels h WHERE h.directory_id = $1)';
const IS_DELETED =
  'EXISTS (SELECT FROM dsync.directories d WHERE d.id = $1 AND d.deleted_at IS NOT NULL)';
const OF_SOURCE = 'source_id = $1';
const OF_GROUPS = 'group_id IN (SELECT id FROM dsync.groups WHERE directory_id = $1)';

/**
 * Statements that delete a batch of rows of directory `$1` and count them, children first. None deletes
 * anything of a directory that is there: once it is purged, an import can bring its id back, while another
 * process is still purging.
 */
export const PURGE_BATCHES: readonly Statement[] = [
  purgeBatch('scim_tokens', OF_DIRECTORY),
  purgeBatch('workspace_authorizations', OF_DIRECTORY),
  // The worker closes the channels with them; what it leaves goes with the directory.
  purgeBatch('workspace_connections', `${OF_DIRECTORY} AND ${WITHOUT_CHANNELS}`),
  purgeBatch('delivery_attempts', OF_SOURCE, 'id, at'),
  purgeBatch('events', OF_SOURCE, 'sequence, created_at'),
  purgeBatch('scim_requests', OF_DIRECTORY, 'id, at'),
  purgeBatch('scim_request_hours', OF_DIRECTORY),
  purgeBatch('scim_clients', OF_DIRECTORY),
  purgeBatch('setup_links', OF_DIRECTORY),
  purgeBatch('endpoints', OF_SOURCE),
  purgeBatch('workspace_members', OF_DIRECTORY),
  purgeBatch('workspace_groups', OF_DIRECTORY),
  purgeBatch('workspace_users', OF_DIRECTORY),
  purgeBatch('workspace_runs', OF_DIRECTORY),
  purgeBatch('workspace_settings', OF_DIRECTORY),
  purgeBatch('imported_resources', OF_DIRECTORY),
  purgeBatch('imports', OF_DIRECTORY),
  purgeBatch('held_removals', OF_DIRECTORY),
  purgeBatch('guard_windows', OF_DIRECTORY),
  purgeBatch('role_mappings', OF_DIRECTORY),
  purgeBatch('user_roles', OF_DIRECTORY),
  purgeBatch('group_members', OF_GROUPS),
  purgeBatch('groups', OF_DIRECTORY),
  purgeBatch('users', OF_DIRECTORY),
];

/** @param key the primary key of a partitioned table, whose row locations are not unique */
function purgeBatch(table: string, condition: string, key?: string): Statement {
  const batch = (columns: string) =>
    `SELECT ${columns} FROM dsync.${table} WHERE ${condition} AND ${IS_DELETED} LIMIT ${PURGE_BATCH_ROWS}`;
  const isInBatch = key ? `(${key}) IN (${batch(key)})` : `ctid = ANY (ARRAY(${batch('ctid')}))`;
  return {
    text: `WITH gone AS (
        DELETE FROM dsync.${table} WHERE ${isInBatch}
        RETURNING 1)
      SELECT count(*) FROM gone`,
  };
}
