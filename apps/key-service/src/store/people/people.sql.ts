/** Every statement on keys.people and keys.directory_links. */
import { type Statement } from '@gatehouse/kit/sql';
import { KEY_KINDS } from '../keys/key.types.js';

/** Rows that one statement forgets or ends: so few that it looks up each of them. */
export const ROWS_MAX = 1_000;

const LOCK_SOURCES = 7_120_390;
const LOCK_ACTORS_CLASS = 7_120_391;
/** Actors share locks, so that a transaction holds few. */
const ACTOR_LOCKS = 128;

/** Serializes what changes the people of a source. */
export const LOCK_SOURCE: Statement = {
  text: `SELECT pg_advisory_xact_lock(${LOCK_SOURCES}, hashtext($1))`,
};

/**
 * Serializes decisions on actors: of two directories that deactivate a person at once, the later decision has
 * to see the earlier change. In one order everywhere.
 */
export const LOCK_ACTORS: Statement = {
  text: `
    SELECT pg_advisory_xact_lock(${LOCK_ACTORS_CLASS}, number) FROM (
      SELECT DISTINCT abs(hashtext(actor) % ${ACTOR_LOCKS}) AS number
      FROM unnest($1::text[]) AS actor ORDER BY 1) AS locks`,
};

/** Live keys `k` of all kinds. */
const LIVE_KEY = `k.kind IN (${KEY_KINDS.map((kind) => `'${kind}'`).join(', ')})
  AND k.revoke_time IS NULL AND (k.expire_time IS NULL OR k.expire_time > now())`;

const LINK = `attribute, actor_prefix, email_domains, on_deactivate, on_delete`;

/** Tenant, product. */
export const FIND_REVISION: Statement = {
  name: 'keys_find_link_revision',
  text: `SELECT revision, identity FROM keys.directory_links WHERE tenant = $1 AND product = $2`,
};

/** Tenant, product, revision, and the settings. An older revision changes nothing. */
export const PUT_LINK: Statement = {
  text: `
    INSERT INTO keys.directory_links AS l (tenant, product, revision, identity, ${LINK})
    VALUES ($1, $2, $3, $3, $4, $5, $6, $7, $8)
    ON CONFLICT (tenant, product) DO UPDATE SET revision = excluded.revision,
      identity = CASE WHEN (l.attribute, l.actor_prefix, l.email_domains)
          = (excluded.attribute, excluded.actor_prefix, excluded.email_domains)
        THEN l.identity ELSE excluded.revision END,
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

/** Source, number. */
export const NOTE_FORGOTTEN: Statement = {
  text: `
    INSERT INTO keys.forgotten_sources AS f (source_id, sequence) VALUES ($1, $2)
    ON CONFLICT (source_id) DO UPDATE SET sequence = greatest(f.sequence, excluded.sequence)`,
};

/** Source. */
export const FIND_FORGOTTEN: Statement = {
  name: 'keys_find_forgotten_source',
  text: `SELECT sequence FROM keys.forgotten_sources WHERE source_id = $1`,
};

/** Source, number. */
export const FORGET: Statement = {
  text: `
    DELETE FROM keys.people WHERE (source_id, user_id, actor_id) IN (
      SELECT source_id, user_id, actor_id FROM keys.people
      WHERE source_id = $1 AND sequence <= $2 LIMIT ${ROWS_MAX})
    RETURNING actor_id AS "actorId"`,
};

/** Source, users, actors. */
export const FORGET_ACTORS: Statement = {
  text: `
    DELETE FROM keys.people p USING unnest($2::text[], $3::text[]) AS n (user_id, actor_id)
    WHERE p.source_id = $1 AND p.user_id = n.user_id AND p.actor_id = n.actor_id`,
};

const PERSON = `user_id AS "userId", actor_id AS "actorId", state, named, sequence`;

/** Source, users, identity of the link. OFFSET has the plan look up each user, before the table has been analyzed too. */
export const FIND_OF_USERS: Statement = {
  name: 'keys_people_of_users',
  text: `
    SELECT person.* FROM unnest($2::text[]) AS u (id) CROSS JOIN LATERAL (
      SELECT ${PERSON} FROM keys.people
      WHERE source_id = $1 AND user_id = u.id AND identity = $3 OFFSET 0) person`,
};

/**
 * Source, tenant, product, identity of the link, and arrays of the columns. There is nothing to do for an active
 * person without an actor who was known before, or whose keys have stopped; LIMIT has the plan look up each.
 */
export const UPSERT: Statement = {
  name: 'keys_upsert_people',
  text: `
    INSERT INTO keys.people AS p
      (source_id, tenant, product, identity, user_id, actor_id, state, named, sequence, applied)
    SELECT $1, $2, $3, $4, n.user_id, n.actor_id, n.state, n.named, n.sequence,
      CASE WHEN n.state = 'active'
        AND (SELECT true FROM keys.people o WHERE o.actor_id = n.actor_id LIMIT 1) IS NULL
        AND (SELECT true FROM keys.api_keys k
          WHERE k.actor_id = n.actor_id AND k.leaver IS NOT NULL LIMIT 1) IS NULL THEN 'off' END
    FROM unnest($5::text[], $6::text[], $7::text[], $8::bigint[], $9::bigint[])
      AS n (user_id, actor_id, state, named, sequence)
    ON CONFLICT (source_id, user_id, actor_id) DO UPDATE SET
      product = excluded.product, identity = excluded.identity, state = excluded.state,
      named = excluded.named, sequence = excluded.sequence,
      state_time = CASE WHEN p.state = excluded.state THEN p.state_time ELSE now() END,
      applied = CASE WHEN p.state = excluded.state AND p.identity = excluded.identity
        THEN p.applied END`,
};

const ACTION = `CASE p.state WHEN 'inactive' THEN l.on_deactivate WHEN 'deleted' THEN l.on_delete
  ELSE 'off' END`;
/** People whom the link `l` names as it is now. */
const OF_LINK = `keys.directory_links l
  ON l.tenant = p.tenant AND l.product = p.product AND l.identity = p.identity`;

/** Source, identity of the link: actors that a former link named. */
export const FORGET_FORMER_LINK: Statement = {
  text: `
    DELETE FROM keys.people WHERE (source_id, user_id, actor_id) IN (
      SELECT source_id, user_id, actor_id FROM keys.people
      WHERE source_id = $1 AND identity < $2 LIMIT ${ROWS_MAX})
    RETURNING 1`,
};

/** Source, snapshot: whom the snapshot did not contain is gone. */
export const END_SNAPSHOT: Statement = {
  text: `
    UPDATE keys.people SET state = 'deleted', sequence = $2, state_time = now(), applied = NULL,
      named = CASE WHEN named = sequence THEN $2 ELSE named END
    WHERE (source_id, user_id, actor_id) IN (
      SELECT source_id, user_id, actor_id FROM keys.people
      WHERE source_id = $1 AND sequence < $2::bigint AND state <> 'deleted' LIMIT ${ROWS_MAX})
    RETURNING 1`,
};

/** Tenant, product. */
export const NOTE_SNAPSHOT: Statement = {
  text: `UPDATE keys.directory_links SET snapshot_time = now() WHERE tenant = $1 AND product = $2`,
};

/** Source: a changed link applies to those who have left. */
export const APPLY_AGAIN: Statement = {
  text: `
    UPDATE keys.people SET applied = NULL
    WHERE (source_id, user_id, actor_id) IN (
      SELECT p.source_id, p.user_id, p.actor_id FROM keys.people p JOIN ${OF_LINK}
      WHERE p.source_id = $1 AND p.state <> 'active' AND p.applied <> ${ACTION} LIMIT ${ROWS_MAX})
    RETURNING 1`,
};

/** Source, how many at most. */
export const ACTORS_TO_APPLY: Statement = {
  name: 'keys_actors_to_apply',
  text: `
    SELECT DISTINCT actor_id AS "actorId" FROM keys.people
    WHERE source_id = $1 AND applied IS NULL ORDER BY actor_id LIMIT $2`,
};

const STRENGTH = `array_position(ARRAY['off', 'pause', 'revoke'], ${ACTION})`;

/** Actors: for each, and each tenant, the person that decides. Who has the actor now comes before former ones. */
export const STANDINGS: Statement = {
  name: 'keys_standings_of_actors',
  text: `
    SELECT DISTINCT ON (p.actor_id, p.tenant) p.actor_id AS "actorId", p.source_id AS "sourceId",
      p.user_id AS "userId", p.state = 'active' AS "isActive", ${ACTION} AS action
    FROM keys.people p JOIN ${OF_LINK}
    WHERE p.actor_id = ANY ($1)
    ORDER BY p.actor_id, p.tenant, p.named = p.sequence DESC, p.state = 'active' DESC, ${STRENGTH} DESC,
      p.state_time DESC`,
};

/** Actors. */
export const MARK_APPLIED: Statement = {
  name: 'keys_mark_people_applied',
  text: `
    UPDATE keys.people p SET applied = coalesce((
      SELECT ${ACTION} FROM keys.directory_links l
      WHERE l.tenant = p.tenant AND l.product = p.product AND l.identity = p.identity), 'off')
    WHERE p.actor_id = ANY ($1) AND p.applied IS NULL`,
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
      named = sequence AS "isCurrent", state_time AS "stateTime"
    FROM keys.people WHERE actor_id = $1 ORDER BY state_time DESC, source_id, user_id LIMIT 100`,
};

/** Tenant, product, the actor and key before, limit: working keys of actors who have left. */
export const KEYS_OF_LEAVERS: Statement = {
  text: `
    SELECT k.key_id AS "keyId", k.kind, k.name, away.actor_id AS "actorId",
      away.source_id AS "sourceId", away.user_id AS "userId"
    FROM (
      SELECT DISTINCT ON (p.actor_id) p.actor_id, p.source_id, p.user_id
      FROM keys.people p JOIN ${OF_LINK}
      WHERE p.tenant = $1 AND p.product = $2 AND p.state <> 'active' AND p.actor_id >= $3
        AND NOT EXISTS (SELECT FROM keys.people o
          WHERE o.actor_id = p.actor_id AND o.tenant = $1 AND o.state = 'active'
            AND (o.named = o.sequence OR p.named < p.sequence))
      ORDER BY p.actor_id, p.state_time DESC) away
    CROSS JOIN LATERAL (
      SELECT * FROM keys.api_keys k
      WHERE k.actor_id = away.actor_id AND ${LIVE_KEY} AND k.pause_time IS NULL
      ORDER BY k.key_id OFFSET 0) k
    WHERE (away.actor_id, k.key_id) > ($3, $4)
    ORDER BY away.actor_id, k.key_id LIMIT $5`,
};

/** Tenant, prefix, domains, limit: actors of working keys that the link could name, but are no person. */
export const UNMATCHED_ACTORS: Statement = {
  text: `
    SELECT DISTINCT k.actor_id AS "actorId" FROM keys.api_keys k
    WHERE ${LIVE_KEY} AND k.actor_id <> '' AND starts_with(k.actor_id, $2)
      AND ($3::text[] = '{}' OR lower(substring(substr(k.actor_id, length($2) + 1) FROM '@([^@]*)$')) = ANY ($3))
      AND NOT EXISTS (SELECT FROM keys.people p WHERE p.actor_id = k.actor_id AND p.tenant = $1)
    ORDER BY 1 LIMIT $4`,
};

/** A link that has not been counted for a day. Of several replicas one gets it. */
export const CLAIM_COUNT: Statement = {
  text: `
    UPDATE keys.directory_links SET count_time = now()
    WHERE (tenant, product) = (
      SELECT tenant, product FROM keys.directory_links
      WHERE snapshot_time IS NOT NULL
        AND (count_time IS NULL OR count_time < now() - interval '1 day')
      LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING ${LINK_ROW}`,
};

/** Tenant, product, number. */
export const SET_COUNT: Statement = {
  text: `
    UPDATE keys.directory_links SET unmatched_actors = $3 WHERE tenant = $1 AND product = $2`,
};

/** A person who left stays known as long as keys have to work again if it comes back. */
export const FORGET_OLD: Statement = {
  text: `
    DELETE FROM keys.people WHERE (source_id, user_id, actor_id) IN (
      SELECT p.source_id, p.user_id, p.actor_id FROM keys.people p
      WHERE p.state = 'deleted' AND p.state_time < now() - interval '30 days'
        AND p.applied IS NOT NULL
        AND (SELECT true FROM keys.api_keys k
          WHERE k.actor_id = p.actor_id AND ${LIVE_KEY} LIMIT 1) IS NULL
      LIMIT ${ROWS_MAX})
    RETURNING 1`,
};
