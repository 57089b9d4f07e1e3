/**
 * Tokens of other issuers (RFC 7519, RFC 8725). They are verified before their claims are compared with
 * trust rules, so that a refusal says something about a rule only to the holder of a genuine token.
 */
import { DomainError } from '@gatehouse/kit/errors';
import { hasControlCharacter } from '@gatehouse/kit/input';
import { Injectable } from '@nestjs/common';
import { decodeJwt, type JWTPayload, jwtVerify } from 'jose';
import { KeyErrors } from '../../errors.js';
import { type TrustRule } from '../../store/keys/trust.types.js';
import { fitsSubject } from './subject-pattern.js';
import { TrustRules } from './trust-rules.js';
import { TrustedIssuers } from './trusted-issuers.js';

/** No algorithm whose key verifiers could sign with, and not `none`. */
const ALGORITHMS = 'EdDSA Ed25519 ES256 ES384 ES512 RS256 RS384 RS512 PS256 PS384 PS512'.split(' ');
const CLOCK_SKEW_SECONDS = 60;
/** Older tokens are refused, even if they have not expired. */
const AGE_SECONDS_MAX = 86_400;
const SUBJECT_CHARACTERS_MAX = 1_024;
const ID_CHARACTERS_MAX = 1_024;

export interface ExternalToken {
  readonly issuer: string;
  readonly subject: string;
  /** The claim `jti`; undefined without one. */
  readonly id: string | undefined;
  /** After this time no exchange accepts it. */
  readonly acceptedUntil: Date;
  /** The rules that accept it, in the order in which they are tried. */
  readonly rules: readonly TrustRule[];
}

@Injectable()
export class ExternalTokens {
  constructor(
    private readonly rules: TrustRules,
    private readonly issuers: TrustedIssuers,
  ) {}

  /** @throws DomainError INVALID_GRANT, or `unavailable` when the keys of the issuer cannot be read */
  async read(token: string): Promise<ExternalToken> {
    const issuer = issuerOf(token);
    const rules = (await this.rules.current()).filter((rule) => rule.issuer === issuer);
    // Only issuers of rules are asked for their keys.
    if (issuer === undefined || rules.length === 0) throw new DomainError(KeyErrors.INVALID_GRANT);
    const claims = await this.verify(token, issuer);
    const { sub: subject = '', jti, exp = 0, iat = 0 } = claims;
    const hasId = typeof jti === 'string' && jti !== '' && jti.length <= ID_CHARACTERS_MAX;
    const acceptedUntil = Math.min(exp, iat + AGE_SECONDS_MAX) + CLOCK_SKEW_SECONDS;
    return {
      issuer,
      subject,
      id: hasId ? jti : undefined,
      acceptedUntil: new Date(acceptedUntil * 1000),
      rules: rules.filter((rule) => accepts(rule, subject, claims)),
    };
  }

  private async verify(token: string, issuer: string): Promise<JWTPayload> {
    try {
      const { payload } = await jwtVerify(token, this.issuers.keyOf(issuer), {
        issuer,
        algorithms: ALGORITHMS,
        clockTolerance: CLOCK_SKEW_SECONDS,
        maxTokenAge: AGE_SECONDS_MAX,
        requiredClaims: ['aud', 'exp', 'sub'],
      });
      return payload;
    } catch (error) {
      if (error instanceof DomainError) throw error;
      throw new DomainError(KeyErrors.INVALID_GRANT, { cause: error });
    }
  }
}

function issuerOf(token: string): string | undefined {
  try {
    return decodeJwt(token).iss;
  } catch {
    return undefined;
  }
}

/** A token for further audiences is refused, because each of them could exchange it. */
function accepts(rule: TrustRule, subject: unknown, claims: JWTPayload): boolean {
  const [audience, ...others] = [claims.aud].flat();
  return (
    audience === rule.audience &&
    others.length === 0 &&
    typeof subject === 'string' &&
    subject.length <= SUBJECT_CHARACTERS_MAX &&
    !hasControlCharacter(subject) &&
    fitsSubject(rule.subjectPattern, subject) &&
    Object.entries(rule.claims).every(
      ([name, value]) => Object.hasOwn(claims, name) && claims[name] === value,
    )
  );
}
