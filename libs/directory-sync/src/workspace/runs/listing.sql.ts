/**
 * Statements that store pages of a listing: `$1` is the directory, `$2` the run. A page that comes
 * twice changes nothing. Each statement returns how many of its items this run had seen before.
 */
import { type Statement } from '@gatehouse/kit/sql';

const KNOWN = (table: string, key: string, ids: string) =>
  `known AS MATERIALIZED (SELECT count(*)::integer AS count FROM dsync.${table} w
    WHERE w.directory_id = $1 AND w.${key} = ANY (${ids}) AND w.seen_run = $2)`;

/** A resource is kept only while it waits to be applied, so that the table stays small. */
const WAITING = `CASE WHEN w.applied_hash IS DISTINCT FROM excluded.listed_hash THEN excluded.resource END`;

/** Ids, hashes, resources. */
export const STORE_USERS: Statement = {
  name: 'dsync_store_workspace_users',
  text: `WITH ${KNOWN('workspace_users', 'external_id', '$3::text[]')},
    stored AS (
      INSERT INTO dsync.workspace_users AS w (directory_id, external_id, listed_hash, resource, seen_run)
      SELECT $1, p.id, p.hash, p.resource, $2
      FROM unnest($3::text[], $4::text[], $5::jsonb[]) AS p (id, hash, resource)
      ON CONFLICT (directory_id, external_id) DO UPDATE
        SET listed_hash = excluded.listed_hash, resource = ${WAITING}, seen_run = excluded.seen_run,
          failure = NULL)
    SELECT count FROM known`,
};

/** Ids, hashes, resources, whether each is chosen, and its names as a JSON array. */
export const STORE_GROUPS: Statement = {
  name: 'dsync_store_workspace_groups',
  text: `WITH ${KNOWN('workspace_groups', 'external_id', '$3::text[]')},
    stored AS (
      INSERT INTO dsync.workspace_groups AS w (directory_id, external_id, listed_hash, resource,
        chosen, names, seen_run)
      SELECT $1, p.id, p.hash, p.resource, p.chosen,
        ARRAY(SELECT jsonb_array_elements_text(p.names)), $2
      FROM unnest($3::text[], $4::text[], $5::jsonb[], $6::boolean[], $7::jsonb[])
        AS p (id, hash, resource, chosen, names)
      ON CONFLICT (directory_id, external_id) DO UPDATE
        SET listed_hash = excluded.listed_hash, resource = ${WAITING}, chosen = excluded.chosen,
          names = excluded.names, seen_run = excluded.seen_run, failure = NULL)
    SELECT count FROM known`,
};

/** Group, ids of members, whether each is a group. */
export const STORE_MEMBERS: Statement = {
  name: 'dsync_store_workspace_members',
  text: `WITH known AS MATERIALIZED (SELECT count(*)::integer AS count FROM dsync.workspace_members w
      WHERE w.directory_id = $1 AND w.group_external_id = $3
        AND w.member_external_id = ANY ($4::text[]) AND w.seen_run = $2),
    stored AS (
      INSERT INTO dsync.workspace_members (directory_id, group_external_id, member_external_id,
        is_group, seen_run)
      SELECT $1, $3, p.id, p.is_group, $2 FROM unnest($4::text[], $5::boolean[]) AS p (id, is_group)
      ON CONFLICT (directory_id, group_external_id, member_external_id) DO UPDATE
        SET is_group = excluded.is_group, seen_run = excluded.seen_run)
    SELECT count FROM known`,
};

/** A group that is gone at the provider; the run counts as none. */
export const UNLIST_GROUP: Statement = {
  text: `UPDATE dsync.workspace_groups SET seen_run = '00000000-0000-0000-0000-000000000000'
    WHERE directory_id = $1 AND external_id = $3 AND seen_run = $2 RETURNING 0 AS count`,
};

/** The next group whose members are listed, after `$3`; groups that are not chosen too if `$4`. */
export const NEXT_LISTED_GROUP: Statement = {
  name: 'dsync_next_workspace_group',
  text: `SELECT g.external_id AS id FROM dsync.workspace_groups g
    WHERE g.directory_id = $1 AND g.seen_run = $2 AND g.external_id > $3 AND (g.chosen OR $4)
    ORDER BY g.external_id LIMIT 1`,
};

/** Whether something that is stored was not listed. */
export const IS_MISSING_USERS: Statement = {
  text: `SELECT EXISTS (SELECT FROM dsync.workspace_users w
    WHERE w.directory_id = $1 AND w.seen_run <> $2 AND w.user_id IS NOT NULL) AS missing`,
};

export const IS_MISSING_GROUPS: Statement = {
  text: `SELECT EXISTS (SELECT FROM dsync.workspace_groups w
    WHERE w.directory_id = $1 AND w.seen_run <> $2 AND w.group_id IS NOT NULL) AS missing`,
};

const unseen = (table: string, condition = ''): Statement => ({
  text: `WITH deleted AS (DELETE FROM dsync.${table} WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM dsync.${table} WHERE directory_id = $1 AND seen_run <> $2 ${condition} LIMIT $3))
      RETURNING 1)
    SELECT count(*)::integer AS count FROM deleted`,
});

/** Deletes at most `$3` entries that run `$2` did not list and that were never applied. */
export const DELETE_UNSEEN: readonly Statement[] = [
  unseen('workspace_members'),
  unseen('workspace_users', 'AND user_id IS NULL'),
  unseen('workspace_groups', 'AND group_id IS NULL'),
];
