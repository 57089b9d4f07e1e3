import { toDomainError } from '@gatehouse/kit/errors';
import { LOGGER } from '@gatehouse/nest-kit/logging';
import { type VerificationErrorCode } from '@gatehouse/schemas';
import { Inject, Injectable } from '@nestjs/common';
import { type Logger } from 'pino';
import { quotedNames } from '../api/quoted-names.js';
import { KeyServiceConfig } from '../config.js';
import { CREDENTIAL_OF_LEAVER } from '../errors.js';
import { CreditSpender } from '../store/credits/credit-spender.js';
import { DEFAULT_LIMIT } from '../store/keys/rate-limit.types.js';
import { type DerivedToken, tokenFacts } from './credentials/derived-token.js';
import { RateLimiter } from './limits/rate-limiter.js';
import { CreditNotices } from './usage/credit-notices.js';
import {
  type AudienceDemand,
  demandFor,
  type VerificationRequest,
} from './verification-request.js';
import { type Attempt } from './verification-result.js';

/** Undefined when the check passes, otherwise the error of the verification. */
type Outcome = VerificationErrorCode | undefined;

/** A check may complete the attempt with a message, or with what is left of limits and credits. */
type Check = (
  attempt: Attempt,
  request: VerificationRequest,
  nowMs: number,
) => Outcome | Promise<Outcome>;

/** The checks of a resolved credential. The first that refuses decides, and none after it runs. */
@Injectable()
export class Checks {
  private readonly inOrder: readonly Check[] = [
    revoked,
    expired,
    paused,
    address,
    scopes,
    (attempt, request) => audience(attempt, request.audience ?? this.defaultAudience),
    // Only a credential that is valid otherwise is charged.
    (attempt, request) => this.limits(attempt, request),
    (attempt, request) => this.credits(attempt, request),
  ];

  private readonly defaultAudience: AudienceDemand | undefined;

  constructor(
    config: KeyServiceConfig,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly limiter: RateLimiter,
    private readonly spender: CreditSpender,
    private readonly creditNotices: CreditNotices,
  ) {
    this.defaultAudience = demandFor(config.audience);
  }

  /** Completes the attempt: at once, unless Redis or PostgreSQL has to be asked. Never rejects. */
  complete(
    attempt: Attempt,
    request: VerificationRequest,
    nowMs: number,
    from = 0,
  ): Attempt | Promise<Attempt> {
    for (let index = from; index < this.inOrder.length; index += 1) {
      const outcome = this.inOrder[index]?.(attempt, request, nowMs);
      if (outcome instanceof Promise) {
        return outcome.then((error) => {
          attempt.error = error;
          return error ? attempt : this.complete(attempt, request, nowMs, index + 1);
        });
      }
      attempt.error = outcome;
      if (outcome !== undefined) return attempt;
    }
    return attempt;
  }

  private limits(attempt: Attempt, { limits }: VerificationRequest) {
    if (!attempt.key.isLimited) return undefined;
    const charged = this.limiter.charge(attempt.key, limits);
    return charged instanceof Promise
      ? charged.then((outcome) => limited(attempt, outcome))
      : limited(attempt, charged);
  }

  private credits(attempt: Attempt, { limits }: VerificationRequest) {
    const { keyId, creditAccount } = attempt.key;
    if (creditAccount === null) return undefined;
    const { creditCost = 1, isPeek = false } = limits ?? {};
    const paid = (outcome: NonNullable<Attempt['credits']>): Outcome => {
      attempt.credits = outcome;
      if (outcome.isAdmitted) return undefined;
      if (!isPeek) this.creditNotices.announceLater(keyId, creditCost);
      return 'VERIFICATION_ERROR_CREDITS_EXHAUSTED';
    };
    const spent = this.spender.spend(creditAccount, creditCost, isPeek);
    if (!(spent instanceof Promise)) return paid(spent);
    return spent.then(paid, (error: unknown): Outcome => {
      this.logger[toDomainError(error).logLevel]({ err: error }, 'credits could not be spent');
      return 'VERIFICATION_ERROR_INTERNAL';
    });
  }
}

function revoked(attempt: Attempt): Outcome {
  return attempt.key.isRevoked ? stopped(attempt, 'VERIFICATION_ERROR_REVOKED') : undefined;
}

function expired({ key, token }: Attempt, _request: VerificationRequest, nowMs: number): Outcome {
  const isOver = key.expireAtMs <= nowMs || (token !== undefined && token.expireAtMs <= nowMs);
  return isOver ? 'VERIFICATION_ERROR_EXPIRED' : undefined;
}

function paused(attempt: Attempt): Outcome {
  return attempt.key.isPaused ? stopped(attempt, 'VERIFICATION_ERROR_PAUSED') : undefined;
}

/** The answer names the actor; the message says that it has left. */
function stopped(attempt: Attempt, error: VerificationErrorCode): VerificationErrorCode {
  if (attempt.key.hasLeft) attempt.message = CREDENTIAL_OF_LEAVER;
  return error;
}

function address({ key, token }: Attempt, request: VerificationRequest): Outcome {
  if (key.addresses === null && !token?.networks.length) return undefined;
  const client = request.address();
  const isAllowed =
    (key.addresses?.includes(client) ?? true) &&
    (token?.networks.every((network) => network.includes(client)) ?? true);
  return isAllowed ? undefined : 'VERIFICATION_ERROR_IP_NOT_ALLOWED';
}

/** The message names what the request demands, never what the credential has. */
function scopes(attempt: Attempt, { requiredScopes }: VerificationRequest): Outcome {
  if (!requiredScopes?.length) return undefined;
  const { key, token } = attempt;
  const granted = token ? tokenFacts(token, key).scopes : key.scopes;
  const missing = requiredScopes.filter((scope) => !granted.includes(scope));
  if (missing.length === 0) return undefined;
  attempt.message = `The credential does not have the scope ${quotedNames(missing)}.`;
  return 'VERIFICATION_ERROR_INSUFFICIENT_SCOPE';
}

/** A token that names audiences is valid only where one is expected (RFC 7519, section 4.1.3). */
function audience(attempt: Attempt, demand: AudienceDemand | undefined): Outcome {
  const { token } = attempt;
  if (token === undefined && (demand?.admitsKeys ?? true)) return undefined;
  if (isFor(token?.audiences ?? [], demand)) return undefined;
  attempt.message =
    demand === undefined
      ? 'The token is for an audience: name the one that is expected.'
      : `The credential is not for the audience ${quotedNames(demand.names)}.`;
  return 'VERIFICATION_ERROR_AUDIENCE_MISMATCH';
}

function isFor(audiences: DerivedToken['audiences'], demand: AudienceDemand | undefined): boolean {
  if (demand === undefined) return audiences.length === 0;
  const isExpected = (name: string) => demand.names.includes(name);
  return audiences.length > 0 && audiences.every((names) => names.some(isExpected));
}

function limited(attempt: Attempt, outcome: NonNullable<Attempt['rateLimit']>): Outcome {
  attempt.rateLimit = outcome;
  if (outcome.isAdmitted) return undefined;
  const refusing = outcome.states.filter(({ isExceeded }) => isExceeded);
  const names = refusing.map(({ name }) => name).filter((name) => name !== DEFAULT_LIMIT);
  if (names.length > 0) attempt.message = `The credential exceeds its limit ${quotedNames(names)}.`;
  return 'VERIFICATION_ERROR_RATE_LIMITED';
}
