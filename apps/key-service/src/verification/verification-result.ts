/** The outcome of a verification and its form on the wire. */
import { type DerivedToken } from '../credentials/derived-token.js';
import { CREDENTIAL_ERRORS } from '../errors.js';
import { type VerificationErrorCode } from '../wire/enums.js';
import { type RateLimitState } from './rate-limiter.js';
import { factsOf, type VerificationKey } from '../records/verification-key.js';

export type CacheState = 'HIT' | 'MISS' | 'SKIP';

export interface Verification {
  /** Undefined when the credential is valid. */
  readonly error: VerificationErrorCode | undefined;
  /** Replaces the general message of the error; undefined if that one is sufficient. */
  readonly message: string | undefined;
  /** The key, or the parent of a derived token; null when none was confirmed. */
  readonly key: VerificationKey | null;
  /** Undefined when the credential is the key itself. */
  readonly token: DerivedToken | undefined;
  /** The answer for a valid credential; '' without a key. */
  readonly validJson: string;
  readonly rateLimit: RateLimitState | undefined;
  /** Whether memory had the key. SKIP: the caller asked not to use it. */
  readonly cacheState: CacheState;
}

type Headers = Readonly<Record<string, string>>;

const CACHE_HEADERS: Readonly<Record<CacheState, Headers>> = {
  HIT: headersFor('HIT'),
  MISS: headersFor('MISS'),
  SKIP: headersFor('SKIP'),
};

function headersFor(cacheState: CacheState): Headers {
  const type = 'application/json; charset=utf-8';
  return { 'content-type': type, 'x-cache': cacheState, 'ory-talos-cache': cacheState };
}

const ZERO_FACTS =
  '"key_id":"","actor_id":"","scopes":[],"metadata":{},"expire_time":null,' +
  '"visibility":"KEY_VISIBILITY_UNSPECIFIED","issuer":"","rate_limit_policy":null';

/** A refusal without a key. */
export function refused(error: VerificationErrorCode, cacheState: CacheState): Verification {
  return {
    error,
    message: undefined,
    key: null,
    token: undefined,
    validJson: '',
    rateLimit: undefined,
    cacheState,
  };
}

/** The scopes of the key, or the subset that a token has. */
export function grantedScopes({ key, token }: Verification): readonly string[] {
  return token?.facts?.scopes ?? key?.scopes ?? [];
}

/** The JSON of a verification result. */
export function verificationJson(result: Verification): string {
  if (result.error === undefined && result.rateLimit === undefined) return result.validJson;
  const remaining = result.rateLimit?.remaining;
  const resetAtMs = result.rateLimit?.resetAtMs;
  return (
    `{"is_valid":${result.error === undefined},"status":"${statusName(result)}",` +
    (result.key ? factsOf(result.validJson) : ZERO_FACTS) +
    (remaining === undefined ? '' : `,"rate_limit_remaining":"${remaining}"`) +
    `,"rate_limit_reset_time":${resetAtMs === undefined ? 'null' : JSON.stringify(new Date(resetAtMs))}` +
    (result.error === undefined
      ? '}'
      : `,"error_code":"${result.error}","error_message":${JSON.stringify(messageOf(result.error, result))}}`)
  );
}

function messageOf(error: VerificationErrorCode, { message }: Verification): string {
  return message ?? CREDENTIAL_ERRORS[error].message;
}

/** The status at the time of the evaluation; reading the clock again could contradict the error. */
function statusName({ key, error }: Verification): string {
  if (key === null) return 'KEY_STATUS_UNSPECIFIED';
  if (key.isRevoked) return 'KEY_STATUS_REVOKED';
  if (error === 'VERIFICATION_ERROR_EXPIRED') return 'KEY_STATUS_EXPIRED';
  return key.isPaused ? 'KEY_STATUS_PAUSED' : 'KEY_STATUS_ACTIVE';
}

/** The headers of an answer with one verification result. */
export function verificationHeaders({ cacheState, rateLimit }: Verification): Headers {
  const headers = CACHE_HEADERS[cacheState];
  return rateLimit === undefined ? headers : { ...headers, ...rateLimitHeaders(rateLimit) };
}

/** The headers of an answer with any number of results. */
export function cacheHeaders(cacheState: CacheState): Headers {
  return CACHE_HEADERS[cacheState];
}

/** Headers of draft-ietf-httpapi-ratelimit-headers, and Retry-After when the quota is exhausted. */
export function rateLimitHeaders(state: RateLimitState): Headers {
  const { policy, remaining, resetAfterSeconds } = state;
  const unit = policy.unit === 'requests' ? '' : `;qu="${policy.unit}"`;
  return {
    'ratelimit-policy': `"key";q=${policy.quota};w=${policy.windowSeconds}${unit}`,
    ...(remaining === undefined
      ? {}
      : { ratelimit: `"key";r=${remaining};t=${resetAfterSeconds}` }),
    ...(state.isAdmitted ? {} : { 'retry-after': String(resetAfterSeconds) }),
  };
}
