import { Sql, type Statement } from '@gatehouse/kit/sql';
import { Injectable } from '@nestjs/common';
import { type Session } from './session.js';

const COLUMNS = `session_id AS "sessionId", cookie_sha256 AS "cookieSha256", csrf_key AS "csrfKey", name, role,
  scopes, key_id AS "keyId", credential, id_token AS "idToken", create_time AS "createTime",
  seen_time AS "seenTime", expire_time AS "expireTime"`;
const SEEN_SECONDS = 60;
export const SESSIONS_SHOWN_MAX = 200;

const INSERT: Statement = {
  text: `
    INSERT INTO console.sessions (session_id, cookie_sha256, csrf_key, name, role, scopes, key_id, credential,
      id_token, expire_time)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
};

const FIND: Statement = {
  name: 'console_find_session',
  text: `
    SELECT ${COLUMNS} FROM console.sessions
    WHERE cookie_sha256 = $1 AND expire_time > now() AND seen_time > now() - $2 * interval '1 second'`,
};

/** At most once a minute, so that pages write nothing. */
const SEE: Statement = {
  name: 'console_see_session',
  text: `
    UPDATE console.sessions SET seen_time = now()
    WHERE session_id = $1 AND seen_time < now() - interval '${SEEN_SECONDS} seconds'`,
};

const LIST: Statement = {
  text: `
    SELECT ${COLUMNS} FROM console.sessions
    WHERE expire_time > now() AND seen_time > now() - $1 * interval '1 second'
    ORDER BY seen_time DESC LIMIT ${SESSIONS_SHOWN_MAX}`,
};

const DELETE: Statement = {
  text: `DELETE FROM console.sessions WHERE session_id = $1 RETURNING ${COLUMNS}`,
};

/** No row if it was sent before; a session that is ending keeps no more. */
const TAKE_FORM: Statement = {
  name: 'console_take_form',
  text: `
    INSERT INTO console.sent_forms (session_id, nonce)
    SELECT session_id, $2 FROM console.sessions WHERE session_id = $1 FOR KEY SHARE
    ON CONFLICT DO NOTHING RETURNING nonce`,
};

/** One of the sessions that have ended, which no other replica is ending. */
const DELETE_ENDED: Statement = {
  text: `
    DELETE FROM console.sessions WHERE session_id IN (
      SELECT session_id FROM console.sessions
      WHERE expire_time < now() OR seen_time < now() - $1 * interval '1 second'
      LIMIT 100 FOR UPDATE SKIP LOCKED)
    RETURNING ${COLUMNS}`,
};

export type NewSession = Omit<Session, 'createTime' | 'seenTime'>;

/** Sessions as rows. Those that were idle for too long are not found. */
@Injectable()
export class SessionsRepository {
  constructor(private readonly sql: Sql) {}

  async insert(session: NewSession): Promise<void> {
    await this.sql.rows(INSERT, [
      session.sessionId,
      session.cookieSha256,
      session.csrfKey,
      session.name,
      session.role,
      session.scopes,
      session.keyId,
      session.credential,
      session.idToken,
      session.expireTime,
    ]);
  }

  async find(cookieSha256: Buffer, idleSeconds: number): Promise<Session | undefined> {
    const [session] = await this.sql.rows<Session>(FIND, [cookieSha256, idleSeconds]);
    if (session && Date.now() - session.seenTime.getTime() > SEEN_SECONDS * 1_000) {
      await this.sql.rows(SEE, [session.sessionId]);
    }
    return session;
  }

  /** Those seen last come first, at most SESSIONS_SHOWN_MAX. */
  list(idleSeconds: number): Promise<Session[]> {
    return this.sql.rows<Session>(LIST, [idleSeconds]);
  }

  /** @returns whether no form of the session with this nonce was taken before */
  async takeForm(sessionId: string, nonce: string): Promise<boolean> {
    return (await this.sql.rows(TAKE_FORM, [sessionId, nonce])).length > 0;
  }

  /** @returns the session, unless it was deleted before */
  async delete(sessionId: string): Promise<Session | undefined> {
    const [session] = await this.sql.rows<Session>(DELETE, [sessionId]);
    return session;
  }

  /** @returns up to a hundred sessions that have ended and are deleted now */
  deleteEnded(idleSeconds: number): Promise<Session[]> {
    return this.sql.rows<Session>(DELETE_ENDED, [idleSeconds]);
  }
}
