import { Injectable } from '@nestjs/common';
import { credentialKind, CryptoError } from '@gatehouse/crypto';
import { isReservedScope, KeyEvents, type VerificationErrorCode } from '@gatehouse/schemas';
import { DomainError, type ErrorCode } from '@gatehouse/kit/errors';
import { uuidv7 } from '@gatehouse/kit/ids';
import { invalidField, type JsonObject } from '@gatehouse/kit/input';
import { auditEventOf } from '../../events/audit/audit-event.js';
import { AuditLog } from '../../events/audit/audit-log.js';
import { KeyServiceConfig } from '../../config.js';
import { CREDENTIAL_ERRORS, KeyErrors } from '../../errors.js';
import { type VerificationKey } from '../../store/keys/verification-key.js';
import { KeyResolver } from '../../verification/key-resolver.js';
import { type CallContext } from '../../api/call-context.js';
import { quotedNames } from '../../api/quoted-names.js';
import { type TokenAlgorithm } from '../../api/enums.js';
import { CREDENTIAL_BYTES_MAX, credentialOf } from '../../verification/credentials/credential.js';
import {
  type Actor,
  JwtTokens,
  type TokenClaims,
  unreservedClaims,
} from '../../verification/credentials/jwt.js';
import { MacaroonTokens } from '../../verification/credentials/macaroon-tokens.js';

/** The lifetime of tokens without a ttl. */
const DEFAULT_TTL_SECONDS = 3_600;

export interface TokenRequest {
  readonly algorithm: TokenAlgorithm;
  /** Undefined means the default, cut to the remaining life of the parent. */
  readonly ttlSeconds: number | undefined;
  /** Undefined means all scopes of the parent. */
  readonly scopes: readonly string[] | undefined;
  /** Empty for a token that names none. */
  readonly audiences: readonly string[];
  readonly customClaims: JsonObject;
  /** The address of the holder; undefined when it is that of the caller. */
  readonly clientIp: string | undefined;
}

export interface DeriveRequest extends TokenRequest {
  readonly credential: string;
}

/** A token for which a token of another issuer is exchanged. */
export interface ExchangedTokenRequest extends TokenRequest {
  readonly actor: Actor;
  /** Its lifetime, unless the rule ends before. */
  readonly ttlSecondsMax: number;
  /** Is called when nothing else refuses; refuses by throwing. */
  readonly redeem: () => Promise<void>;
}

export interface IssuedToken {
  readonly token: string;
  readonly expireTime: Date;
  readonly ttlSeconds: number;
  readonly scopes: readonly string[];
  readonly claimsJson: string;
}

export function issuedTokenJson({ token, expireTime, scopes, claimsJson }: IssuedToken): string {
  return (
    `{"token":${JSON.stringify(token)},"expire_time":"${expireTime.toISOString()}",` +
    `"scopes":${JSON.stringify(scopes)},"claims":${claimsJson}}`
  );
}

/**
 * The caller that derives. `address` is compared with the networks of the parent, if it has any and the
 * request names no other.
 */
export interface DeriveContext extends CallContext {
  readonly address: () => string | undefined;
}

/**
 * Derives short-lived tokens from a key. A token never outlives its parent and never has more
 * scopes. It is returned only after its audit event is committed.
 */
@Injectable()
export class DeriveService {
  constructor(
    private readonly config: KeyServiceConfig,
    private readonly resolver: KeyResolver,
    private readonly jwts: JwtTokens,
    private readonly macaroons: MacaroonTokens,
    private readonly audit: AuditLog,
  ) {}

  async derive(request: DeriveRequest, context: DeriveContext): Promise<IssuedToken> {
    const kind = credentialKind(request.credential);
    if (kind === 'jwt' || kind === 'macaroon') {
      throw invalidField('credential', 'must be a key, not a derived token');
    }
    const credential = credentialOf(request.credential);
    const resolved =
      this.resolver.fromMemory(credential) ?? (await this.resolver.fromStore(credential, 'use'));
    if (typeof resolved === 'string') throw refusedParent('VERIFICATION_ERROR_NOT_FOUND');
    return this.issue(resolved.key, request, context);
  }

  /** As `derive`, for a key in memory; undefined for every other credential. */
  deriveFromCache(
    request: DeriveRequest,
    context: DeriveContext,
  ): Promise<IssuedToken> | undefined {
    const resolved = this.resolver.fromMemory(credentialOf(request.credential));
    if (resolved === undefined || resolved.token !== undefined) return undefined;
    return this.issue(resolved.key, request, context);
  }

  /** Issues a token of a trust rule. */
  async exchange(
    rule: VerificationKey,
    request: ExchangedTokenRequest,
    context: DeriveContext,
  ): Promise<IssuedToken> {
    return this.issue(rule, request, context);
  }

  private async issue(
    parent: VerificationKey,
    request: TokenRequest & Partial<ExchangedTokenRequest>,
    context: DeriveContext,
  ): Promise<IssuedToken> {
    refuseUnusable(parent, () => request.clientIp ?? context.address());
    const controlScope = request.scopes?.findIndex(isReservedScope) ?? -1;
    if (controlScope !== -1) {
      throw invalidField(`scopes[${controlScope}]`, 'is a control scope, which no token can have');
    }
    const scopes = request.scopes ?? parent.scopes.filter((scope) => !isReservedScope(scope));
    const missing = scopes.filter((scope) => !parent.scopes.includes(scope));
    if (missing.length > 0) {
      const message = `The key does not have the scope ${quotedNames(missing)}.`;
      throw new DomainError(KeyErrors.SCOPE_NOT_GRANTED, { message });
    }
    const claims = this.claimsOf(parent, scopes, request);
    const claimsJson = JSON.stringify(claims);
    const isMacaroon = request.algorithm === 'TOKEN_ALGORITHM_MACAROON';
    const token = isMacaroon
      ? this.mint(claims, request.audiences)
      : await this.jwts.sign(claimsJson);
    if (token.length > CREDENTIAL_BYTES_MAX) throw tooLong();
    await request.redeem?.();
    const expireTime = new Date(claims.exp * 1000);
    const details = {
      token_id: claims.jti,
      algorithm: isMacaroon ? request.algorithm : 'TOKEN_ALGORITHM_JWT',
      expire_time: expireTime.toISOString(),
      ...(request.actor && { actor: request.actor }),
    };
    const key = { keyId: parent.keyId, actorId: parent.actorId };
    await this.audit.record(auditEventOf({ type: KeyEvents.tokenDerived, key, details }, context));
    return { token, expireTime, ttlSeconds: claims.exp - claims.iat, scopes, claimsJson };
  }

  private claimsOf(
    parent: VerificationKey,
    scopes: readonly string[],
    request: TokenRequest & Partial<ExchangedTokenRequest>,
  ): TokenClaims {
    const nowSeconds = Math.floor(Date.now() / 1000);
    const facts = parent.parsedFacts();
    return {
      jti: uuidv7(),
      sub: parent.keyId,
      iss: this.config.issuer,
      iat: nowSeconds,
      nbf: nowSeconds,
      exp: nowSeconds + this.ttlSeconds(parent, nowSeconds, request),
      act: request.actor ?? { sub: facts.actor_id },
      scp: scopes,
      meta: facts.metadata,
      vis: facts.visibility,
      acl: parent.allowedCidrs,
      ...unreservedClaims(request.customClaims),
      ...audClaim(request.audiences),
    };
  }

  /** An explicit ttl is never cut; the default is cut to the remaining life of the parent. */
  private ttlSeconds(
    parent: VerificationKey,
    nowSeconds: number,
    { ttlSeconds: wanted, ttlSecondsMax = DEFAULT_TTL_SECONDS }: Partial<ExchangedTokenRequest>,
  ): number {
    const leftSeconds = Math.floor(parent.expireAtMs / 1000) - nowSeconds;
    const max = Math.min(leftSeconds, this.config.maxTtlSeconds);
    if (wanted === undefined) return Math.max(1, Math.min(ttlSecondsMax, max));
    if (wanted <= max) return wanted;
    throw invalidField('ttl', 'must not be longer than MAX_TTL or what is left of the key');
  }

  private mint(claims: TokenClaims, audiences: readonly string[]): string {
    try {
      return this.macaroons.mint(claims, audiences);
    } catch (error) {
      if (!(error instanceof CryptoError)) throw error;
      throw tooLong();
    }
  }
}

function tooLong(): DomainError {
  const fault = `do not fit into a token of ${CREDENTIAL_BYTES_MAX} bytes with the claims and the metadata`;
  return invalidField('scopes', fault);
}

/** RFC 7519, section 4.1.3: a string for one audience, a list for several. */
function audClaim(audiences: readonly string[]): { aud?: string | readonly string[] } {
  if (audiences.length === 0) return {};
  return { aud: audiences.length === 1 ? audiences[0] : audiences };
}

/** @throws DomainError when a key cannot be used now, from this address */
function refuseUnusable(parent: VerificationKey, address: () => string | undefined): void {
  if (parent.isRevoked) throw refusedParent('VERIFICATION_ERROR_REVOKED');
  if (parent.expireAtMs <= Date.now()) throw refusedParent('VERIFICATION_ERROR_EXPIRED');
  if (parent.isPaused) throw refusedParent('VERIFICATION_ERROR_PAUSED');
  if (parent.addresses && !parent.addresses.includes(address())) {
    throw refusedParent('VERIFICATION_ERROR_IP_NOT_ALLOWED');
  }
}

const PARENT_ERRORS: Partial<Record<VerificationErrorCode, ErrorCode>> = {
  VERIFICATION_ERROR_REVOKED: KeyErrors.API_KEY_REVOKED,
  VERIFICATION_ERROR_EXPIRED: KeyErrors.API_KEY_EXPIRED,
  VERIFICATION_ERROR_PAUSED: KeyErrors.API_KEY_PAUSED,
  VERIFICATION_ERROR_IP_NOT_ALLOWED: KeyErrors.IP_NOT_ALLOWED,
};

function refusedParent(error: VerificationErrorCode): DomainError {
  const { message } = CREDENTIAL_ERRORS[error];
  return new DomainError(PARENT_ERRORS[error] ?? KeyErrors.CREDENTIAL_NOT_VALID, { message });
}
