import type { AddressList } from '../records/address-list.js';
import type { VerificationKey } from '../records/verification-key.js';

/** What a derived token proved about itself; its parent is looked up at every verification. */
export interface DerivedToken {
  readonly keyId: string;
  readonly actorId: string;
  readonly issuedAtSeconds: number;
  /** Never more than the parent had; null leaves the parent's own. */
  readonly scopes: readonly string[] | null;
  readonly expireAtMs: number;
  /** The claim `aud`: one of them must be the audience of the call, where it gives one. */
  readonly audiences: readonly string[] | null;
  /** `aud` caveats of a macaroon: the call must give an audience, and it must be all of these. */
  readonly audienceCaveats: readonly string[];
  /** `ip` caveats of a macaroon: the caller's address must lie in each. */
  readonly networks: readonly AddressList[];
  /** What a valid verification says, made for one version of the parent. */
  facts?: {
    readonly of: VerificationKey;
    readonly validJson: string;
    readonly scopes: readonly string[];
  };
}

/**
 * Whether a key is the one that a token was derived from. The id alone does not say so: an imported
 * key that was deleted has it again when its raw key is imported anew, perhaps for somebody else.
 */
export function isParent(key: VerificationKey, token: DerivedToken): boolean {
  if (token.facts?.of === key) return true;
  return token.issuedAtSeconds >= key.createSeconds && token.actorId === key.actorId;
}

/** A token that cannot be accepted whatever its parent says. */
export type TokenFault =
  'VERIFICATION_ERROR_SIGNATURE_INVALID' | 'VERIFICATION_ERROR_INVALID_FORMAT';

export function isTokenFault(token: DerivedToken | TokenFault): token is TokenFault {
  return typeof token === 'string';
}

/**
 * What a valid verification of a token says, computed once for each version of its parent. A token
 * never reaches further than its parent does now.
 */
export function tokenFacts(
  token: DerivedToken,
  key: VerificationKey,
): NonNullable<DerivedToken['facts']> {
  if (token.facts?.of === key) return token.facts;
  const { scopes: parentScopes } = key;
  const scopes = token.scopes?.filter((scope) => parentScopes.includes(scope)) ?? parentScopes;
  const result = { ...(JSON.parse(key.validJson) as object), scopes };
  const expireTime = new Date(Math.min(token.expireAtMs, key.expireAtMs)).toISOString();
  const validJson = JSON.stringify({ ...result, expire_time: expireTime });
  token.facts = { of: key, validJson, scopes };
  return token.facts;
}
