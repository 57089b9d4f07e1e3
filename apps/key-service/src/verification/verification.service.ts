// Says whether a credential is valid. The order of the checks is fixed: shape, checksum, load,
// revoked, expired, address, scopes, rate limit. A derived token stands and falls with its parent.
import { Inject, Injectable } from '@nestjs/common';
import { LOGGER, toDomainError } from '@gatehouse/service-kit';
import type { Logger } from 'pino';
import { LastUsed } from '../usage/last-used.js';
import type { DerivedToken } from '../credentials/derived-token.js';
import type { VerificationErrorCode } from '../wire/enums.js';
import {
  type CacheMode,
  CredentialResolver,
  type Resolved,
} from '../credentials/credential-resolver.js';
import { RateLimiter } from './rate-limiter.js';
import type { VerificationKey } from '../records/verification-key.js';
import { VerificationMetrics } from './verification-metrics.js';
import { type CacheState, refused, type Verification } from './verification-result.js';

/** All members are always there, if undefined: requests of one shape are what is fast. */
export interface VerificationRequest {
  readonly credential: string;
  readonly requiredScopes: readonly string[] | undefined;
  readonly audience: string | undefined;
  readonly cache: CacheMode;
  /** Asked only for keys that are bound to addresses. */
  readonly address: () => string | undefined;
}

@Injectable()
export class VerificationService {
  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly metrics: VerificationMetrics,
    private readonly resolver: CredentialResolver,
    private readonly limiter: RateLimiter,
    private readonly lastUsed: LastUsed,
  ) {}

  /**
   * The outcome when memory alone can tell it: no look-up, no counter in Redis. Undefined when
   * `verify` has to be asked.
   */
  verifyFromCache(request: VerificationRequest, nowMs: number): Verification | undefined {
    const result = this.peek(request, nowMs);
    return result && this.notedHit(result, nowMs);
  }

  /** As `verifyFromCache`, but only when the credential is valid; otherwise nothing is counted. */
  verifyValidFromCache(request: VerificationRequest, nowMs: number): Verification | undefined {
    const result = this.peek(request, nowMs);
    return result?.error === undefined ? result && this.notedHit(result, nowMs) : undefined;
  }

  /** Verifies, with look-ups where they are needed. Never throws. */
  async verify(
    request: VerificationRequest,
  ): Promise<{ result: Verification; cacheState: CacheState }> {
    const nowMs = Date.now();
    const { cache } = request;
    const cached = cache === 'use' ? this.resolver.fromCache(request.credential, nowMs) : undefined;
    const cacheState = cache === 'use' ? (cached ? 'HIT' : 'MISS') : 'SKIP';
    this.metrics.countRead(cached !== undefined);
    try {
      const resolved = cached ?? (await this.resolver.resolve(request.credential, cache));
      const judged =
        typeof resolved === 'string' ? refused(resolved) : judge(resolved, request, Date.now());
      const isLimited = judged.error === undefined && judged.key?.policy;
      const result = isLimited ? await this.limited(judged) : judged;
      return { result: this.noted(result, nowMs), cacheState };
    } catch (error) {
      this.logger[toDomainError(error).logLevel]({ err: error }, 'verification failed');
      return { result: this.noted(refused('VERIFICATION_ERROR_INTERNAL'), nowMs), cacheState };
    }
  }

  private peek(request: VerificationRequest, nowMs: number): Verification | undefined {
    if (request.cache !== 'use') return undefined;
    const resolved = this.resolver.fromCache(request.credential, nowMs);
    if (resolved === undefined || resolved.key.policy !== null) return undefined;
    return judge(resolved, request, nowMs);
  }

  private notedHit(result: Verification, nowMs: number): Verification {
    this.metrics.countRead(true);
    return this.noted(result, nowMs);
  }

  private async limited(judged: Verification): Promise<Verification> {
    if (judged.error !== undefined || !judged.key?.policy) return judged;
    const rateLimit = await this.limiter.count(judged.key.keyId, judged.key.policy);
    if (rateLimit.isAdmitted) return { ...judged, rateLimit };
    return { ...judged, rateLimit, error: 'VERIFICATION_ERROR_RATE_LIMITED' };
  }

  private noted(result: Verification, nowMs: number): Verification {
    this.metrics.countOutcome(result.error);
    if (result.error === undefined && result.key !== null) this.lastUsed.note(result.key, nowMs);
    return result;
  }
}

function judge(resolved: Resolved, request: VerificationRequest, nowMs: number): Verification {
  const { key, token } = resolved;
  const about = token && tokenFacts(token, key);
  return {
    error: faultOf(key, token, request, nowMs),
    key,
    token,
    validJson: about === undefined ? key.validJson : about.validJson,
    rateLimit: undefined,
  };
}

function faultOf(
  key: VerificationKey,
  token: DerivedToken | undefined,
  request: VerificationRequest,
  nowMs: number,
): VerificationErrorCode | undefined {
  if (key.isRevoked) return 'VERIFICATION_ERROR_REVOKED';
  if (key.expireAtMs <= nowMs || (token && token.expireAtMs <= nowMs)) {
    return 'VERIFICATION_ERROR_EXPIRED';
  }
  if (key.addresses || token?.networks.length) {
    const address = request.address();
    const lists = [...(key.addresses ? [key.addresses] : []), ...(token?.networks ?? [])];
    if (!lists.every((list) => list.includes(address))) return 'VERIFICATION_ERROR_IP_NOT_ALLOWED';
  }
  const required = request.requiredScopes;
  if (required?.length) {
    const granted = token ? tokenFacts(token, key).scopes : key.scopes;
    if (!required.every((scope) => granted.includes(scope))) {
      return 'VERIFICATION_ERROR_INSUFFICIENT_SCOPE';
    }
  }
  return token && !reachesAudience(token, request.audience)
    ? 'VERIFICATION_ERROR_INSUFFICIENT_SCOPE'
    : undefined;
}

function reachesAudience(token: DerivedToken, audience: string | undefined): boolean {
  if (!token.audienceCaveats.every((caveat) => caveat === audience)) return false;
  return audience === undefined || token.audiences === null || token.audiences.includes(audience);
}

/** A token never reaches further than its parent does at this moment. */
function tokenFacts(token: DerivedToken, key: VerificationKey): NonNullable<DerivedToken['facts']> {
  if (token.facts?.of === key) return token.facts;
  const { scopes: parentScopes } = key;
  const scopes = token.scopes?.filter((scope) => parentScopes.includes(scope)) ?? parentScopes;
  const result = { ...(JSON.parse(key.validJson) as object), scopes };
  const expireTime = new Date(Math.min(token.expireAtMs, key.expireAtMs)).toISOString();
  const validJson = JSON.stringify({ ...result, expire_time: expireTime });
  token.facts = { of: key, validJson, scopes };
  return token.facts;
}
