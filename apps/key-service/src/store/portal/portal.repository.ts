import { Sql, type SqlExecutor, type Statement } from '@gatehouse/kit/sql';
import { Injectable } from '@nestjs/common';
import { type NewPortalSession, type PortalSession } from './portal-session.js';

/** Prefix of the request IDs of keys that a portal session created. */
export const PORTAL_REQUESTS = 'portal:';
/** How many sessions of one actor can work at the same time. */
export const SESSIONS_PER_ACTOR_MAX = 20;

const COLUMNS = `session_id AS "sessionId", actor_id AS "actorId", allow, scopes, tags, prefix,
  max_keys AS "maxKeys", key_ttl::float8 AS "keyTtlSeconds", return_url AS "returnUrl",
  COALESCE(rate_limits, '[]') AS "rateLimits", language, secret_sha256 AS "secretSha256",
  csrf_key AS "csrfKey", create_time AS "createTime", expire_time AS "expireTime",
  open_time AS "openTime", reopen_expire_time AS "reopenExpireTime", revoke_time AS "revokeTime"`;
const WORKS = 'revoke_time IS NULL AND expire_time > now()';

/** Serializes what counts the keys or sessions of an actor. */
const LOCK_ACTOR: Statement = {
  text: 'SELECT pg_advisory_xact_lock(7120380, hashtext($1))',
};

const INSERT: Statement = {
  text: `
    INSERT INTO keys.portal_sessions (session_id, actor_id, allow, scopes, tags, prefix, max_keys,
      key_ttl, rate_limits, return_url, language, secret_sha256, csrf_key, expire_time)
    SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14
    WHERE (SELECT count(*) FROM keys.portal_sessions WHERE actor_id = $2 AND ${WORKS})
      < ${SESSIONS_PER_ACTOR_MAX}
    RETURNING ${COLUMNS}`,
};

const FIND: Statement = {
  text: `SELECT ${COLUMNS} FROM keys.portal_sessions WHERE session_id = $1`,
};

// A range of one actor, so that its column stays in the order (ADR 0057).
const LIST: Statement = {
  text: `
    SELECT ${COLUMNS} FROM keys.portal_sessions
    WHERE actor_id BETWEEN $1 AND $1 AND ($2::uuid IS NULL OR session_id < $2)
    ORDER BY actor_id DESC, session_id DESC LIMIT $3`,
};

const LIST_WORKING: Statement = {
  text: `
    SELECT ${COLUMNS} FROM keys.portal_sessions WHERE actor_id BETWEEN $1 AND $1 AND ${WORKS}
    ORDER BY actor_id DESC, session_id DESC LIMIT ${SESSIONS_PER_ACTOR_MAX}`,
};

const LIST_ALL: Statement = {
  text: `
    SELECT ${COLUMNS} FROM keys.portal_sessions WHERE $1::uuid IS NULL OR session_id < $1
    ORDER BY session_id DESC LIMIT $2`,
};

const REVOKE: Statement = {
  text: `
    UPDATE keys.portal_sessions SET revoke_time = now()
    WHERE session_id = $1 AND revoke_time IS NULL RETURNING ${COLUMNS}`,
};

const REVOKE_OF_ACTORS: Statement = {
  text: `
    UPDATE keys.portal_sessions SET revoke_time = now()
    WHERE actor_id = ANY ($1) AND ${WORKS} RETURNING ${COLUMNS}`,
};

/**
 * Never opened; or opened a moment ago by someone whose cookie has not come back since, perhaps because the
 * answer with it was lost.
 */
const FIND_OPENABLE: Statement = {
  text: `
    SELECT ${COLUMNS} FROM keys.portal_sessions
    WHERE secret_sha256 = $1 AND (open_time IS NULL OR reopen_expire_time > now()) AND ${WORKS}`,
};

/** As above; no one else opens or enters the session until the transaction ends. */
const LOCK_OPENABLE: Statement = { text: `${FIND_OPENABLE.text} FOR UPDATE` };

/** Opens a session that is locked. Its cookie replaces one that never came back. */
const OPEN: Statement = {
  text: `
    UPDATE keys.portal_sessions SET cookie_sha256 = $2, open_time = coalesce(open_time, now()),
      reopen_expire_time = coalesce(reopen_expire_time, now() + interval '2 minutes')
    WHERE session_id = $1 RETURNING ${COLUMNS}`,
};

const FIND_BY_COOKIE: Statement = {
  name: 'keys_find_portal_session',
  text: `SELECT ${COLUMNS} FROM keys.portal_sessions WHERE cookie_sha256 = $1 AND ${WORKS}`,
};

/**
 * The first request with a cookie: from now on the address cannot be opened again. Finds no row for a cookie
 * that another opening has replaced meanwhile.
 */
const ENTER: Statement = {
  text: `
    UPDATE keys.portal_sessions SET reopen_expire_time = NULL
    WHERE cookie_sha256 = $1 AND ${WORKS} RETURNING ${COLUMNS}`,
};

/** In whatever state it is, by the hash of its secret or of its cookie. */
const FIND_BY_SECRET: Statement = {
  text: `SELECT ${COLUMNS} FROM keys.portal_sessions WHERE secret_sha256 = $1 OR cookie_sha256 = $1`,
};

/** A revocation waits until the transaction has ended. */
const LOCK: Statement = {
  text: `SELECT 1 FROM keys.portal_sessions WHERE session_id = $1 AND ${WORKS} FOR SHARE`,
};

const COUNT_LIVE_KEYS: Statement = {
  text: `
    SELECT count(*)::integer AS count FROM (
      SELECT 1 FROM keys.api_keys
      WHERE actor_id = $1 AND kind = 'issued' AND revoke_time IS NULL
        AND (expire_time IS NULL OR expire_time > now())
      LIMIT $2) AS live`,
};

/** Keys in any state that portal sessions of the actor created in the last 24 hours. */
const COUNT_NEW_KEYS: Statement = {
  text: `
    SELECT count(*)::integer AS count FROM (
      SELECT 1 FROM keys.api_keys
      WHERE actor_id = $1 AND kind = 'issued' AND create_time > now() - interval '24 hours'
        AND starts_with(request_id, '${PORTAL_REQUESTS}')
      LIMIT $2) AS made`,
};

const DELETE_OLD: Statement = {
  text: "DELETE FROM keys.portal_sessions WHERE expire_time < now() - interval '30 days'",
};

@Injectable()
export class PortalRepository {
  constructor(private readonly sql: Sql) {}

  /** @returns undefined if the actor has as many sessions as allowed */
  async insert(sql: SqlExecutor, session: NewPortalSession): Promise<PortalSession | undefined> {
    await sql.rows(LOCK_ACTOR, [session.actorId]);
    const { sessionId, actorId, allow, scopes, tags, prefix, maxKeys } = session;
    const { keyTtlSeconds, returnUrl, language, secretSha256, csrfKey, expireTime } = session;
    const limits = JSON.stringify(session.rateLimits);
    return this.one(sql, INSERT, [
      sessionId,
      actorId,
      allow,
      scopes,
      tags,
      prefix,
      maxKeys,
      keyTtlSeconds,
      limits,
      returnUrl,
      language,
      secretSha256,
      csrfKey,
      expireTime,
    ]);
  }

  find(sessionId: string, sql: SqlExecutor = this.sql): Promise<PortalSession | undefined> {
    return this.one(sql, FIND, [sessionId]);
  }

  /** Newest first; of one actor, or all. */
  list(actorId: string, after: string | undefined, limit: number): Promise<PortalSession[]> {
    return actorId === ''
      ? this.sql.rows(LIST_ALL, [after ?? null, limit])
      : this.sql.rows(LIST, [actorId, after ?? null, limit]);
  }

  /** The sessions of an actor that have neither expired nor been revoked, newest first. */
  listWorking(actorId: string): Promise<PortalSession[]> {
    return this.sql.rows(LIST_WORKING, [actorId]);
  }

  /** @returns undefined for one that is unknown or revoked already */
  revoke(sql: SqlExecutor, sessionId: string): Promise<PortalSession | undefined> {
    return this.one(sql, REVOKE, [sessionId]);
  }

  /** Ends all sessions of actors that work. */
  revokeOfActors(sql: SqlExecutor, actorIds: readonly string[]): Promise<PortalSession[]> {
    return sql.rows(REVOKE_OF_ACTORS, [actorIds]);
  }

  /** A session by the hash of its secret or of its cookie, in whatever state it is. */
  findBySecret(sha256: Buffer): Promise<PortalSession | undefined> {
    return this.one(this.sql, FIND_BY_SECRET, [sha256]);
  }

  /** A session whose address can be opened. */
  findOpenable(secretSha256: Buffer): Promise<PortalSession | undefined> {
    return this.one(this.sql, FIND_OPENABLE, [secretSha256]);
  }

  /** The same, of which one caller at a time gets hold. */
  lockOpenable(sql: SqlExecutor, secretSha256: Buffer): Promise<PortalSession | undefined> {
    return this.one(sql, LOCK_OPENABLE, [secretSha256]);
  }

  /** Opens a session that is locked. */
  async open(sql: SqlExecutor, sessionId: string, cookieSha256: Buffer): Promise<PortalSession> {
    return (await this.one(sql, OPEN, [sessionId, cookieSha256])) as PortalSession;
  }

  /** The session of a cookie. From its first request on, its address cannot be opened again. */
  async enter(cookieSha256: Buffer): Promise<PortalSession | undefined> {
    const session = await this.one(this.sql, FIND_BY_COOKIE, [cookieSha256]);
    if (!session?.reopenExpireTime) return session;
    return this.one(this.sql, ENTER, [cookieSha256]);
  }

  /** Whether the session works, and will until the transaction ends. */
  async lock(sql: SqlExecutor, sessionId: string): Promise<boolean> {
    return (await sql.rows(LOCK, [sessionId])).length > 0;
  }

  /** Until the transaction ends, other sessions make no keys for the actor. */
  async lockActor(sql: SqlExecutor, actorId: string): Promise<void> {
    await sql.rows(LOCK_ACTOR, [actorId]);
  }

  /** The live keys of an actor, at most `max`. */
  countLiveKeys(actorId: string, max: number, sql: SqlExecutor = this.sql): Promise<number> {
    return countOf(sql, COUNT_LIVE_KEYS, [actorId, max]);
  }

  /** The keys that sessions made for an actor in the last 24 hours, at most `max`. */
  countNewKeys(actorId: string, max: number, sql: SqlExecutor = this.sql): Promise<number> {
    return countOf(sql, COUNT_NEW_KEYS, [actorId, max]);
  }

  async deleteOld(): Promise<void> {
    await this.sql.rows(DELETE_OLD);
  }

  private async one(
    sql: SqlExecutor,
    statement: Statement,
    values: readonly unknown[],
  ): Promise<PortalSession | undefined> {
    return (await sql.rows<PortalSession>(statement, values))[0];
  }
}

async function countOf(
  sql: SqlExecutor,
  statement: Statement,
  values: readonly unknown[],
): Promise<number> {
  const [row] = await sql.rows<{ count: number }>(statement, values);
  return row?.count ?? 0;
}
