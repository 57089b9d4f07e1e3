import { createHash } from 'node:crypto';
import { type KeyRing } from '@gatehouse/crypto';
import { CONTROL_SCOPES, isControlScope } from '@gatehouse/schemas';
import { DomainError, type ErrorCode } from '@gatehouse/kit/errors';
import { isUuid } from '@gatehouse/kit/ids';
import { type Page, PageTokens } from '@gatehouse/kit/paging';
import { type SqlExecutor } from '@gatehouse/kit/sql';
import { Inject, Injectable } from '@nestjs/common';
import { KeyErrors } from '../errors.js';
import { HMAC_RING } from '../key-rings.js';
import { IssueService } from '../keys/issued/issue.service.js';
import { RevokeService } from '../keys/revocation/revoke.service.js';
import { RotateService } from '../keys/issued/rotate.service.js';
import { filterOfActor, type KeyRecord, positionOf } from '../store/keys/key.record.js';
import { KeysRepository } from '../store/keys/keys.repository.js';
import { type CallContext } from '../api/call-context.js';
import { type PortalAction } from '../store/portal/portal.types.js';
import { type PortalSession } from '../store/portal/portal-session.js';
import { PORTAL_REQUESTS, PortalRepository } from '../store/portal/portal.repository.js';
import { type DayOfUsage, daysOfUsage, usageRange } from './usage-plot.js';
import { UsageQueries } from '../keys/usage-reports/usage-queries.js';

const PAGE_SIZE = 50;
/** Besides `max_keys`, how many keys the sessions of an actor make in 24 hours, replaced ones included. */
const NEW_KEYS_MAX = 100;
/** Each day has a row for each outcome. */
const USAGE_ROWS = 1_000;

export interface PortalKeyInput {
  readonly name: string;
  readonly scopes: readonly string[];
  /** The nonce of the form, so that a repeated submission creates no second key. */
  readonly nonce: string;
}

export interface PortalRotation {
  readonly keyId: string;
  /** How long the old key stays valid; undefined for not at all. */
  readonly graceSeconds: number | undefined;
  /** Nonce of the form, as above. */
  readonly nonce: string;
}

/**
 * The keys of a session: those of its actor that were issued. Keys with control scopes belong to
 * operators, and are as unknown here as those of other actors.
 */
@Injectable()
export class PortalKeysService {
  private readonly pageTokens: PageTokens;

  constructor(
    private readonly sessions: PortalRepository,
    private readonly keys: KeysRepository,
    private readonly issuing: IssueService,
    private readonly rotation: RotateService,
    private readonly revocation: RevokeService,
    private readonly usageQueries: UsageQueries,
    @Inject(HMAC_RING) ring: KeyRing,
  ) {
    this.pageTokens = PageTokens.fromRing(ring);
  }

  /** Newest first. */
  async list({ actorId }: PortalSession, pageToken: string): Promise<Page<KeyRecord>> {
    const filter = filterOfActor(actorId);
    const scope = JSON.stringify(['portal', actorId]);
    const page = { pageSize: PAGE_SIZE, pageToken };
    const query = { kind: 'issued', filter, withoutScopes: CONTROL_SCOPES } as const;
    return this.pageTokens.page<KeyRecord>(scope, page, {
      fetch: (after, limit) => this.keys.list({ ...query, after, limit }),
      positionOf: (key) => positionOf(key, filter),
    });
  }

  /** @throws DomainError `not_found`, alike for keys of others and those that do not exist */
  async get({ actorId }: PortalSession, keyId: string): Promise<KeyRecord> {
    const key = isUuid(keyId) ? await this.keys.find(keyId) : undefined;
    if (!key || !isOf(actorId, key)) throw new DomainError(KeyErrors.API_KEY_NOT_FOUND);
    return key;
  }

  /** By day; undefined while it cannot be read, which must not keep anyone from revoking a key. */
  async usage({ keyId: key }: KeyRecord): Promise<DayOfUsage[] | undefined> {
    const range = usageRange();
    const query = { interval: 'day', ...range, groupBy: ['outcome'], equal: { key } } as const;
    try {
      const page = { pageSize: USAGE_ROWS, pageToken: '' };
      return daysOfUsage((await this.usageQueries.page(query, page)).rows, range);
    } catch (error) {
      if (error instanceof DomainError) return undefined;
      throw error;
    }
  }

  /** Why a session can create no key now; undefined if it can. */
  limitOf(session: PortalSession): Promise<DomainError | undefined> {
    return this.limitFault(session, session.maxKeys);
  }

  /** The secret is '' for a form that was sent before. */
  async create(
    session: PortalSession,
    { name, scopes, nonce }: PortalKeyInput,
    context: CallContext,
  ): Promise<{ key: KeyRecord; secret: string }> {
    requireAction(session, 'create');
    const input = {
      name,
      actorId: session.actorId,
      scopes,
      tags: session.tags,
      metadata: {},
      rateLimitPolicy: null,
      rateLimits: session.rateLimits,
      credits: null,
      allowedCidrs: [],
      expiringThresholds: null,
      visibility: 'KEY_VISIBILITY_SECRET' as const,
      ttlSeconds: session.keyTtlSeconds ?? undefined,
      prefix: session.prefix ?? undefined,
      requestId: requestIdOf(session, nonce),
    };
    return this.issuing.issue(input, context, async (sql) => {
      await this.requireSession(sql, session);
      await this.requireRoom(sql, session, session.maxKeys);
    });
  }

  /**
   * Only a key whose scopes the session may give: its new secret is one more that has them. The secret
   * is '' for a form that was sent before.
   */
  async rotate(
    session: PortalSession,
    { keyId, graceSeconds, nonce }: PortalRotation,
    context: CallContext,
  ): Promise<{ key: KeyRecord; secret: string }> {
    requireAction(session, 'rotate');
    await this.get(session, keyId);
    const again = { requestId: requestIdOf(session, `${keyId}:${graceSeconds ?? 0}:${nonce}`) };
    return this.rotation.rotate(keyId, again, graceSeconds, context, async (sql) => {
      await this.requireSession(sql, session);
      // Replaced at once, it makes room for the new one. One key may be in its grace period beside the others.
      const liveMax = graceSeconds === undefined ? undefined : session.maxKeys + 1;
      await this.requireRoom(sql, session, liveMax);
      const key = await this.keys.findForUpdate(sql, keyId);
      if (!key || !isOf(session.actorId, key)) throw new DomainError(KeyErrors.API_KEY_NOT_FOUND);
      if (!canRotate(session, key)) throw new DomainError(KeyErrors.PORTAL_ACTION_NOT_ALLOWED);
    });
  }

  /** Idempotent, because a form may be sent twice. */
  async revoke(session: PortalSession, keyId: string, context: CallContext): Promise<void> {
    requireAction(session, 'revoke');
    await this.get(session, keyId);
    const reason = { reason: 'REVOCATION_REASON_UNSPECIFIED' as const, description: '' };
    const guard = (sql: SqlExecutor) => this.requireSession(sql, session);
    try {
      await this.revocation.revoke(keyId, ['issued'], reason, context, guard);
    } catch (error) {
      const isRevoked =
        error instanceof DomainError && error.definition === KeyErrors.API_KEY_ALREADY_REVOKED;
      if (!isRevoked) throw error;
    }
  }

  private async requireSession(sql: SqlExecutor, { sessionId }: PortalSession): Promise<void> {
    if (await this.sessions.lock(sql, sessionId)) return;
    throw new DomainError(KeyErrors.PORTAL_SESSION_GONE);
  }

  /** @param liveMax with how many live keys there is no room for another one; undefined: there always is */
  private async requireRoom(
    sql: SqlExecutor,
    session: PortalSession,
    liveMax: number | undefined,
  ): Promise<void> {
    await this.sessions.lockActor(sql, session.actorId);
    const fault = await this.limitFault(session, liveMax, sql);
    if (fault) throw fault;
  }

  private async limitFault(
    { actorId, maxKeys }: PortalSession,
    liveMax: number | undefined,
    sql?: SqlExecutor,
  ): Promise<DomainError | undefined> {
    const newMax = maxKeys + NEW_KEYS_MAX;
    const isFull =
      liveMax !== undefined &&
      (await this.sessions.countLiveKeys(actorId, liveMax, sql)) >= liveMax;
    if (isFull) {
      return limitReached(KeyErrors.PORTAL_KEYS_LIMIT_REACHED, maxKeys);
    }
    if ((await this.sessions.countNewKeys(actorId, newMax, sql)) < newMax) return undefined;
    return limitReached(KeyErrors.PORTAL_NEW_KEYS_LIMIT_REACHED, newMax);
  }
}

const limitReached = (definition: ErrorCode, limit: number): DomainError =>
  new DomainError(definition, { metadata: { limit: String(limit) } });

export function canRotate({ allow, scopes }: PortalSession, key: KeyRecord): boolean {
  return allow.includes('rotate') && key.scopes.every((scope) => scopes.includes(scope));
}

function requireAction({ allow }: PortalSession, action: PortalAction): void {
  if (!allow.includes(action)) throw new DomainError(KeyErrors.PORTAL_ACTION_NOT_ALLOWED);
}

function isOf(actorId: string, key: KeyRecord): boolean {
  return key.kind === 'issued' && key.actorId === actorId && !key.scopes.some(isControlScope);
}

/** No other session and no application can have the same. */
function requestIdOf({ sessionId, csrfKey }: PortalSession, nonce: string): string {
  const hash = createHash('sha256').update(csrfKey).update(`${sessionId}:${nonce}`);
  return PORTAL_REQUESTS + hash.digest('base64url');
}
