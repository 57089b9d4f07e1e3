/** Statements of key links; `$1` and `$2` are tenant and product. */
import { KEY_SERVICE_ENDPOINT } from '@gatehouse/delivery';
import { type Statement } from '@gatehouse/kit/sql';

const COLUMNS = `k.tenant, k.product, k.attribute, k.actor_prefix, k.email_domains, k.all_actors,
  k.on_deactivate, k.on_delete, k.revision::float AS revision, k.created_at, k.updated_at`;

/** One at a time: a link is made or deleted, or a directory comes. So no directory of a link lacks its lane. */
export const LOCK_SCOPE: Statement = {
  text: `SELECT pg_advisory_xact_lock(hashtextextended('dsync.key_links:' || $1 || ':' || $2, 0))`,
};

export const PUT_LINK: Statement = {
  text: `INSERT INTO dsync.key_links AS k (tenant, product, attribute, actor_prefix, email_domains,
      all_actors, on_deactivate, on_delete)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
    ON CONFLICT (tenant, product) DO UPDATE SET attribute = $3, actor_prefix = $4, email_domains = $5,
      all_actors = $6, on_deactivate = $7, on_delete = $8, updated_at = now(),
      revision = nextval('dsync.key_link_revisions')
    RETURNING ${COLUMNS}`,
};

/** Tenant or null, product or null, offset, limit. */
export const LIST_LINKS: Statement = {
  text: `SELECT ${COLUMNS} FROM dsync.key_links k
    WHERE ($1::text IS NULL OR k.tenant = $1) AND ($2::text IS NULL OR k.product = $2)
    ORDER BY k.tenant, k.product OFFSET $3 LIMIT $4`,
};

export const DELETE_LINK: Statement = {
  text: 'DELETE FROM dsync.key_links WHERE tenant = $1 AND product = $2 RETURNING 1',
};

/** A new revision, because what SCIM requests cache says whether there is a lane; no import conflicts with it. */
const REVISED = `revised AS (
    UPDATE dsync.directories d SET revision = d.revision + 1 FROM changed
    WHERE d.id = changed.directory_id RETURNING d.id, d.revision)
  UPDATE dsync.imports i SET revision = revised.revision FROM revised
  WHERE i.directory_id = revised.id AND i.revision = revised.revision - 1`;

/**
 * Gives the directories of a link, or one of them, `$3`, their lanes, which begin with the next event, and
 * demands their people. The lane is on even while the directory is deactivated: what happened to its people
 * before has to be known.
 */
export const LINK_DIRECTORIES: Statement = {
  text: `WITH linked AS MATERIALIZED (
      SELECT d.id, d.tenant, d.product
      FROM dsync.directories d JOIN dsync.key_links k ON k.tenant = d.tenant AND k.product = d.product
      WHERE d.tenant = $1 AND d.product = $2 AND d.deleted_at IS NULL AND ($3::uuid IS NULL OR d.id = $3)),
    changed AS (
      INSERT INTO dsync.endpoints (id, source_id, url, types, on_poison, cursor)
      SELECT '${KEY_SERVICE_ENDPOINT}', id, '', '{user.created,user.updated,user.deleted}', 'block',
        coalesce(pg_sequence_last_value('dsync.event_sequence'), 0)
      FROM linked ON CONFLICT DO NOTHING RETURNING source_id AS directory_id),
    demanded AS (
      INSERT INTO dsync.key_feeds AS f (directory_id, tenant, product) SELECT * FROM linked
      ON CONFLICT (directory_id) DO UPDATE SET wanted = f.wanted + 1),
    ${REVISED}`,
};

/** Takes the lanes of a deleted link away; the key service is to forget the people. */
export const UNLINK_DIRECTORIES: Statement = {
  text: `WITH demanded AS (
      UPDATE dsync.key_feeds SET wanted = wanted + 1 WHERE tenant = $1 AND product = $2
      RETURNING directory_id),
    changed AS (
      DELETE FROM dsync.endpoints e USING demanded f
      WHERE e.id = '${KEY_SERVICE_ENDPOINT}' AND e.source_id = f.directory_id
      RETURNING e.source_id AS directory_id),
    ${REVISED}`,
};

/** The people of directory `$1` have to be sent whole, if it has a link or had one. */
export const WANT_FEED: Statement = {
  text: 'UPDATE dsync.key_feeds SET wanted = wanted + 1 WHERE directory_id = $1',
};

/** Of directory `$1`. */
export const LINK_STATUS: Statement = {
  text: `SELECT e.state, e.reason, f.wanted > f.sent AS snapshot_pending
    FROM dsync.endpoints e JOIN dsync.key_feeds f ON f.directory_id = e.source_id
    WHERE e.id = '${KEY_SERVICE_ENDPOINT}' AND e.source_id = $1`,
};
