import { formatDuration } from '@gatehouse/kit/input';
import { type PortalAction, type PortalLanguage, type PortalState } from './portal.types.js';
import { type RateLimit, rateLimitView } from '../keys/rate-limit.types.js';

/** Terms that the application sets; the user cannot exceed them. */
export interface PortalTerms {
  readonly actorId: string;
  readonly allow: readonly PortalAction[];
  /** Scopes that new keys may have. */
  readonly scopes: readonly string[];
  /** Tags of new keys. */
  readonly tags: readonly string[];
  /** Prefix of new keys; null for the default. */
  readonly prefix: string | null;
  /** The actor may create keys while it has fewer live keys than this. */
  readonly maxKeys: number;
  /** Time to live of new keys; null for the default. */
  readonly keyTtlSeconds: number | null;
  /** Limits of new keys. */
  readonly rateLimits: readonly RateLimit[];
  readonly returnUrl: string | null;
  /** Null for that of the browser. */
  readonly language: PortalLanguage | null;
}

export interface NewPortalSession extends PortalTerms {
  readonly sessionId: string;
  readonly secretSha256: Buffer;
  /** Signs the tokens of its forms. */
  readonly csrfKey: Buffer;
  readonly expireTime: Date;
}

export interface PortalSession extends NewPortalSession {
  readonly createTime: Date;
  readonly openTime: Date | null;
  /** Until then it can be opened again; null before it was opened, and once it was entered. */
  readonly reopenExpireTime: Date | null;
  readonly revokeTime: Date | null;
}

function stateOf({ revokeTime, expireTime, openTime }: PortalSession): PortalState {
  if (revokeTime) return 'REVOKED';
  if (expireTime.getTime() <= Date.now()) return 'EXPIRED';
  return openTime ? 'OPEN' : 'UNOPENED';
}

export function portalSessionView(session: PortalSession) {
  const { keyTtlSeconds } = session;
  return {
    session_id: session.sessionId,
    actor_id: session.actorId,
    state: stateOf(session),
    allow: session.allow,
    scopes: session.scopes,
    tags: session.tags,
    prefix: session.prefix ?? '',
    max_keys: session.maxKeys,
    key_ttl: keyTtlSeconds === null ? '' : formatDuration(keyTtlSeconds),
    rate_limits: session.rateLimits.map(rateLimitView),
    return_url: session.returnUrl ?? '',
    language: session.language ?? '',
    create_time: session.createTime.toISOString(),
    expire_time: session.expireTime.toISOString(),
    open_time: session.openTime?.toISOString() ?? null,
    revoke_time: session.revokeTime?.toISOString() ?? null,
  };
}

export type PortalSessionView = ReturnType<typeof portalSessionView>;
