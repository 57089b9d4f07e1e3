/**
 * Derived JWTs (RFC 7519). Their claims about the parent serve offline verifiers; online
 * verification reads the parent itself.
 */
import { Injectable } from '@nestjs/common';
import { compactVerify, decodeProtectedHeader } from 'jose';
import { type JsonObject } from '@gatehouse/kit/input';
import { type DerivedToken, type TokenFault } from './derived-token.js';
import { SigningKeysService } from './signing-keys.service.js';

const CLOCK_SKEW_SECONDS = 60;

/** Claims that the service sets; custom claims with these names are dropped. */
const RESERVED = new Set([
  'jti',
  'sub',
  'iss',
  'iat',
  'nbf',
  'exp',
  'act',
  'scp',
  'meta',
  'vis',
  'acl',
]);

/** Who acts with a token (RFC 8693, section 4.1): the actor of the key, or a subject of another issuer. */
export interface Actor extends JsonObject {
  sub: string;
  iss?: string;
}

export interface TokenClaims extends JsonObject {
  jti: string;
  sub: string;
  iss: string;
  iat: number;
  nbf: number;
  exp: number;
  /** Tokens that were derived before have the actor as a string. */
  act: Actor;
  scp: readonly string[];
}

/** The `aud` of a token as the only list of audiences; none when it names no audience. */
export function audiencesOf(aud: string | readonly string[] | undefined): (readonly string[])[] {
  return aud === undefined ? [] : [[aud].flat()];
}

/** The caller's claims without the reserved ones. */
export function unreservedClaims(customClaims: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(customClaims).filter(([name]) => !RESERVED.has(name)));
}

@Injectable()
export class JwtTokens {
  constructor(private readonly signingKeys: SigningKeysService) {}

  /** JWS compact serialization (RFC 7515, section 7.1). */
  async sign(claimsJson: string): Promise<string> {
    const { jwsHeader, sign } = this.signingKeys.current();
    const input = `${jwsHeader}.${Buffer.from(claimsJson).toString('base64url')}`;
    const signature = sign(input);
    const bytes = signature instanceof Promise ? await signature : signature;
    return `${input}.${bytes.toString('base64url')}`;
  }

  /** Checks the signature and `nbf`; the expiry is checked together with the parent's. */
  async readJwt(token: string): Promise<DerivedToken | TokenFault> {
    const claims = await this.signedClaims(token);
    if (claims === undefined) return 'VERIFICATION_ERROR_SIGNATURE_INVALID';
    const nowSeconds = Date.now() / 1000;
    if (claims.nbf > nowSeconds + CLOCK_SKEW_SECONDS) return 'VERIFICATION_ERROR_SIGNATURE_INVALID';
    return {
      keyId: claims.sub,
      scopes: claims.scp,
      expireAtMs: claims.exp * 1000,
      audiences: audiencesOf(claims.aud as string | string[] | undefined),
      networks: [],
    };
  }

  /** The claims of a token that this service has signed; undefined for every other text. */
  private async signedClaims(token: string): Promise<TokenClaims | undefined> {
    if (!isCanonical(token)) return undefined;
    try {
      const { kid, alg } = decodeProtectedHeader(token);
      const key = await this.signingKeys.find(String(kid));
      if (key === undefined || alg !== key.algorithm) return undefined;
      const { payload } = await compactVerify(token, key.publicKey, {
        algorithms: [key.algorithm],
      });
      return JSON.parse(Buffer.from(payload).toString('utf8')) as TokenClaims;
    } catch {
      return undefined;
    }
  }
}

/** Whether the signature is written as Base64url writes it: its last character may have unused bits. */
function isCanonical(token: string): boolean {
  const signature = token.slice(token.lastIndexOf('.') + 1);
  return Buffer.from(signature, 'base64url').toString('base64url') === signature;
}
