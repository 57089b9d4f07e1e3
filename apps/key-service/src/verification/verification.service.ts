import { Inject, Injectable } from '@nestjs/common';
import { type HashedSecret } from '@gatehouse/crypto';
import { toDomainError } from '@gatehouse/kit/errors';
import { LOGGER } from '@gatehouse/nest-kit/logging';
import { type Logger } from 'pino';
import { KeyServiceConfig } from '../config.js';
import { KeyErrors } from '../errors.js';
import { KeyCache } from '../store/cache/key-cache.js';
import { type Credential, credentialOf } from './credentials/credential.js';
import { type CredentialClaim, CredentialReader } from './credentials/credential-reader.js';
import { type CreditOutcome } from '../store/credits/credit-account.js';
import { CreditSpender } from '../store/credits/credit-spender.js';
import { type LimitOutcome } from './limits/limit-outcome.js';
import { RateLimiter } from './limits/rate-limiter.js';
import { KeysRepository } from '../store/keys/keys.repository.js';
import { type VerificationKey } from '../store/keys/verification-key.js';
import { CreditNotices } from './usage/credit-notices.js';
import { LastUsed } from './usage/last-used.js';
import { UsageRecorder } from './usage/usage-recorder.js';
import { type VerificationErrorCode } from '@gatehouse/schemas';
import { evaluate, type Resolved } from './evaluate.js';
import { VerificationMetrics } from './verification-metrics.js';
import { type CacheMode, type VerificationRequest } from './verification-request.js';
import { limitedBy, paidBy, refused, type Verification } from './verification-result.js';

@Injectable()
export class VerificationService {
  constructor(
    private readonly config: KeyServiceConfig,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly credentials: CredentialReader,
    private readonly cache: KeyCache,
    private readonly keys: KeysRepository,
    private readonly limiter: RateLimiter,
    private readonly credits: CreditSpender,
    private readonly metrics: VerificationMetrics,
    private readonly lastUsed: LastUsed,
    private readonly usage: UsageRecorder,
    private readonly creditNotices: CreditNotices,
  ) {}

  /**
   * Verifies a credential: at once when memory has its key and nothing has to be counted in Redis,
   * otherwise with a promise. Never throws or rejects.
   */
  verify(request: VerificationRequest): Verification | Promise<Verification> {
    const nowMs = Date.now();
    const credential = credentialOf(request.credential);
    const found = request.cache === 'use' ? this.lookup(credential, nowMs) : undefined;
    this.metrics.countRead(found !== undefined);
    if (found === undefined) {
      return this.verifyFromStore(() => this.resolve(credential, request.cache), request, nowMs);
    }
    const verification = evaluate(found, request, nowMs, 'HIT', this.config.audience);
    return verification.error === undefined && found.key.isMetered
      ? this.meter(verification, found.key, request, nowMs)
      : this.recordOutcome(verification, request, nowMs);
  }

  /** As `verify`, for an issued secret of which only the hash is known. */
  async verifyHashed(
    secret: HashedSecret,
    address: VerificationRequest['address'],
  ): Promise<Verification> {
    const demands = {
      requiredScopes: undefined,
      audience: undefined,
      limits: undefined,
      tags: undefined,
      cache: 'use',
      address,
    } as const;
    const claim = this.credentials.claimOf(secret);
    return this.verifyFromStore(
      () => this.confirm(claim, secret.digest, 'use'),
      { credential: '', ...demands },
      Date.now(),
    );
  }

  /** The key of a credential from memory; undefined when `resolve` has to read the store. */
  lookup({ digest }: Credential, nowMs: number): Resolved | undefined {
    const key = this.cache.findByDigest(digest, nowMs);
    if (key !== undefined) return { key, token: undefined };
    const token = this.credentials.rememberedToken(digest);
    if (token === undefined) return undefined;
    const parent = this.cache.find(token.keyId, nowMs);
    return parent ? { key: parent, token } : undefined;
  }

  /** The key of a credential, read from the store if needed, or the reason why it has none. */
  async resolve(
    credential: Credential,
    mode: CacheMode,
  ): Promise<Resolved | VerificationErrorCode> {
    const claim = await this.credentials.read(credential, mode !== 'bypass');
    if (typeof claim === 'string') return claim;
    return this.confirm(claim, credential.digest, mode);
  }

  /** The key that a claim names, if it confirms the claim. */
  private async confirm(
    claim: CredentialClaim,
    digest: string,
    mode: CacheMode,
  ): Promise<Resolved | VerificationErrorCode> {
    const { token } = claim;
    const key = await this.load(claim, mode);
    if (key === null || !claim.confirm(key)) {
      if (mode === 'refresh') this.cache.forget(digest);
      return 'VERIFICATION_ERROR_NOT_FOUND';
    }
    if (mode !== 'bypass' && token === undefined) this.cache.confirm(key, digest);
    return { key, token };
  }

  private load(
    { handle, hashes, search }: CredentialClaim,
    mode: CacheMode,
  ): Promise<VerificationKey | null> {
    const readImported = async (names: readonly string[]) => {
      const key = await this.keys.loadImported(names);
      return key === null && (await search?.()) ? this.keys.loadImported(names) : key;
    };
    const read = () =>
      hashes === undefined ? this.keys.loadForVerification(handle) : readImported(hashes);
    if (mode === 'bypass') return read();
    return mode === 'refresh' ? this.cache.refresh(handle, read) : this.cache.fetch(handle, read);
  }

  private async verifyFromStore(
    resolve: () => Promise<Resolved | VerificationErrorCode>,
    request: VerificationRequest,
    startedMs: number,
  ): Promise<Verification> {
    const cacheState = request.cache === 'use' ? 'MISS' : 'SKIP';
    try {
      const resolved = await resolve();
      const verification =
        typeof resolved === 'string'
          ? refused(resolved, cacheState)
          : evaluate(resolved, request, Date.now(), cacheState, this.config.audience);
      return verification.error === undefined && verification.key?.isMetered
        ? await this.meter(verification, verification.key, request, startedMs)
        : this.recordOutcome(verification, request, startedMs);
    } catch (error) {
      const failure = toDomainError(error);
      // A flood of false keys would log as many lines; a counter has them.
      if (failure.definition !== KeyErrors.IMPORTED_HASHES_BUSY) {
        this.logger[failure.logLevel]({ err: error }, 'verification failed');
      }
      const verification = refused('VERIFICATION_ERROR_INTERNAL', cacheState);
      return this.recordOutcome(verification, request, startedMs);
    }
  }

  /** Counts a valid credential against the limits of its key, and then spends its credits. */
  private meter(
    verification: Verification,
    key: VerificationKey,
    request: VerificationRequest,
    nowMs: number,
  ): Verification | Promise<Verification> {
    if (!key.isLimited) return this.pay(verification, key, request, nowMs);
    const proceed = (rateLimit: LimitOutcome) => {
      const counted = limitedBy(verification, rateLimit);
      return counted.error === undefined && key.creditAccount !== null
        ? this.pay(counted, key, request, nowMs)
        : this.recordOutcome(counted, request, nowMs);
    };
    const outcome = this.limiter.count(key, request.limits, nowMs);
    return outcome instanceof Promise ? outcome.then(proceed) : proceed(outcome);
  }

  private pay(
    verification: Verification,
    { keyId, creditAccount }: VerificationKey,
    request: VerificationRequest,
    nowMs: number,
  ): Verification | Promise<Verification> {
    const { creditCost = 1, isPeek = false } = request.limits ?? {};
    const proceed = (credits: CreditOutcome) => {
      if (!credits.isAdmitted && !isPeek) this.creditNotices.note(keyId, creditCost);
      return this.recordOutcome(paidBy(verification, credits), request, nowMs);
    };
    const outcome = this.credits.spend(creditAccount ?? '', creditCost, isPeek, nowMs);
    if (!(outcome instanceof Promise)) return proceed(outcome);
    return outcome.then(proceed, (error: unknown) => {
      this.logger[toDomainError(error).logLevel]({ err: error }, 'credits could not be spent');
      const unpaid = { ...verification, error: 'VERIFICATION_ERROR_INTERNAL' as const };
      return this.recordOutcome(unpaid, request, nowMs);
    });
  }

  private recordOutcome(
    verification: Verification,
    request: VerificationRequest,
    nowMs: number,
  ): Verification {
    const { error, key } = verification;
    this.metrics.countOutcome(error);
    if (error === undefined && key !== null) {
      this.lastUsed.note(key, nowMs);
      if (request.tags === undefined && request.limits === undefined) {
        this.usage.countValid(key, nowMs);
        return verification;
      }
    }
    this.countOther(verification, request, nowMs);
    return verification;
  }

  private countOther(
    { error, key, rateLimit }: Verification,
    { credential, tags = [], limits }: VerificationRequest,
    nowMs: number,
  ): void {
    if (limits?.isPeek) return;
    const refusing =
      error === 'VERIFICATION_ERROR_RATE_LIMITED'
        ? rateLimit?.states.find(({ isExceeded }) => isExceeded)
        : undefined;
    const cost = error === undefined ? (limits?.creditCost ?? 1) : 0;
    const limitName = refusing?.name ?? '';
    this.usage.count({ error, key, limitName, tags, cost, credential }, nowMs);
  }
}
