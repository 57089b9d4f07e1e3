import { type DerivedToken, tokenFacts } from './credentials/derived-token.js';
import { type VerificationKey } from '../store/keys/verification-key.js';
import { type VerificationErrorCode } from '@gatehouse/schemas';
import { quotedNames } from '../api/quoted-names.js';
import { type VerificationRequest } from './verification-request.js';
import { type CacheState, type Verification } from './verification-result.js';

/** The key that a credential belongs to, or the parent of a derived token. */
export interface Resolved {
  readonly key: VerificationKey;
  /** Undefined when the credential is the key itself. */
  readonly token: DerivedToken | undefined;
}

/**
 * Checks a resolved credential in a fixed order: revoked, expired, paused, address, scopes, audience. The
 * rate limit comes after it.
 *
 * @param ownAudience is expected when the request names no audience
 */
export function evaluate(
  { key, token }: Resolved,
  request: VerificationRequest,
  nowMs: number,
  cacheState: CacheState,
  ownAudience: string | undefined,
): Verification {
  const error = errorOf(key, token, request, nowMs);
  const shortfall = error === undefined ? shortfallOf(key, token, request, ownAudience) : undefined;
  return {
    error: shortfall === undefined ? error : 'VERIFICATION_ERROR_INSUFFICIENT_SCOPE',
    message: shortfall,
    key,
    token,
    validJson: token === undefined ? key.validJson : tokenFacts(token, key).validJson,
    rateLimit: undefined,
    credits: undefined,
    cacheState,
  };
}

function errorOf(
  key: VerificationKey,
  token: DerivedToken | undefined,
  request: VerificationRequest,
  nowMs: number,
): VerificationErrorCode | undefined {
  if (key.isRevoked) return 'VERIFICATION_ERROR_REVOKED';
  if (key.expireAtMs <= nowMs || (token && token.expireAtMs <= nowMs)) {
    return 'VERIFICATION_ERROR_EXPIRED';
  }
  if (key.isPaused) return 'VERIFICATION_ERROR_PAUSED';
  if (key.addresses || token?.networks.length) {
    const address = request.address();
    const lists = [...(key.addresses ? [key.addresses] : []), ...(token?.networks ?? [])];
    if (!lists.every((list) => list.includes(address))) return 'VERIFICATION_ERROR_IP_NOT_ALLOWED';
  }
  return undefined;
}

/**
 * What the request demands and the credential lacks, as a message. It names what the request asked
 * for, never what the credential has.
 */
function shortfallOf(
  key: VerificationKey,
  token: DerivedToken | undefined,
  { requiredScopes, audience }: VerificationRequest,
  ownAudience: string | undefined,
): string | undefined {
  if (requiredScopes?.length) {
    const granted = token ? tokenFacts(token, key).scopes : key.scopes;
    const missing = requiredScopes.filter((scope) => !granted.includes(scope));
    if (missing.length > 0) {
      return `The credential does not have the scope ${quotedNames(missing)}.`;
    }
  }
  return token && audienceFault(token, audience ?? ownAudience);
}

/** A token that names an audience is valid for that audience only (RFC 7519, section 4.1.3). */
function audienceFault(token: DerivedToken, expected: string | undefined): string | undefined {
  if (token.audiences === null && token.audienceCaveats.length === 0) return undefined;
  if (expected === undefined) return 'The token is for an audience: name the one that is expected.';
  const isForIt =
    token.audienceCaveats.every((caveat) => caveat === expected) &&
    (token.audiences === null || token.audiences.includes(expected));
  return isForIt ? undefined : `The token is not for the audience "${expected}".`;
}
