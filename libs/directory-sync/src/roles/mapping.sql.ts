/** Statements of role mappings and their rules; `$1` is the mapping, whose id is that of its directory. */
import { type Statement } from '@gatehouse/kit/sql';

/** Users that were deleted while a mapping began, and changes that began before it, end within. */
const SETTLED_AFTER = `interval '10 minutes'`;

/**
 * For the rest of the transaction, PostgreSQL does not compile statements: for those of roles it would
 * take far longer than to run them, and their estimated cost says nothing.
 */
const WITHOUT_JIT = `set_config('jit', 'off', true) AS jit`;

/**
 * The mapping of a directory, locked until the end of the transaction. Whatever changes users, groups
 * or rules of a directory with a mapping locks it first, so that roles are computed one after the other.
 * `position` is the newest number of an event before the change.
 */
export const LOCK_MAPPING: Statement = {
  name: 'dsync_lock_role_mapping',
  text: `SELECT m.default_role AS "defaultRole",
      coalesce(pg_sequence_last_value('dsync.event_sequence'), 0) AS position, ${WITHOUT_JIT}
    FROM dsync.role_mappings m WHERE m.id = $1 FOR NO KEY UPDATE`,
};

export const FIND_MAPPING: Statement = {
  text: `SELECT m.default_role, m.mode, m.state, m.users_total, m.users_processed, m.users_changed,
      m.updated_at, m.applied_at
    FROM dsync.role_mappings m WHERE m.id = $1`,
};

export const LIST_RULES: Statement = {
  text: `SELECT r.group_id AS id, r.external_id, r.display_name, r.role, r.priority,
      (SELECT count(*)::integer FROM dsync.role_groups g
        WHERE g.mapping_id = r.mapping_id AND g.number = r.number) AS groups
    FROM dsync.role_rules r WHERE r.mapping_id = $1 ORDER BY r.number`,
};

/**
 * Directory, default role, mode, state. A mapping that is new is applied a second time later: what was
 * under way when it began did not know of it.
 */
export const STORE_MAPPING: Statement = {
  text: `INSERT INTO dsync.role_mappings AS m (id, directory_id, default_role, mode, state, users_total,
      settles_at)
    SELECT $1, $2, $3, $4, $5, (SELECT count(*) FROM dsync.users u WHERE u.directory_id = $2),
      now() + ${SETTLED_AFTER}
    ON CONFLICT (id, directory_id) DO UPDATE SET default_role = excluded.default_role, mode = excluded.mode,
      state = excluded.state, users_total = excluded.users_total, users_processed = 0,
      users_changed = 0, position = DEFAULT, updated_at = now(), applied_at = NULL`,
};

/** Gives all users their roles anew. A mapping that is being removed stays so. */
export const APPLY_AGAIN: Statement = {
  name: 'dsync_apply_roles_again',
  text: `UPDATE dsync.role_mappings m SET state = 'applying', position = DEFAULT, users_processed = 0,
      users_changed = 0, updated_at = now(), applied_at = NULL,
      users_total = (SELECT count(*) FROM dsync.users u WHERE u.directory_id = m.directory_id)
    WHERE m.id = $1 AND m.state <> 'removing'`,
};

/** Members of the groups `$1`, those of several groups once for each. */
export const COUNT_MEMBERS: Statement = {
  name: 'dsync_count_members_of_role_groups',
  text: `SELECT coalesce(sum(g.member_count), 0)::integer AS members FROM dsync.groups g
    WHERE g.id = ANY ($1::uuid[])`,
};

/** Inserts the mapping of a preview, which is rolled back. */
export const INSERT_PREVIEW: Statement = {
  text: `INSERT INTO dsync.role_mappings (id, directory_id, default_role, mode, state)
    VALUES ($1, $2, $3, $4, 'applied') RETURNING ${WITHOUT_JIT}`,
};

export const DELETE_RULES: Statement = {
  text: 'DELETE FROM dsync.role_rules WHERE mapping_id = $1',
};

/** Group ids, external ids, display names, folded display names, roles, priorities; the directory. */
export const INSERT_RULES: Statement = {
  text: `INSERT INTO dsync.role_rules (mapping_id, directory_id, number, group_id, external_id,
      display_name, display_name_lower, role, priority)
    SELECT $1, $8::uuid, n.number, n.group_id, n.external_id, n.display_name, n.lower, n.role, n.priority
    FROM unnest($2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::integer[])
      WITH ORDINALITY AS n (group_id, external_id, display_name, lower, role, priority, number)`,
};

/** Records whether directory `$1` has a mapping. The caller has changed its revision. */
export const SET_MAPS_ROLES: Statement = {
  text: 'UPDATE dsync.directories SET maps_roles = $2 WHERE id = $1',
};

/**
 * Takes the runs of the directory `$1` from their processes, which would not know of the mapping. The
 * next process goes on with them.
 */
export const INTERRUPT_RUNS: Statement = {
  text: `UPDATE dsync.workspace_runs SET leased_by = NULL, leased_until = NULL
    WHERE directory_id = $1 AND state IN ('queued', 'listing', 'applying', 'held')`,
};

/** Rule and group: more pairs than a mapping may have are not stored. */
export const ROLE_GROUPS_MAX = 20_000;

/**
 * Finds the groups to which the rules of `$1` apply in the directory `$2`: those that they name, and the
 * groups inside them. UNION leaves out what was found before, so that circles end. Changes the stored
 * ones and returns the groups that a rule has begun or ceased to apply to.
 */
export const REFRESH_GROUPS: Statement = {
  name: 'dsync_refresh_role_groups',
  text: `WITH RECURSIVE found AS (
      SELECT named.number, named.id FROM (
        SELECT r.number, g.id FROM dsync.role_rules r
        JOIN dsync.groups g ON g.id = r.group_id AND (g.directory_id = $2) IS TRUE
        WHERE r.mapping_id = $1
        UNION ALL
        SELECT r.number, g.id FROM dsync.role_rules r
        JOIN dsync.groups g ON g.directory_id = $2 AND g.external_id = r.external_id
        WHERE r.mapping_id = $1
        UNION ALL
        SELECT r.number, g.id FROM dsync.role_rules r
        JOIN dsync.groups g ON g.directory_id = $2 AND g.display_name_lower = r.display_name_lower
        WHERE r.mapping_id = $1) named
      UNION
      SELECT f.number, m.subgroup_id FROM found f
      JOIN dsync.group_members m ON m.group_id = f.id AND m.subgroup_id IS NOT NULL),
    bounded AS MATERIALIZED (SELECT number, id FROM found LIMIT ${ROLE_GROUPS_MAX + 1}),
    ended AS (
      DELETE FROM dsync.role_groups x
      WHERE x.mapping_id = $1
        AND (x.number, x.group_id) NOT IN (SELECT b.number, b.id FROM bounded b)
      RETURNING x.group_id),
    begun AS (
      INSERT INTO dsync.role_groups (mapping_id, directory_id, group_id, number)
      SELECT $1, $2::uuid, b.id, b.number FROM bounded b
      ON CONFLICT DO NOTHING
      RETURNING group_id)
    SELECT (SELECT count(*)::integer FROM bounded) AS count,
      ARRAY(SELECT group_id FROM ended UNION SELECT group_id FROM begun) AS "changedIds"`,
};

/** Mappings whose users have to be processed: new rules first. */
export const DUE_MAPPINGS: Statement = {
  text: `SELECT m.id FROM dsync.role_mappings m JOIN dsync.directories d ON d.id = m.directory_id
    WHERE d.deleted_at IS NULL AND (m.state <> 'applied' OR m.settles_at <= now())
    ORDER BY m.state = 'applied', m.updated_at LIMIT $1`,
};

/** Locks a mapping that is due; empty if it is not. */
export const LOCK_DUE: Statement = {
  text: `SELECT m.position, m.state, ${WITHOUT_JIT} FROM dsync.role_mappings m
    JOIN dsync.directories d ON d.id = m.directory_id
    WHERE m.id = $1 AND d.deleted_at IS NULL AND (m.state <> 'applied' OR m.settles_at <= now())
    FOR NO KEY UPDATE OF m`,
};

/** Position, users processed, users changed. */
export const SAVE_POSITION: Statement = {
  text: `UPDATE dsync.role_mappings SET position = $2,
      users_processed = users_processed + CASE WHEN state = 'applied' THEN 0 ELSE $3::integer END,
      users_changed = users_changed + $4::integer
    WHERE id = $1`,
};

/** After the last user: the second time through, the mapping is settled. */
export const FINISH: Statement = {
  text: `UPDATE dsync.role_mappings SET position = DEFAULT,
      settles_at = CASE WHEN state = 'applied' THEN NULL ELSE settles_at END,
      applied_at = coalesce(applied_at, now()), state = 'applied'
    WHERE id = $1`,
};

/** Roles of users that were deleted by a request that did not know of the mapping. */
export const DELETE_ORPHANS: Statement = {
  text: `DELETE FROM dsync.user_roles r WHERE r.directory_id = $1
    AND NOT EXISTS (SELECT FROM dsync.users u WHERE u.id = r.user_id)`,
};

export const DELETE_MAPPING: Statement = {
  text: 'DELETE FROM dsync.role_mappings WHERE id = $1',
};

export const DELETE_ROLES: Statement = {
  text: 'DELETE FROM dsync.user_roles WHERE directory_id = $1',
};
