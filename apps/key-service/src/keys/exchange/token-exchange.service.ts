import { DomainError } from '@gatehouse/kit/errors';
import { type VerificationErrorCode } from '@gatehouse/schemas';
import { Injectable } from '@nestjs/common';
import { KeyErrors } from '../../errors.js';
import { type TrustRule } from '../../store/keys/trust.types.js';
import { UsedTokensRepository } from '../../store/keys/used-tokens.repository.js';
import { FailureSampler } from '../../verification/failure-sampler.js';
import { KeyResolver } from '../../verification/key-resolver.js';
import { refused } from '../../verification/verification-result.js';
import { RefusedExchangeLimit } from '../attempt-limits.js';
import { type DeriveContext, DeriveService, type IssuedToken } from '../tokens/derive.service.js';
import { type ExternalToken, ExternalTokens } from './external-tokens.js';

export interface TokenExchange {
  readonly subjectToken: string;
  /** Whether the subject token is a key; otherwise it is a token of another issuer. */
  readonly isKey: boolean;
  /** Undefined means all scopes of the key or rule. */
  readonly scopes: readonly string[] | undefined;
  readonly audiences: readonly string[];
}

/** Reasons to refuse a key. The holder of an unknown key must not learn which of them it is. */
const KEY_REFUSALS: Readonly<Record<string, VerificationErrorCode>> = {
  [KeyErrors.CREDENTIAL_NOT_VALID.code]: 'VERIFICATION_ERROR_NOT_FOUND',
  [KeyErrors.API_KEY_REVOKED.code]: 'VERIFICATION_ERROR_REVOKED',
  [KeyErrors.API_KEY_EXPIRED.code]: 'VERIFICATION_ERROR_EXPIRED',
  [KeyErrors.API_KEY_PAUSED.code]: 'VERIFICATION_ERROR_PAUSED',
  [KeyErrors.IP_NOT_ALLOWED.code]: 'VERIFICATION_ERROR_IP_NOT_ALLOWED',
  [KeyErrors.INVALID_GRANT.code]: 'VERIFICATION_ERROR_SIGNATURE_INVALID',
};

/**
 * Exchanges a key, or a token of a trusted issuer, for a derived JWT (RFC 8693). Refused exchanges are
 * limited for each client, and a sample of them is in the audit log.
 */
@Injectable()
export class TokenExchangeService {
  constructor(
    private readonly external: ExternalTokens,
    private readonly resolver: KeyResolver,
    private readonly deriving: DeriveService,
    private readonly usedTokens: UsedTokensRepository,
    private readonly limit: RefusedExchangeLimit,
    private readonly failures: FailureSampler,
  ) {}

  /** @throws DomainError, of which INVALID_GRANT, INVALID_SCOPE and so on are errors of RFC 6749 */
  async exchange(exchange: TokenExchange, context: DeriveContext): Promise<IssuedToken> {
    this.limit.requireAttempt(context.ip);
    try {
      return await (exchange.isKey
        ? this.deriving.derive(keyRequestOf(exchange), context)
        : this.ofExternalToken(exchange, context));
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      const reason = KEY_REFUSALS[error.code];
      if (reason === undefined) throw oauthErrorOf(error);
      this.failures.sample(refused(reason, 'SKIP'), () => context, 'exchange');
      await this.limit.countAttempt(context.ip);
      throw error.code === KeyErrors.INVALID_GRANT.code
        ? error
        : new DomainError(KeyErrors.INVALID_GRANT);
    }
  }

  /**
   * As `exchange`, for a key in memory, and for a token whose rule accepts it more than once; undefined for
   * other keys. Refusals are neither counted nor recorded.
   */
  exchangeAtOnce(
    exchange: TokenExchange,
    context: DeriveContext,
  ): Promise<IssuedToken> | undefined {
    this.limit.requireAttempt(context.ip);
    return exchange.isKey
      ? this.deriving.deriveFromCache(keyRequestOf(exchange), context)
      : this.ofExternalToken(exchange, context, (rule) => !rule.isSingleUse);
  }

  private async ofExternalToken(
    { subjectToken, scopes, audiences }: TokenExchange,
    context: DeriveContext,
    isFor: (rule: TrustRule) => boolean = () => true,
  ): Promise<IssuedToken> {
    const token = await this.external.read(subjectToken);
    const { rule, key } = await this.activeRule(token);
    if (!isFor(rule)) throw new DomainError(KeyErrors.INVALID_GRANT);
    const request = {
      ...JWT,
      ttlSecondsMax: rule.tokenTtlSeconds,
      scopes,
      audiences,
      actor: { sub: token.subject, iss: token.issuer },
      redeem: () => this.redeem(rule, token),
    };
    return this.deriving.exchange(key, request, context);
  }

  private async activeRule({ rules }: ExternalToken) {
    for (const rule of rules) {
      const key = await this.resolver.ofRule(rule.keyId);
      const isActive = key && !key.isRevoked && !key.isPaused && key.expireAtMs > Date.now();
      if (isActive) return { rule, key };
    }
    const message =
      'No active trust rule accepts this token: compare its aud, sub and other claims with the rules.';
    throw new DomainError(KeyErrors.INVALID_GRANT, { message });
  }

  private async redeem(rule: TrustRule, { id, acceptedUntil }: ExternalToken): Promise<void> {
    if (!rule.isSingleUse) return;
    const isFirst = id !== undefined && (await this.usedTokens.use(rule.keyId, id, acceptedUntil));
    if (isFirst) return;
    const message =
      id === undefined
        ? 'The trust rule accepts a token once, so the token needs a jti.'
        : 'The token was exchanged before, and the trust rule accepts it once.';
    throw new DomainError(KeyErrors.INVALID_GRANT, { message });
  }
}

function keyRequestOf({ subjectToken: credential, scopes, audiences }: TokenExchange) {
  return { ...JWT, credential, scopes, audiences };
}

const JWT = {
  algorithm: 'TOKEN_ALGORITHM_JWT',
  ttlSeconds: undefined,
  customClaims: {},
  clientIp: undefined,
} as const;

function oauthErrorOf(error: DomainError): DomainError {
  const isOfScope =
    error.code === KeyErrors.SCOPE_NOT_GRANTED.code ||
    error.violations.some(({ field }) => field.startsWith('scopes'));
  if (!isOfScope) return error;
  return new DomainError(KeyErrors.INVALID_SCOPE, { message: error.message });
}
