/** Every statement on keys.people and keys.directory_links. */
import { type Statement } from '@gatehouse/kit/sql';
import { KEY_KINDS } from '../keys/key.types.js';

const LOCK_CLASS = 7_120_390;

/**
 * Serializes what changes the people of a tenant: of two directories that deactivate a person at once, the
 * later one has to see the earlier one.
 */
export const LOCK_TENANT: Statement = {
  text: `SELECT pg_advisory_xact_lock(${LOCK_CLASS}, hashtext($1))`,
};

/** Live keys `k` of all kinds. */
const LIVE_KEY = `k.kind IN (${KEY_KINDS.map((kind) => `'${kind}'`).join(', ')})
  AND k.revoke_time IS NULL AND (k.expire_time IS NULL OR k.expire_time > now())`;

const LINK = `attribute, actor_prefix, email_domains, on_deactivate, on_delete`;

/** Tenant, product, revision, and the settings. An older revision changes nothing. */
export const PUT_LINK: Statement = {
  name: 'keys_put_directory_link',
  text: `
    INSERT INTO keys.directory_links AS l (tenant, product, revision, ${LINK})
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
    ON CONFLICT (tenant, product) DO UPDATE SET revision = excluded.revision,
      attribute = excluded.attribute, actor_prefix = excluded.actor_prefix,
      email_domains = excluded.email_domains, on_deactivate = excluded.on_deactivate,
      on_delete = excluded.on_delete, update_time = now()
    WHERE l.revision < excluded.revision`,
};

/** Tenant, product. */
export const DELETE_UNUSED_LINK: Statement = {
  text: `
    DELETE FROM keys.directory_links l WHERE l.tenant = $1 AND l.product = $2
      AND NOT EXISTS (SELECT FROM keys.people p WHERE p.tenant = $1 AND p.product = $2)`,
};

/** Source, how many at most. */
export const FORGET: Statement = {
  text: `
    DELETE FROM keys.people WHERE (source_id, user_id, actor_id) IN (
      SELECT source_id, user_id, actor_id FROM keys.people WHERE source_id = $1 LIMIT $2)
    RETURNING 1`,
};

const PERSON = `user_id AS "userId", actor_id AS "actorId", state, is_current AS "isCurrent", sequence,
  snapshot`;

/** Source, users. OFFSET has the plan look up each user, before the table has been analyzed too. */
export const FIND_OF_USERS: Statement = {
  name: 'keys_people_of_users',
  text: `
    SELECT person.* FROM unnest($2::text[]) AS u (id) CROSS JOIN LATERAL (
      SELECT ${PERSON} FROM keys.people WHERE source_id = $1 AND user_id = u.id OFFSET 0) person`,
};

/**
 * Source, tenant, product, and arrays of the columns. A person who becomes active has something to resume only if
 * the actor was known before; LIMIT has the plan look up each in the index.
 */
export const UPSERT: Statement = {
  name: 'keys_upsert_people',
  text: `
    INSERT INTO keys.people AS p
      (source_id, tenant, product, user_id, actor_id, state, is_current, sequence, snapshot, applied)
    SELECT $1, $2, $3, n.user_id, n.actor_id, n.state, n.is_current, n.sequence, n.snapshot,
      CASE WHEN n.state = 'active' AND (
        SELECT true FROM keys.people o WHERE o.actor_id = n.actor_id AND o.tenant = $2 LIMIT 1
      ) IS NULL THEN 'off' END
    FROM unnest($4::text[], $5::text[], $6::text[], $7::boolean[], $8::bigint[], $9::bigint[])
      AS n (user_id, actor_id, state, is_current, sequence, snapshot)
    ON CONFLICT (source_id, user_id, actor_id) DO UPDATE SET
      product = excluded.product, state = excluded.state, is_current = excluded.is_current,
      sequence = excluded.sequence, snapshot = excluded.snapshot,
      state_time = CASE WHEN p.state = excluded.state THEN p.state_time ELSE now() END,
      applied = CASE WHEN p.state = excluded.state THEN p.applied END`,
};

const ACTION = `CASE p.state WHEN 'inactive' THEN l.on_deactivate WHEN 'deleted' THEN l.on_delete
  ELSE 'off' END`;
const OF_LINK = `keys.directory_links l
  ON l.tenant = p.tenant AND l.product = p.product`;

/** Source, snapshot: whom it did not name is gone. */
export const END_SNAPSHOT: Statement = {
  text: `
    UPDATE keys.people SET state = 'deleted', sequence = $2, state_time = now(), applied = NULL
    WHERE source_id = $1 AND snapshot < $2::bigint AND sequence < $2::bigint AND state <> 'deleted'`,
};

/** Tenant, product. */
export const NOTE_SNAPSHOT: Statement = {
  text: `UPDATE keys.directory_links SET snapshot_time = now() WHERE tenant = $1 AND product = $2`,
};

/** Source: applies a changed link to those who have left. */
export const APPLY_AGAIN: Statement = {
  text: `
    UPDATE keys.people SET applied = NULL
    WHERE (source_id, user_id, actor_id) IN (
      SELECT p.source_id, p.user_id, p.actor_id FROM keys.people p JOIN ${OF_LINK}
      WHERE p.source_id = $1 AND p.state <> 'active' AND p.applied <> ${ACTION})`,
};

/** Source, how many at most. */
export const ACTORS_TO_APPLY: Statement = {
  name: 'keys_actors_to_apply',
  text: `
    SELECT DISTINCT actor_id AS "actorId" FROM keys.people
    WHERE source_id = $1 AND applied IS NULL ORDER BY actor_id LIMIT $2`,
};

/** Tenant, actors. */
export const STANDINGS: Statement = {
  name: 'keys_standings_of_actors',
  text: `
    SELECT p.actor_id AS "actorId", p.source_id AS "sourceId", p.user_id AS "userId",
      p.state = 'active' AS "isActive", ${ACTION} AS action
    FROM keys.people p JOIN ${OF_LINK}
    WHERE p.actor_id = ANY ($2) AND p.tenant = $1
    ORDER BY p.actor_id, p.state_time DESC`,
};

/** Tenant, actors. */
export const MARK_APPLIED: Statement = {
  name: 'keys_mark_people_applied',
  text: `
    UPDATE keys.people p SET applied = ${ACTION} FROM keys.directory_links l
    WHERE p.actor_id = ANY ($2) AND p.tenant = $1 AND p.applied IS NULL
      AND l.tenant = p.tenant AND l.product = p.product`,
};

const LINK_ROW = `tenant, product, revision::integer, ${LINK}, update_time, snapshot_time,
  unmatched_actors::integer, count_time`;

/** Tenant and product or null, the position of the page, limit. */
export const LIST_LINKS: Statement = {
  text: `
    SELECT ${LINK_ROW} FROM keys.directory_links
    WHERE ($1::text IS NULL OR tenant = $1) AND ($2::text IS NULL OR product = $2)
      AND (tenant, product) > ($3, $4)
    ORDER BY tenant, product LIMIT $5`,
};

/** Tenant, product. */
export const FIND_LINK: Statement = {
  text: `SELECT ${LINK_ROW} FROM keys.directory_links WHERE tenant = $1 AND product = $2`,
};

/** Actor. */
export const PEOPLE_OF_ACTOR: Statement = {
  text: `
    SELECT source_id AS "sourceId", user_id AS "userId", tenant, product, state,
      is_current AS "isCurrent", state_time AS "stateTime"
    FROM keys.people WHERE actor_id = $1 ORDER BY state_time DESC, source_id, user_id LIMIT 100`,
};

/** Tenant, product, the actor and key before, limit: working keys of actors who have left. */
export const KEYS_OF_LEAVERS: Statement = {
  text: `
    SELECT k.key_id AS "keyId", k.kind, k.name, k.actor_id AS "actorId",
      away.source_id AS "sourceId", away.user_id AS "userId"
    FROM (
      SELECT DISTINCT ON (p.actor_id) p.actor_id, p.source_id, p.user_id FROM keys.people p
      WHERE p.tenant = $1 AND p.product = $2 AND p.state <> 'active' AND p.actor_id >= $3
        AND NOT EXISTS (SELECT FROM keys.people o
          WHERE o.actor_id = p.actor_id AND o.tenant = $1 AND o.state = 'active')
      ORDER BY p.actor_id, p.state_time DESC) away
    JOIN keys.api_keys k ON k.actor_id = away.actor_id AND ${LIVE_KEY} AND k.pause_time IS NULL
    WHERE (k.actor_id, k.key_id) > ($3, $4)
    ORDER BY k.actor_id, k.key_id LIMIT $5`,
};

/** Tenant, prefix, domains, limit: actors of working keys that the link could name, but are no person. */
export const UNMATCHED_ACTORS: Statement = {
  text: `
    SELECT DISTINCT k.actor_id AS "actorId" FROM keys.api_keys k
    WHERE ${LIVE_KEY} AND k.actor_id <> '' AND starts_with(k.actor_id, $2)
      AND ($3::text[] = '{}' OR lower(split_part(k.actor_id, '@', 2)) = ANY ($3))
      AND NOT EXISTS (SELECT FROM keys.people p WHERE p.actor_id = k.actor_id AND p.tenant = $1)
    ORDER BY 1 LIMIT $4`,
};

/** The links that have not been counted for a day. Of several replicas one gets each. */
export const CLAIM_COUNTS: Statement = {
  text: `
    UPDATE keys.directory_links SET count_time = now()
    WHERE snapshot_time IS NOT NULL
      AND (count_time IS NULL OR count_time < now() - interval '1 day')
    RETURNING ${LINK_ROW}`,
};

/** Tenant, product, number. */
export const SET_COUNT: Statement = {
  text: `
    UPDATE keys.directory_links SET unmatched_actors = $3 WHERE tenant = $1 AND product = $2`,
};

/** How many at most. A person who left stays known as long as keys have to work again if it comes back. */
export const FORGET_OLD: Statement = {
  text: `
    DELETE FROM keys.people WHERE (source_id, user_id, actor_id) IN (
      SELECT p.source_id, p.user_id, p.actor_id FROM keys.people p
      WHERE p.state = 'deleted' AND p.state_time < now() - interval '30 days'
        AND p.applied IS NOT NULL
        AND NOT EXISTS (SELECT FROM keys.api_keys k WHERE k.actor_id = p.actor_id AND ${LIVE_KEY})
      LIMIT $1)
    RETURNING 1`,
};
