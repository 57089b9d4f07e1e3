/** Statements that send the people of linked directories; `$1` is the directory. */
import { KEY_SERVICE_ENDPOINT } from '@gatehouse/delivery';
import { type Statement } from '@gatehouse/kit/sql';
import { PEOPLE_MAX } from '@gatehouse/schemas';
import { cutAtSize } from '../database/cut-at-size.js';

/** Another worker takes over from a dead one after this time. */
const LEASE = `now() + interval '30 seconds'`;
const AFTER_FAILURE = `now() + interval '5 seconds'`;
/** More users make a directory large. */
const SMALL_USERS_MAX = 5_000;
const PAGE_BYTES_MAX = 4 * 1024 * 1024;

/** A live directory with its link. */
export const LINKED_DIRECTORY: Statement = {
  name: 'dsync_linked_directory',
  text: `SELECT d.tenant, d.product, d.attribute_mapping AS "attributeMapping", json_build_object(
      'revision', k.revision, 'attribute', k.attribute, 'actor_prefix', k.actor_prefix,
      'email_domains', k.email_domains, 'on_deactivate', k.on_deactivate, 'on_delete', k.on_delete) AS link
    FROM dsync.directories d JOIN dsync.key_links k ON k.tenant = d.tenant AND k.product = d.product
    WHERE d.id = $1 AND d.deleted_at IS NULL`,
};

/** Leases a feed that is due to run `$1`, the smallest directory first; `$2`: it may be a large one. */
export const CLAIM_FEED: Statement = {
  name: 'dsync_claim_key_feed',
  text: `WITH due AS MATERIALIZED (
      SELECT f.directory_id, coalesce(d.reserved_users, 0) > ${SMALL_USERS_MAX} AS is_large
      FROM dsync.key_feeds f LEFT JOIN dsync.directories d ON d.id = f.directory_id
      WHERE f.wanted > f.sent AND f.leased_until < now()
        AND ($2 OR coalesce(d.reserved_users, 0) <= ${SMALL_USERS_MAX})
      ORDER BY coalesce(d.reserved_users, 0), f.directory_id LIMIT 1
      FOR UPDATE OF f SKIP LOCKED)
    UPDATE dsync.key_feeds f SET leased_by = $1, leased_until = ${LEASE}
    FROM due WHERE f.directory_id = due.directory_id
    RETURNING f.directory_id AS "directoryId", f.tenant, f.product, f.wanted, due.is_large AS "isLarge"`,
};

/** Whether run `$2` has the lease, and no more than `$3` is wanted. */
const IS_HELD = 'directory_id = $1 AND leased_by = $2 AND wanted = $3';

export const HOLD_FEED: Statement = {
  name: 'dsync_hold_key_feed',
  text: `UPDATE dsync.key_feeds SET leased_until = ${LEASE} WHERE ${IS_HELD} RETURNING 1`,
};

/** What is wanted was sent. */
export const FINISH_FEED: Statement = {
  text: `UPDATE dsync.key_feeds SET sent = $3 WHERE ${IS_HELD}`,
};

/** The people were forgotten. */
export const DELETE_FEED: Statement = { text: `DELETE FROM dsync.key_feeds WHERE ${IS_HELD}` };

/** Gives the lease of run `$2` back; `$3`: after a failure. */
export const RELEASE_FEED: Statement = {
  text: `UPDATE dsync.key_feeds SET leased_by = NULL,
      leased_until = CASE WHEN $3 THEN ${AFTER_FAILURE} ELSE '-infinity' END
    WHERE directory_id = $1 AND leased_by = $2`,
};

/** A number of the log that no event has. */
export const NEXT_NUMBER: Statement = {
  text: `SELECT nextval('dsync.event_sequence') AS number`,
};

/** The next users after `$2`. */
export const PAGE_OF_USERS: Statement = {
  name: 'dsync_people_page',
  text: cutAtSize({
    alias: 'u',
    source: `SELECT n.*, row_number() OVER (ORDER BY n.id) AS position FROM (
        SELECT * FROM dsync.users WHERE directory_id = $1 AND id > $2
        ORDER BY id LIMIT ${PEOPLE_MAX}) n`,
    columns: `u.id, coalesce(u.email, '') AS email, u.active, u.raw`,
    bytes: 'u.raw_bytes',
    bytesMax: String(PAGE_BYTES_MAX),
  }),
};

/** Lanes that a worker of an earlier version took for those of webhooks. */
export const RESUME_LANES: Statement = {
  text: `UPDATE dsync.endpoints SET state = 'healthy', reason = NULL, failures = 0, failing_since = NULL,
      next_attempt_at = '-infinity', revision = revision + 1
    WHERE id = '${KEY_SERVICE_ENDPOINT}' AND state IN ('paused', 'stopped')`,
};
