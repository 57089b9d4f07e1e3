/**
 * Statements of imports; `$1` is the directory. Rows of users and groups are given as one JSON array, so
 * that a batch costs one statement. None of them logs events: the source has sent those.
 */
import { type Statement } from '@gatehouse/kit/sql';
import { inDirectory, PURGED_AFTER } from '../directories/directory.sql.js';
import { type ResourceKind } from './import.types.js';

/** One import at a time, and a source may be slower between two batches than a request may be. */
export const BEGIN: readonly Statement[] = [
  { text: `SET LOCAL idle_in_transaction_session_timeout = '5min'` },
  { text: `SELECT pg_advisory_xact_lock(hashtext('dsync.imports'))` },
];

export const FIND_DIRECTORY: Statement = {
  text: `SELECT d.tenant, d.product, d.revision, d.deleted_at + ${PURGED_AFTER} AS "purgedAt",
      i.revision AS "importedRevision", encode(i.hash, 'hex') AS hash,
      i.activated_at IS NOT NULL AS "isActivated", i.directory_id IS NOT NULL AS "isImported"
    FROM dsync.directories d LEFT JOIN dsync.imports i ON i.directory_id = d.id
    WHERE d.id = $1`,
};

/** Locks the directory against changes by administrators, before anything is compared. */
export const LOCK_DIRECTORY: Statement = {
  text: 'SELECT FROM dsync.directories WHERE id = $1 FOR NO KEY UPDATE',
};

export const DEACTIVATE: Statement = {
  text: 'UPDATE dsync.directories SET deactivated = true WHERE id = $1',
};

export const CHANGE_DIRECTORY: Statement = {
  text: `UPDATE dsync.directories SET name = $2, deactivated = $3, revision = revision + 1,
      updated_at = now()
    WHERE id = $1`,
};

export const SAVE_IMPORT: Statement = {
  text: `INSERT INTO dsync.imports (directory_id, hash, revision)
    SELECT d.id, decode($2, 'hex'), d.revision FROM dsync.directories d WHERE d.id = $1
    ON CONFLICT (directory_id) DO UPDATE SET hash = excluded.hash, revision = excluded.revision`,
};

export const SAVE_TIME: Statement = {
  text: 'UPDATE dsync.imports SET imported_at = now() WHERE directory_id = $1',
};

export const ROOM: Statement = {
  text: `SELECT reserved_users::float AS users, reserved_groups::float AS groups,
      reserved_bytes::float AS bytes
    FROM dsync.directories WHERE id = $1`,
};

const TABLES = { user: 'users', group: 'groups' } as const;

/** Resources of the ids `$2` that were imported before, with their present version (null if deleted). */
export const knownOf = (kind: ResourceKind): Statement => ({
  text: `SELECT r.id, encode(r.hash, 'hex') AS hash, r.version, t.version AS current,
      t.raw_bytes AS bytes, r.members
    FROM dsync.imported_resources r LEFT JOIN dsync.${TABLES[kind]} t
      ON t.id = r.id AND ${inDirectory('t')}
    WHERE r.directory_id = $1 AND r.kind = '${kind}' AND r.id = ANY ($2::uuid[])`,
});

/** Ids of `$1` that a user or group of any directory has. */
export const TAKEN_IDS: Statement = {
  text: `SELECT id FROM dsync.users WHERE id = ANY ($1::uuid[])
    UNION ALL SELECT id FROM dsync.groups WHERE id = ANY ($1::uuid[])`,
};

/** The columns of each kind that an import writes, with their types. */
const COLUMNS = {
  user: {
    raw: 'jsonb',
    user_name: 'text',
    user_name_lower: 'text',
    external_id: 'text',
    display_name: 'text',
    display_name_lower: 'text',
    emails_lower: 'text[]',
    first_name: 'text',
    last_name: 'text',
    email: 'text',
    active: 'boolean',
  },
  group: {
    raw: 'jsonb',
    display_name: 'text',
    display_name_lower: 'text',
    unique_name: 'text',
    external_id: 'text',
  },
} as const;

export const columnNames = (kind: ResourceKind): string[] => Object.keys(COLUMNS[kind]);

function recordset(kind: ResourceKind): string {
  const types = Object.entries(COLUMNS[kind]).map(([name, type]) => `${name} ${type}`);
  return `json_to_recordset($2::json) AS r (id uuid, version integer, ${types.join(', ')})`;
}

/** Leaves out those whose name is taken. */
export const insertOf = (kind: ResourceKind): Statement => {
  const names = columnNames(kind);
  return {
    text: `INSERT INTO dsync.${TABLES[kind]} (directory_id, id, ${names.join(', ')})
      SELECT $1, r.id, ${names.map((name) => `r.${name}`).join(', ')} FROM ${recordset(kind)}
      ON CONFLICT DO NOTHING RETURNING id, raw_bytes AS bytes`,
  };
};

/** Changes those that still have their version. */
export const updateOf = (kind: ResourceKind): Statement => ({
  text: `UPDATE dsync.${TABLES[kind]} t SET version = t.version + 1, updated_at = now(),
      ${columnNames(kind)
        .map((name) => `${name} = r.${name}`)
        .join(', ')}
    FROM ${recordset(kind)}
    WHERE t.id = r.id AND t.version = r.version AND ${inDirectory('t')}
    RETURNING t.id, t.raw_bytes AS bytes`,
});

/** Records that what was written is as at the source. */
export const saveOf = (kind: ResourceKind): Statement => ({
  text: `INSERT INTO dsync.imported_resources (directory_id, kind, id, hash, version)
    SELECT $1, '${kind}', r.id, decode(r.hash, 'hex'), t.version
    FROM json_to_recordset($2::json) AS r (id uuid, hash text)
    JOIN dsync.${TABLES[kind]} t ON t.id = r.id AND ${inDirectory('t')}
    ON CONFLICT (directory_id, kind, id)
      DO UPDATE SET hash = excluded.hash, version = excluded.version`,
});

/** A page of the ids that were imported, after `$2`. */
export const importedIds = (kind: ResourceKind): Statement => ({
  text: `SELECT id FROM dsync.imported_resources
    WHERE directory_id = $1 AND kind = '${kind}' AND id > $2 ORDER BY id LIMIT 10000`,
});

export const FORGET: Statement = {
  text: `DELETE FROM dsync.imported_resources
    WHERE directory_id = $1 AND kind = $2 AND id = ANY ($3::uuid[])`,
};

/** Deletes users with their memberships, if they are as they were imported: `$2` ids, `$3` versions. */
export const DELETE_USERS: Statement = {
  text: `WITH target AS MATERIALIZED (
      SELECT u.id, u.raw_bytes FROM unnest($2::uuid[], $3::integer[]) w (id, version)
      JOIN dsync.users u ON u.id = w.id AND u.version = w.version AND ${inDirectory('u')}
      FOR UPDATE OF u),
    ended AS (
      DELETE FROM dsync.group_members m USING target t WHERE m.user_id = t.id
      RETURNING m.group_id),
    bumped AS (
      UPDATE dsync.groups g SET version = g.version + 1, member_count = g.member_count - e.count,
        updated_at = now()
      FROM (SELECT group_id, count(*)::integer FROM ended GROUP BY group_id) e
      WHERE g.id = e.group_id
      RETURNING g.id, g.version),
    followed AS (
      UPDATE dsync.imported_resources r SET version = b.version FROM bumped b
      WHERE r.directory_id = $1 AND r.kind = 'group' AND r.id = b.id
        AND r.version = b.version - 1),
    without_roles AS (DELETE FROM dsync.user_roles r USING target t WHERE r.user_id = t.id)
    DELETE FROM dsync.users u USING target t WHERE u.id = t.id
    RETURNING u.id, t.raw_bytes AS bytes`,
};

export const DELETE_GROUPS: Statement = {
  text: `WITH target AS MATERIALIZED (
      SELECT g.id, g.raw_bytes FROM unnest($2::uuid[], $3::integer[]) w (id, version)
      JOIN dsync.groups g ON g.id = w.id AND g.version = w.version AND ${inDirectory('g')}
      WHERE NOT EXISTS (SELECT FROM dsync.group_members m WHERE m.subgroup_id = g.id)
      FOR UPDATE OF g),
    ended AS (
      DELETE FROM dsync.group_members m USING target t WHERE m.group_id = t.id)
    DELETE FROM dsync.groups g USING target t WHERE g.id = t.id
    RETURNING g.id, t.raw_bytes AS bytes`,
};

const PAIRS = 'unnest($2::uuid[], $3::uuid[]) w (group_id, member_id)';

/** Adds members, `$2` groups and `$3` members, and returns those that are in the directory. */
export const ADD_MEMBERS: Statement = {
  text: `WITH found AS MATERIALIZED (
      SELECT w.group_id, u.id AS user_id, NULL::uuid AS subgroup_id
      FROM ${PAIRS} JOIN dsync.users u ON u.id = w.member_id AND ${inDirectory('u')}
      UNION
      SELECT w.group_id, NULL, n.id
      FROM ${PAIRS} JOIN dsync.groups n ON n.id = w.member_id AND ${inDirectory('n')}
      WHERE n.id <> w.group_id),
    added AS (
      INSERT INTO dsync.group_members (directory_id, group_id, user_id, subgroup_id)
      SELECT $1, group_id, user_id, subgroup_id FROM found
      ON CONFLICT DO NOTHING RETURNING group_id, member_id)
    SELECT f.group_id AS "groupId", coalesce(f.user_id, f.subgroup_id) AS "memberId",
      EXISTS (SELECT FROM added a WHERE a.group_id = f.group_id
        AND a.member_id = coalesce(f.user_id, f.subgroup_id)) AS "isNew"
    FROM found f`,
};

export const REMOVE_MEMBERS: Statement = {
  text: `DELETE FROM dsync.group_members m USING ${PAIRS}
    WHERE m.group_id = w.group_id AND m.member_id = w.member_id AND ${inDirectory('m')}
    RETURNING m.group_id AS "groupId", m.member_id AS "memberId"`,
};

export const LOCK_GROUPS: Statement = {
  text: `SELECT FROM dsync.groups g WHERE g.id = ANY ($2::uuid[]) AND ${inDirectory('g')}
    ORDER BY g.id FOR NO KEY UPDATE`,
};

/**
 * Counts the members of the groups `$2`, whose members have changed; they get a new version, except `$3`,
 * which are new. A group that was as imported stays so.
 */
export const COUNT_MEMBERS: Statement = {
  text: `WITH counted AS (
      UPDATE dsync.groups g SET updated_at = now(),
        version = CASE WHEN g.id = ANY ($3::uuid[]) THEN g.version ELSE g.version + 1 END,
        member_count = (SELECT count(*) FROM dsync.group_members m WHERE m.group_id = g.id)
      WHERE g.id = ANY ($2::uuid[]) AND ${inDirectory('g')}
      RETURNING g.id, g.version)
    UPDATE dsync.imported_resources r SET version = c.version FROM counted c
    WHERE r.directory_id = $1 AND r.kind = 'group' AND r.id = c.id AND r.version = c.version - 1`,
};

/** Records the members that a group had at the source. */
export const SAVE_MEMBERS: Statement = {
  text: `UPDATE dsync.imported_resources SET members = $3::uuid[]
    WHERE directory_id = $1 AND kind = 'group' AND id = $2`,
};

export const ADD_SAVED_MEMBER: Statement = {
  text: `UPDATE dsync.imported_resources SET members = array_append(members, $3::uuid)
    WHERE directory_id = $1 AND kind = 'group' AND id = $2`,
};

export const UNFINISHED: Statement = {
  text: `SELECT d.id, d.tenant, d.product FROM dsync.imports i
    JOIN dsync.directories d ON d.id = i.directory_id
    WHERE i.activated_at IS NULL AND d.deleted_at IS NULL
      AND ($1::uuid[] IS NULL OR d.id = ANY ($1)) ORDER BY i.directory_id`,
};

/** Keeps an import from being completed while its directory is deleted. No row if it is complete. */
export const LOCK_UNFINISHED: Statement = {
  text: 'SELECT FROM dsync.imports WHERE directory_id = $1 AND activated_at IS NULL FOR UPDATE',
};

/** How many events wait for the activation, which are what providers have sent here. */
export const WAITING_EVENTS: Statement = {
  text: `SELECT count(*)::integer AS count FROM (
      SELECT FROM dsync.events WHERE source_id = $1 LIMIT 10000) e`,
};

export const MARK_ACTIVATED: Statement = {
  text: `UPDATE dsync.imports SET activated_at = now()
    WHERE directory_id = $1 AND activated_at IS NULL RETURNING directory_id`,
};

/** Deletes a batch of what is not compared any more. */
export const FORGET_ALL: Statement = {
  text: `DELETE FROM dsync.imported_resources WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM dsync.imported_resources WHERE directory_id = $1 LIMIT 5000))
    RETURNING 1`,
};
