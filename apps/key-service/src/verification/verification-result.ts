/** The outcome of a verification and its form on the wire. */
import { type DerivedToken, tokenFacts } from './credentials/derived-token.js';
import { CREDENTIAL_ERRORS } from '../errors.js';
import { type VerificationErrorCode } from '@gatehouse/schemas';
import { type LimitOutcome, type LimitState } from './limits/limit-outcome.js';
import { headerName } from './limits/limit-plan.js';
import { type CreditOutcome } from '../store/credits/credit-account.js';
import { DEFAULT_LIMIT } from '../store/keys/rate-limit.types.js';
import { factsOf, type VerificationKey } from '../store/keys/verification-key.js';

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
  readonly rateLimit: LimitOutcome | undefined;
  readonly credits: CreditOutcome | undefined;
  /** Whether memory had the key. SKIP: the caller asked not to use it. */
  readonly cacheState: CacheState;
}

/** The fields that the checks of a verification set. */
type Findings = Pick<Verification, 'error' | 'message' | 'rateLimit' | 'credits'>;

/** A verification while its checks run. */
export type Attempt = Omit<Verification, keyof Findings> & {
  readonly key: VerificationKey;
} & { -readonly [Name in keyof Findings]: Findings[Name] };

/** The key that a credential belongs to, or the parent of a derived token. */
export type Resolved = Pick<Attempt, 'key' | 'token'>;

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
  '"visibility":"KEY_VISIBILITY_UNSPECIFIED","issuer":"","rate_limit_policy":null,"audiences":[]';

/** A refusal without a key. */
export function refused(error: VerificationErrorCode, cacheState: CacheState): Verification {
  return {
    error,
    message: undefined,
    key: null,
    token: undefined,
    validJson: '',
    rateLimit: undefined,
    credits: undefined,
    cacheState,
  };
}

/** The verification of a resolved credential, which is valid until a check refuses it. */
export function attemptFor({ key, token }: Resolved, cacheState: CacheState): Attempt {
  return {
    error: undefined,
    message: undefined,
    key,
    token,
    validJson: token === undefined ? key.validJson : tokenFacts(token, key).validJson,
    rateLimit: undefined,
    credits: undefined,
    cacheState,
  };
}

/** The scopes of the key, or the subset that a token has. */
export function grantedScopes({ key, token }: Verification): readonly string[] {
  return token?.facts?.scopes ?? key?.scopes ?? [];
}

/** The JSON of a verification result. */
export function verificationJson(result: Verification): string {
  const { credits } = result;
  if (result.error === undefined && result.rateLimit === undefined && credits === undefined) {
    return result.validJson;
  }
  const states = result.rateLimit?.states ?? NO_STATES;
  const policy = states[0]?.name === DEFAULT_LIMIT ? states[0] : undefined;
  const remaining = policy?.remaining;
  const resetTime = policy?.resetTime;
  const isNamed = states.length > (policy === undefined ? 0 : 1);
  return (
    `{"is_valid":${result.error === undefined},"status":"${statusName(result)}",` +
    (result.key ? factsOf(result.validJson) : ZERO_FACTS) +
    (remaining === undefined ? '' : `,"rate_limit_remaining":"${remaining}"`) +
    `,"rate_limit_reset_time":${resetTime === undefined ? 'null' : `"${resetTime}"`}` +
    (credits === undefined ? '' : creditsJson(credits)) +
    (isNamed ? `,"rate_limits":[${states.map(stateJson).join(',')}]` : '') +
    (result.error === undefined
      ? '}'
      : `,"error_code":"${result.error}","error_message":${JSON.stringify(messageOf(result.error, result))}}`)
  );
}

function creditsJson({ remaining, refillAtMs }: CreditOutcome): string {
  const refillTime = refillAtMs === null ? 'null' : `"${new Date(refillAtMs).toISOString()}"`;
  return `,"credits":{"remaining":"${remaining}","refill_time":${refillTime}}`;
}

const NO_STATES: readonly LimitState[] = [];

function stateJson(state: LimitState): string {
  const { name, quota, remaining, resetTime, isExceeded, retryAfterMs } = state;
  return (
    `{"name":"${name}","quota":"${quota}"` +
    (remaining === undefined ? '' : `,"remaining":"${remaining}"`) +
    `,"reset_time":${resetTime === undefined ? 'null' : `"${resetTime}"`}` +
    `,"exceeded":${isExceeded}` +
    (retryAfterMs === undefined ? '}' : `,"retry_after":"${secondsOf(retryAfterMs)}s"}`)
  );
}

/** Whole seconds, rounded up. */
function secondsOf(durationMs: number): number {
  return Math.max(1, Math.ceil(durationMs / 1000));
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
export function verificationHeaders(result: Verification): Headers {
  const headers = CACHE_HEADERS[result.cacheState];
  const isPlain = result.rateLimit === undefined && result.credits === undefined;
  return isPlain ? headers : { ...headers, ...meterHeaders(result) };
}

/** The headers of an answer with any number of results. */
export function cacheHeaders(cacheState: CacheState): Headers {
  return CACHE_HEADERS[cacheState];
}

/** The headers about the limits and the credits of a key. */
export function meterHeaders(result: Verification): Headers {
  const list = meterHeaderList(result);
  return Object.fromEntries(
    list.flatMap((name, index) => (index % 2 === 0 ? [[name, list[index + 1] ?? '']] : [])),
  );
}

/**
 * The same as names and values in turn: headers of draft-ietf-httpapi-ratelimit-headers, and Retry-After
 * after a refusal that ends by itself.
 */
export function meterHeaderList({ rateLimit, credits }: Verification): string[] {
  const list: string[] = [];
  let waitMs = 0;
  if (rateLimit !== undefined) {
    list.push('ratelimit-policy', rateLimit.policies);
    let counted = '';
    for (const { name, remaining, resetAfterSeconds, retryAfterMs } of rateLimit.states) {
      waitMs = Math.max(waitMs, retryAfterMs ?? 0);
      if (remaining === undefined) continue;
      if (counted !== '') counted += ', ';
      counted += `"${headerName(name)}";r=${remaining};t=${resetAfterSeconds}`;
    }
    if (counted !== '') list.push('ratelimit', counted);
  }
  if (credits?.isAdmitted === false && credits.refillAtMs !== null) {
    waitMs = Math.max(waitMs, credits.refillAtMs - Date.now());
  }
  if (waitMs > 0) list.push('retry-after', String(secondsOf(waitMs)));
  return list;
}
