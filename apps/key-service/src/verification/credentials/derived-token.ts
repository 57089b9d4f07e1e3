import { type AddressList } from '../../store/keys/address-list.js';
import { type VerificationKey } from '../../store/keys/verification-key.js';

/** The verified content of a derived token. Its parent is looked up at every verification. */
export interface DerivedToken {
  readonly keyId: string;
  /** A subset of the parent's scopes; null means all of them. */
  readonly scopes: readonly string[] | null;
  readonly expireAtMs: number;
  /** The claim `aud` and each `aud` caveat of a macaroon: an audience of each must be expected. */
  readonly audiences: readonly (readonly string[])[];
  /** `ip` caveats of a macaroon: the client's address must be in each of them. */
  readonly networks: readonly AddressList[];
  /** The answer to a valid verification, computed for one version of the parent. */
  facts?: {
    readonly of: VerificationKey;
    readonly validJson: string;
    readonly scopes: readonly string[];
  };
}

/** Why a token is invalid regardless of its parent. */
export type TokenFault =
  'VERIFICATION_ERROR_SIGNATURE_INVALID' | 'VERIFICATION_ERROR_INVALID_FORMAT';

export function isTokenFault(token: DerivedToken | TokenFault): token is TokenFault {
  return typeof token === 'string';
}

/**
 * The answer to a valid verification of a token, computed once for each version of its parent. A
 * token never has more scopes or a longer life than its parent has now.
 */
export function tokenFacts(
  token: DerivedToken,
  key: VerificationKey,
): NonNullable<DerivedToken['facts']> {
  if (token.facts?.of === key) return token.facts;
  const { scopes: parentScopes } = key;
  const scopes = token.scopes?.filter((scope) => parentScopes.includes(scope)) ?? parentScopes;
  const audiences = [...new Set(token.audiences.flat())];
  const result = { ...(JSON.parse(key.validJson) as object), scopes, audiences };
  const expireTime = new Date(Math.min(token.expireAtMs, key.expireAtMs)).toISOString();
  const validJson = JSON.stringify({ ...result, expire_time: expireTime });
  token.facts = { of: key, validJson, scopes };
  return token.facts;
}
