/** Reads the fields of a new key. */
import { type InputReader } from '@gatehouse/kit/input';
import { type KeyServiceConfig } from '../config.js';
import { type ForeignHash } from '../store/hashes/foreign-hash.js';
import { readForeignHash } from '../api/fields/hash-fields.js';
import { KEY_VISIBILITIES, type KeyVisibility } from '@gatehouse/schemas';
import {
  readActorId,
  readAllowedCidrs,
  readDuration,
  readExpiringThresholds,
  readMetadata,
  readRateLimitPolicy,
  readScopes,
  readTags,
} from '../api/fields/key-fields.js';
import { readCredits } from '../api/fields/credit-fields.js';
import { readRateLimits } from '../api/fields/limit-fields.js';
import {
  readIssuer,
  readSubjectPattern,
  readTokenTtl,
  readTrustedAudience,
  readTrustedClaims,
} from '../api/fields/trust-fields.js';
import { type NewKey } from '../store/keys/key.record.js';
import { type TrustTerms } from '../store/keys/trust.types.js';

const REQUEST_ID_CHARACTERS_MAX = 36;
/** Shorter raw keys could be guessed, and no other characters arrive unchanged in a header. */
const RAW_KEY = /^[\x21-\x7e]{8,4096}$/;
const RAW_KEY_FAULT = 'must be a string of 8 to 4096 visible ASCII characters, without blanks';

export interface KeyInput extends Pick<
  NewKey,
  | 'name'
  | 'actorId'
  | 'scopes'
  | 'metadata'
  | 'tags'
  | 'rateLimitPolicy'
  | 'rateLimits'
  | 'credits'
  | 'allowedCidrs'
  | 'expiringThresholds'
  | 'visibility'
> {
  /** Undefined means the default. */
  readonly ttlSeconds: number | undefined;
  readonly requestId: string | null;
}

export interface IssueInput extends KeyInput {
  /** Undefined means the default. */
  readonly prefix: string | undefined;
}

export interface TrustInput extends KeyInput {
  readonly trust: TrustTerms;
}

export interface ImportInput extends KeyInput {
  /** '' when the key is known by its hash only. */
  readonly rawKey: string;
  readonly foreignHash: ForeignHash | undefined;
}

/** Reads the fields of a new key; violations stay in the reader. */
export function readKeyInput(body: InputReader, maxTtlSeconds: number): KeyInput {
  return {
    name: body.text('name', { min: 1 }),
    actorId: readActorId(body),
    scopes: readScopes(body),
    ttlSeconds: readDuration(body, 'ttl', maxTtlSeconds),
    metadata: readMetadata(body),
    tags: readTags(body),
    rateLimitPolicy: readRateLimitPolicy(body),
    rateLimits: readRateLimits(body),
    credits: readCredits(body),
    allowedCidrs: readAllowedCidrs(body),
    expiringThresholds: readExpiringThresholds(body),
    visibility: readVisibility(body),
    requestId: body.text('request_id', { max: REQUEST_ID_CHARACTERS_MAX }) || null,
  };
}

export function readIssueInput(body: InputReader, maxTtlSeconds: number): IssueInput {
  return { prefix: readPrefix(body), ...readKeyInput(body, maxTtlSeconds) };
}

export function readTrustInput(body: InputReader, config: KeyServiceConfig): TrustInput {
  return { trust: readTrustTerms(body, config), ...readKeyInput(body, config.maxTtlSeconds) };
}

function readTrustTerms(
  body: InputReader,
  { maxTtlSeconds, webhooks }: KeyServiceConfig,
): TrustTerms {
  return {
    issuer: readIssuer(body, webhooks),
    audience: readTrustedAudience(body),
    subjectPattern: readSubjectPattern(body),
    claims: readTrustedClaims(body),
    tokenTtlSeconds: readTokenTtl(body, maxTtlSeconds),
    isSingleUse: body.boolean('single_use') ?? false,
  };
}

/** Undefined when unset. */
export function readPrefix(body: InputReader): string | undefined {
  return body.text('prefix') || undefined;
}

export function readImportInput(
  body: InputReader,
  { maxTtlSeconds }: KeyServiceConfig,
): ImportInput {
  const foreignHash = readForeignHash(body);
  if (foreignHash !== undefined && body.raw('raw_key') !== undefined) {
    body.addViolation('hash', 'must not be sent with raw_key', undefined);
  }
  const rawKey = body.raw('hash') === undefined ? readRawKey(body) : '';
  return { rawKey, foreignHash, ...readKeyInput(body, maxTtlSeconds) };
}

/** It is hashed, never stored. */
function readRawKey(body: InputReader): string {
  const rawKey = body.raw('raw_key') ?? '';
  if (typeof rawKey === 'string' && RAW_KEY.test(rawKey)) return rawKey;
  return body.addViolation('raw_key', rawKey === '' ? 'must not be empty' : RAW_KEY_FAULT, '');
}

/** Unspecified means secret. */
function readVisibility(body: InputReader): KeyVisibility {
  const visibility = body.enumeration('visibility', KEY_VISIBILITIES);
  return visibility === 'KEY_VISIBILITY_UNSPECIFIED' ? 'KEY_VISIBILITY_SECRET' : visibility;
}
