/** The fields of a trust rule, with their limits. */
import { hasControlCharacter, type InputReader, isWellFormed } from '@gatehouse/kit/input';
import { outboundUrlFault, type OutboundPolicy } from '@gatehouse/kit/outbound';
import { type TrustedClaims } from '../../store/keys/trust.types.js';
import { isTrustedAddress } from '../../setting-rules.js';

const ISSUER_CHARACTERS_MAX = 512;
const AUDIENCE_CHARACTERS_MAX = 1024;
const PATTERN_CHARACTERS_MAX = 512;
const CLAIMS_MAX = 16;
const CLAIM_CHARACTERS_MAX = 255;
/** The lifetime of tokens of a rule that names none. */
const TOKEN_TTL_SECONDS = 3_600;

/** The issuer as its tokens name it: its metadata is below this address (OpenID Connect Discovery 1.0). */
export function readIssuer(body: InputReader, policy: OutboundPolicy): string {
  const issuer = body.text('issuer', { min: 1, max: ISSUER_CHARACTERS_MAX });
  if (issuer === '') return issuer;
  const isPlain = isTrustedAddress(issuer) && !/[?#]|\/\.well-known\//.test(issuer);
  const fault = isPlain
    ? outboundUrlFault(issuer, policy)
    : 'must be an https address without a query, as in the claim iss';
  return fault === undefined ? issuer : body.addViolation('issuer', fault, '');
}

export function readTrustedAudience(body: InputReader): string {
  return body.text('audience', { min: 1, max: AUDIENCE_CHARACTERS_MAX });
}

export function readSubjectPattern(body: InputReader): string {
  const pattern = body.text('subject_pattern', { min: 1, max: PATTERN_CHARACTERS_MAX });
  if (!/^\*+$/.test(pattern)) return pattern;
  return body.addViolation('subject_pattern', 'must name more than *, which is any subject', '');
}

/** Names of claims with the text, true or false that they must have; empty when unset. */
export function readTrustedClaims(body: InputReader): TrustedClaims {
  const claims = body.object('claims') ?? {};
  const entries = Object.entries(claims);
  const isFit = (text: unknown) =>
    typeof text === 'string' &&
    text !== '' &&
    text.length <= CLAIM_CHARACTERS_MAX &&
    !hasControlCharacter(text) &&
    isWellFormed(text);
  const areFit = entries.every(
    ([name, value]) => isFit(name) && (isFit(value) || typeof value === 'boolean'),
  );
  if (areFit && entries.length <= CLAIMS_MAX) return claims as TrustedClaims;
  const fault = `must be at most ${CLAIMS_MAX} names, each with a text of 1 to ${CLAIM_CHARACTERS_MAX} characters, true or false`;
  return body.addViolation('claims', fault, {});
}

export function readTokenTtl(body: InputReader, maxSeconds: number): number {
  const ttlSeconds = body.duration('token_ttl', { max: maxSeconds });
  if (ttlSeconds === 0) return body.addViolation('token_ttl', 'must be at least 1s', 1);
  return ttlSeconds ?? Math.min(TOKEN_TTL_SECONDS, maxSeconds);
}
