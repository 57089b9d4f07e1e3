// Says whether a credential is valid. The order of the checks is fixed: shape, checksum, load,
// revoked, expired, address, scopes, rate limit. A derived token stands and falls with its parent.
import { Inject, Injectable } from '@nestjs/common';
import { LOGGER } from '@gatehouse/service-kit';
import type { Logger } from 'pino';
import { Counter, Gauge, Registry } from 'prom-client';
import { LastUsed } from '../usage/last-used.js';
import type { DerivedToken } from '../tokens/derived-token.js';
import type { VerificationErrorCode } from '../wire/enums.js';
import { type CacheMode, CredentialResolver, type Resolved } from './credential-resolver.js';
import { KeyCache } from './key-cache.js';
import { RateLimiter } from './rate-limiter.js';
import { type CacheState, refused, type Verification } from './verification-result.js';

export interface VerificationRequest {
  readonly credential: string;
  /** Asked only for keys that are bound to addresses. */
  readonly address: () => string | undefined;
  readonly requiredScopes?: readonly string[];
  readonly audience?: string;
  readonly cache?: CacheMode;
}

@Injectable()
export class VerificationService {
  private readonly outcomes = new Map<string, { inc(): void }>();
  private readonly outcomeCounter: Counter;
  private readonly hits: { inc(): void };
  private readonly misses: { inc(): void };

  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(Registry) registry: Registry,
    private readonly resolver: CredentialResolver,
    private readonly limiter: RateLimiter,
    private readonly lastUsed: LastUsed,
    cache: KeyCache,
  ) {
    const registers = [registry];
    this.outcomeCounter = new Counter({
      name: 'key_verifications_total',
      help: 'Verified credentials by outcome.',
      labelNames: ['outcome'] as const,
      registers,
    });
    const reads = new Counter({
      name: 'key_cache_reads_total',
      help: 'Verifications that memory alone could answer (hit), and others (miss).',
      labelNames: ['result'] as const,
      registers,
    });
    this.hits = reads.labels('hit');
    this.misses = reads.labels('miss');
    new Gauge({
      name: 'key_cache_entries',
      help: 'Keys held in memory.',
      registers,
      collect() {
        this.set(cache.size);
      },
    });
  }

  /**
   * The outcome when memory alone can tell it: no look-up, no counter in Redis. Undefined when
   * `verify` has to be asked.
   */
  verifyFromCache(request: VerificationRequest, nowMs: number): Verification | undefined {
    if (request.cache !== undefined && request.cache !== 'use') return undefined;
    const resolved = this.resolver.fromCache(request.credential, nowMs);
    if (resolved === undefined || resolved.key.policy !== null) return undefined;
    this.hits.inc();
    return this.noted(this.judge(resolved, request, nowMs), nowMs);
  }

  /** Verifies, with look-ups where they are needed. Never throws. */
  async verify(
    request: VerificationRequest,
  ): Promise<{ result: Verification; cacheState: CacheState }> {
    const nowMs = Date.now();
    const mode = request.cache ?? 'use';
    const cached = mode === 'use' ? this.resolver.fromCache(request.credential, nowMs) : undefined;
    const cacheState = mode === 'use' ? (cached ? 'HIT' : 'MISS') : 'SKIP';
    (cached ? this.hits : this.misses).inc();
    try {
      const resolved = cached ?? (await this.resolver.resolve(request.credential, mode));
      const judged =
        typeof resolved === 'string' ? refused(resolved) : this.judge(resolved, request, nowMs);
      return { result: this.noted(await this.limited(judged), nowMs), cacheState };
    } catch (error) {
      this.logger.error({ err: error }, 'verification failed');
      return { result: this.noted(refused('VERIFICATION_ERROR_INTERNAL'), nowMs), cacheState };
    }
  }

  private judge(
    { key, token }: Resolved,
    request: VerificationRequest,
    nowMs: number,
  ): Verification {
    const about = token && tokenFacts(token, key);
    return {
      error: faultOf({ key, token }, request, nowMs),
      key,
      token,
      facts: about?.json ?? key.facts,
      expireAtMs: token?.expireAtMs ?? key.expireAtMs,
      rateLimit: undefined,
    };
  }

  private async limited(judged: Verification): Promise<Verification> {
    if (judged.error !== undefined || !judged.key?.policy) return judged;
    const rateLimit = await this.limiter.count(judged.key.keyId, judged.key.policy);
    if (rateLimit.isAdmitted) return { ...judged, rateLimit };
    return { ...judged, rateLimit, error: 'VERIFICATION_ERROR_RATE_LIMITED' };
  }

  private noted(result: Verification, nowMs: number): Verification {
    const outcome = result.error ?? 'VALID';
    let counter = this.outcomes.get(outcome);
    if (counter === undefined) {
      const label = outcome.replace('VERIFICATION_ERROR_', '').toLowerCase();
      counter = this.outcomeCounter.labels(label);
      this.outcomes.set(outcome, counter);
    }
    counter.inc();
    if (result.error === undefined && result.key !== null) this.lastUsed.note(result.key, nowMs);
    return result;
  }
}

function faultOf(
  { key, token }: Resolved,
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
function tokenFacts(token: DerivedToken, key: Resolved['key']): NonNullable<DerivedToken['facts']> {
  if (token.facts?.of === key) return token.facts;
  const parent = key.parsedFacts();
  const scopes = token.scopes?.filter((scope) => parent.scopes.includes(scope)) ?? parent.scopes;
  const members = { ...(JSON.parse(`{${key.facts}}`) as object), scopes };
  const expireTime = new Date(Math.min(token.expireAtMs, key.expireAtMs)).toISOString();
  const json = JSON.stringify({ ...members, expire_time: expireTime }).slice(1, -1);
  token.facts = { of: key, json, scopes };
  return token.facts;
}
