import { type DerivedToken, tokenFacts } from '../credentials/derived-token.js';
import type { VerificationKey } from '../records/verification-key.js';
import type { VerificationErrorCode } from '../wire/enums.js';
import type { VerificationRequest } from './verification-request.js';
import type { CacheState, Verification } from './verification-result.js';

/** The key that a credential belongs to, or the parent of a derived token. */
export interface Resolved {
  readonly key: VerificationKey;
  /** Undefined when the credential is the key itself. */
  readonly token: DerivedToken | undefined;
}

/**
 * Checks a resolved credential in a fixed order: revoked, expired, address, scopes, audience. The
 * rate limit comes after it.
 */
export function evaluate(
  { key, token }: Resolved,
  request: VerificationRequest,
  nowMs: number,
  cacheState: CacheState,
): Verification {
  return {
    error: errorOf(key, token, request, nowMs),
    key,
    token,
    validJson: token === undefined ? key.validJson : tokenFacts(token, key).validJson,
    rateLimit: undefined,
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
