import { randomBytes } from 'node:crypto';
import { randomToken, sha256 } from '@gatehouse/crypto';
import { AuditEvents, auditRecordOf } from '@gatehouse/kit/audit';
import { DomainError } from '@gatehouse/kit/errors';
import { isUuid, uuidv7 } from '@gatehouse/kit/ids';
import { type Page, type PageRequest, PageTokens } from '@gatehouse/kit/paging';
import { Sql, type SqlExecutor } from '@gatehouse/kit/sql';
import { type KeyRing } from '@gatehouse/crypto';
import { Inject, Injectable } from '@nestjs/common';
import { type PortalAuditType } from '../events/audit/audit-event.js';
import { KeyServiceConfig } from '../config.js';
import { KeyErrors } from '../errors.js';
import { HMAC_RING } from '../key-rings.js';
import { type CallContext } from '../api/call-context.js';
import { type PortalSession } from '../store/portal/portal-session.js';
import { type PortalSessionInput } from './portal-session.input.js';
import { PortalRepository, SESSIONS_PER_ACTOR_MAX } from '../store/portal/portal.repository.js';

export const PORTAL_PATH = '/portal';

/** Portal sessions, from their creation to their end. Every change is audited in its transaction. */
@Injectable()
export class PortalSessionsService {
  private readonly pageTokens: PageTokens;

  constructor(
    private readonly config: KeyServiceConfig,
    private readonly sql: Sql,
    private readonly audit: AuditEvents,
    private readonly sessions: PortalRepository,
    @Inject(HMAC_RING) ring: KeyRing,
  ) {
    this.pageTokens = PageTokens.fromRing(ring);
  }

  /** The address is known only here. */
  async create(
    { terms, ttlSeconds }: PortalSessionInput,
    call: CallContext,
  ): Promise<{ session: PortalSession; url: string }> {
    const { externalUrl } = this.config;
    if (externalUrl === undefined) throw new DomainError(KeyErrors.PORTAL_CLOSED);
    const secret = randomToken();
    const session = await this.sql.transaction(async (sql) => {
      const created = await this.sessions.insert(sql, {
        ...terms,
        sessionId: uuidv7(),
        secretSha256: sha256(secret),
        csrfKey: randomBytes(32),
        expireTime: new Date(Date.now() + ttlSeconds * 1000),
      });
      if (created) await this.record(sql, 'portal_session.created', created, call);
      return created;
    });
    if (!session) {
      const message = `The actor has ${SESSIONS_PER_ACTOR_MAX} portal sessions already; revoke one first.`;
      throw new DomainError(KeyErrors.PORTAL_SESSIONS_LIMIT_REACHED, { message });
    }
    return { session, url: `${externalUrl.replace(/\/+$/, '')}${PORTAL_PATH}/${secret}` };
  }

  async get(sessionId: string): Promise<PortalSession> {
    const session = isUuid(sessionId) ? await this.sessions.find(sessionId) : undefined;
    if (!session) throw new DomainError(KeyErrors.PORTAL_SESSION_NOT_FOUND);
    return session;
  }

  list(actorId: string, page: PageRequest): Promise<Page<PortalSession>> {
    return this.pageTokens.page(JSON.stringify(['portalSessions', actorId]), page, {
      fetch: (after, limit) => this.sessions.list(actorId, after?.[0], limit),
      positionOf: ({ sessionId }) => [sessionId],
    });
  }

  /** Ends a session at once on all replicas. Idempotent. */
  async revoke(sessionId: string, call: CallContext): Promise<PortalSession> {
    if (!isUuid(sessionId)) throw new DomainError(KeyErrors.PORTAL_SESSION_NOT_FOUND);
    const revoked = await this.sql.transaction(async (sql) => {
      const session = await this.sessions.revoke(sql, sessionId);
      if (session) await this.record(sql, 'portal_session.revoked', session, call);
      return session;
    });
    return revoked ?? this.get(sessionId);
  }

  /** The session of an address or a cookie, in whatever state it is. */
  findBySecret(secret: string): Promise<PortalSession | undefined> {
    return this.sessions.findBySecret(sha256(secret));
  }

  findOpenable(secret: string): Promise<PortalSession | undefined> {
    return this.sessions.findOpenable(sha256(secret));
  }

  /**
   * Opens a session. For two minutes it can be opened again, until the cookie of an opening has been used: the
   * answer may have been lost. The last opening replaces those before it, so that one cookie works.
   */
  async open(
    secret: string,
    callOf: (session: PortalSession) => CallContext,
  ): Promise<{ session: PortalSession; cookie: string } | undefined> {
    const cookie = randomToken();
    const session = await this.sql.transaction(async (sql) => {
      const known = await this.sessions.lockOpenable(sql, sha256(secret));
      if (!known) return undefined;
      const type = known.openTime ? 'portal_session.reopened' : 'portal_session.opened';
      await this.record(sql, type, known, callOf(known));
      return this.sessions.open(sql, known.sessionId, sha256(cookie));
    });
    return session && { session, cookie };
  }

  /** The session of a cookie, if it works. */
  enter(cookie: string): Promise<PortalSession | undefined> {
    return this.sessions.enter(sha256(cookie));
  }

  deleteOld(): Promise<void> {
    return this.sessions.deleteOld();
  }

  private async record(
    sql: SqlExecutor,
    type: PortalAuditType,
    { sessionId, actorId }: PortalSession,
    call: CallContext,
  ): Promise<void> {
    const record = auditRecordOf(type, call, { session_id: sessionId });
    const subjects = { key_id: '', old_key_id: '', actor_id: actorId };
    await this.audit.insert([Object.assign(record, subjects)], sql);
  }
}
