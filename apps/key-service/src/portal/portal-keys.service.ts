import { createHash } from 'node:crypto';
import { type KeyRing } from '@gatehouse/crypto';
import { CONTROL_SCOPES, isControlScope } from '@gatehouse/schemas';
import {
  DomainError,
  type Page,
  PageTokens,
  isUuid,
  type SqlExecutor,
} from '@gatehouse/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { KeyErrors } from '../errors.js';
import { HMAC_RING } from '../key-rings.js';
import { IssueService } from '../keys/issue.service.js';
import { RevokeService } from '../keys/revoke.service.js';
import { RotateService } from '../keys/rotate.service.js';
import { type KeyFilter, type KeyRecord, positionOf } from '../records/key.record.js';
import { KeysRepository } from '../records/keys.repository.js';
import { type CallContext } from '../wire/call-context.js';
import { firstViolation } from '../wire/input.js';
import { type PortalAction } from '../portal.types.js';
import { type PortalSession } from './portal-session.js';
import { PortalRepository } from './portal.repository.js';
import { type DayOfUsage, daysOfUsage, usageRange } from './usage-plot.js';
import { UsageQueries } from '../usage-reports/usage-queries.js';

const PAGE_SIZE = 50;
/** Each day has a row for each outcome. */
const USAGE_ROWS = 1_000;

export interface PortalKeyInput {
  readonly name: string;
  readonly scopes: readonly string[];
  /** Of the form, so that sending it again makes no other key. */
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
    this.pageTokens = PageTokens.fromRing(ring, firstViolation);
  }

  /** Newest first. */
  async list({ actorId }: PortalSession, pageToken: string): Promise<Page<KeyRecord>> {
    const filter = filterOf(actorId);
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

  /** The secret is '' for a form that was sent before. */
  async create(
    session: PortalSession,
    { name, scopes, nonce }: PortalKeyInput,
    context: CallContext,
  ): Promise<{ key: KeyRecord; secret: string }> {
    requireAction(session, 'create');
    const input = {
      ...{ name, actorId: session.actorId, scopes, tags: session.tags, metadata: {} },
      ...{ rateLimitPolicy: null, rateLimits: session.rateLimits, credits: null },
      ...{
        allowedCidrs: [],
        expiringThresholds: null,
        visibility: 'KEY_VISIBILITY_SECRET' as const,
      },
      ttlSeconds: session.keyTtlSeconds ?? undefined,
      prefix: session.prefix ?? undefined,
      requestId: requestIdOf(session, nonce),
    };
    return this.issuing.issue(input, context, async (sql) => {
      await this.requireSession(sql, session);
      await this.requireRoom(sql, session);
    });
  }

  /** Only a key whose scopes the session may give: its new secret is one more that has them. */
  async rotate(
    session: PortalSession,
    keyId: string,
    graceSeconds: number | undefined,
    context: CallContext,
  ): Promise<{ key: KeyRecord; secret: string }> {
    requireAction(session, 'rotate');
    await this.get(session, keyId);
    return this.rotation.rotate(keyId, {}, graceSeconds, context, async (sql) => {
      await this.requireSession(sql, session);
      if (graceSeconds !== undefined) await this.requireRoom(sql, session);
      const key = await this.keys.findForUpdate(sql, keyId);
      if (!key || !isOf(session.actorId, key)) throw new DomainError(KeyErrors.API_KEY_NOT_FOUND);
      if (!canRotate(session, key)) throw new DomainError(KeyErrors.PORTAL_ACTION_NOT_ALLOWED);
    });
  }

  async revoke(session: PortalSession, keyId: string, context: CallContext): Promise<void> {
    requireAction(session, 'revoke');
    await this.get(session, keyId);
    const reason = { reason: 'REVOCATION_REASON_UNSPECIFIED' as const, description: '' };
    await this.revocation.revoke(keyId, ['issued'], reason, context, (sql) =>
      this.requireSession(sql, session),
    );
  }

  private async requireSession(sql: SqlExecutor, { sessionId }: PortalSession): Promise<void> {
    if (await this.sessions.lock(sql, sessionId)) return;
    throw new DomainError(KeyErrors.PORTAL_SESSION_GONE);
  }

  private async requireRoom(sql: SqlExecutor, session: PortalSession): Promise<void> {
    const { actorId, maxKeys } = session;
    if ((await this.sessions.countLiveKeys(sql, actorId, maxKeys)) < maxKeys) return;
    throw new DomainError(KeyErrors.PORTAL_KEYS_LIMIT_REACHED);
  }
}

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
  return hash.digest('base64url').slice(0, 36);
}

const filterOf = (actorId: string): KeyFilter => ({
  actorId,
  ...{ status: undefined, name: undefined, visibility: undefined, tag: undefined },
  ...{ createTime: undefined, expireTime: undefined },
});
