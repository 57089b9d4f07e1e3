import { type HashedSecret } from '@gatehouse/crypto';
import { toDomainError } from '@gatehouse/kit/errors';
import { LOGGER } from '@gatehouse/nest-kit/logging';
import { type VerificationErrorCode } from '@gatehouse/schemas';
import { Inject, Injectable } from '@nestjs/common';
import { type Logger } from 'pino';
import { KeyErrors } from '../errors.js';
import { Checks } from './checks.js';
import { credentialOf } from './credentials/credential.js';
import { KeyResolver } from './key-resolver.js';
import { LastUsed } from './usage/last-used.js';
import { RefusalLog } from './usage/refusal-log.js';
import { UsageRecorder } from './usage/usage-recorder.js';
import { VerificationMetrics } from './verification-metrics.js';
import { type VerificationRequest } from './verification-request.js';
import { attemptFor, refused, type Resolved, type Verification } from './verification-result.js';

@Injectable()
export class VerificationService {
  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly resolver: KeyResolver,
    private readonly checks: Checks,
    private readonly metrics: VerificationMetrics,
    private readonly lastUsed: LastUsed,
    private readonly usage: UsageRecorder,
    private readonly refusals: RefusalLog,
  ) {}

  /**
   * Verifies a credential: at once when memory has its key and no store has to be charged, otherwise
   * with a promise. Never throws or rejects.
   */
  verify(request: VerificationRequest): Verification | Promise<Verification> {
    const nowMs = Date.now();
    const credential = credentialOf(request.credential);
    const resolved = request.cache === 'use' ? this.resolver.fromMemory(credential) : undefined;
    this.metrics.countCacheRead(resolved !== undefined);
    if (resolved === undefined) {
      return this.verifyFromStore(this.resolver.fromStore(credential, request.cache), request);
    }
    const checked = this.checks.complete(attemptFor(resolved, 'HIT'), request, nowMs);
    return checked instanceof Promise
      ? checked.then((attempt) => this.recordOutcome(attempt, request, nowMs))
      : this.recordOutcome(checked, request, nowMs);
  }

  /** As `verify`, for an issued secret of which only the hash is known. */
  async verifyHashed(
    secret: HashedSecret,
    address: VerificationRequest['address'],
  ): Promise<Verification> {
    return this.verifyFromStore(this.resolver.ofHashedSecret(secret), {
      credential: '',
      requiredScopes: undefined,
      audience: undefined,
      limits: undefined,
      tags: undefined,
      cache: 'use',
      address,
    });
  }

  private async verifyFromStore(
    resolving: Promise<Resolved | VerificationErrorCode>,
    request: VerificationRequest,
  ): Promise<Verification> {
    const cacheState = request.cache === 'use' ? 'MISS' : 'SKIP';
    try {
      const resolved = await resolving;
      // A key that expires during the lookup is refused.
      const nowMs = Date.now();
      const verification =
        typeof resolved === 'string'
          ? refused(resolved, cacheState)
          : await this.checks.complete(attemptFor(resolved, cacheState), request, nowMs);
      return this.recordOutcome(verification, request, nowMs);
    } catch (error) {
      const failure = toDomainError(error);
      // Not logged: bogus keys would flood the log. A counter tracks them.
      if (failure.definition !== KeyErrors.IMPORTED_HASHES_BUSY) {
        this.logger[failure.logLevel]({ err: error }, 'verification failed');
      }
      const verification = refused('VERIFICATION_ERROR_INTERNAL', cacheState);
      return this.recordOutcome(verification, request, Date.now());
    }
  }

  private recordOutcome(
    verification: Verification,
    request: VerificationRequest,
    nowMs: number,
  ): Verification {
    const { error, key } = verification;
    this.metrics.countOutcome(error);
    if (error === undefined && key !== null) {
      this.lastUsed.recordUse(key, nowMs);
      if (request.tags === undefined && request.limits === undefined) {
        this.usage.countValid(key, nowMs);
        return verification;
      }
    }
    this.recordUsage(verification, request, nowMs);
    return verification;
  }

  private recordUsage(
    { error, key, rateLimit }: Verification,
    { credential, tags = [], limits, address }: VerificationRequest,
    nowMs: number,
  ): void {
    if (limits?.isPeek) return;
    const refusing =
      error === 'VERIFICATION_ERROR_RATE_LIMITED'
        ? rateLimit?.states.find(({ isExceeded }) => isExceeded)
        : undefined;
    const cost = error === undefined ? (limits?.creditCost ?? 1) : 0;
    const limitName = refusing?.name ?? '';
    this.usage.countOutcome({ error, key, limitName, tags, cost, credential }, nowMs);
    if (error !== undefined && key !== null) {
      this.refusals.note(key, error, limitName, address(), nowMs);
    }
  }
}
