/** `keys.verify`: the request and the result of the verify route, without its transport. */
import {
  ANY_OBJECT,
  exactObject,
  FLAG,
  type JsonSchema,
  listOf,
  orNull,
  TEXT,
  TEXTS,
  TIME,
} from './json-schema.js';

export const KEY_STATUSES = [
  'KEY_STATUS_UNSPECIFIED',
  'KEY_STATUS_ACTIVE',
  'KEY_STATUS_REVOKED',
  'KEY_STATUS_EXPIRED',
  'KEY_STATUS_PAUSED',
] as const;
export type KeyStatus = (typeof KEY_STATUSES)[number];

export const KEY_VISIBILITIES = [
  'KEY_VISIBILITY_UNSPECIFIED',
  'KEY_VISIBILITY_SECRET',
  'KEY_VISIBILITY_PUBLIC',
] as const;
export type KeyVisibility = (typeof KEY_VISIBILITIES)[number];

export const VERIFICATION_ERRORS = [
  'VERIFICATION_ERROR_UNSPECIFIED',
  'VERIFICATION_ERROR_INVALID_FORMAT',
  'VERIFICATION_ERROR_EXPIRED',
  'VERIFICATION_ERROR_REVOKED',
  'VERIFICATION_ERROR_NOT_FOUND',
  'VERIFICATION_ERROR_SIGNATURE_INVALID',
  'VERIFICATION_ERROR_INTERNAL',
  'VERIFICATION_ERROR_IP_NOT_ALLOWED',
  'VERIFICATION_ERROR_RATE_LIMITED',
  'VERIFICATION_ERROR_INSUFFICIENT_SCOPE',
  'VERIFICATION_ERROR_PAUSED',
  'VERIFICATION_ERROR_CREDITS_EXHAUSTED',
  'VERIFICATION_ERROR_AUDIENCE_MISMATCH',
] as const;
export type VerificationErrorCode = (typeof VERIFICATION_ERRORS)[number];

export interface VerifyKeyRequest {
  credential: string;
  required_scopes?: readonly string[];
  /** A token must name it; a key is valid too. */
  audience?: string;
  /** The credential must name one of them. */
  expected_audiences?: readonly string[];
  /** The address of the client; without it, keys that are bound to networks are refused. */
  client_ip?: string;
  /** By the name of the limit; the others cost 1. */
  limits?: readonly { name: string; cost?: number }[];
  /** The cost in credits; 1 by default. */
  credits?: { cost?: number };
  /** Whether to check the key without charging it. */
  peek?: boolean;
  /** Tags of the verification, counted beside the tags of the key. */
  tags?: readonly string[];
}

/** A limit after a verification; `default` is the limit of `rate_limit_policy`. */
export interface RateLimitState {
  name: string;
  quota: string;
  remaining?: string;
  reset_time: string | null;
  /** Whether it refused. */
  exceeded: boolean;
  retry_after?: string;
}

export interface VerifyKeyReply {
  is_valid: boolean;
  status: KeyStatus;
  /** '' when no key was confirmed, as are `actor_id` and `issuer`. */
  key_id: string;
  actor_id: string;
  scopes: readonly string[];
  metadata: Readonly<Record<string, unknown>>;
  expire_time: string | null;
  visibility: KeyVisibility;
  issuer: string;
  /** `quota` is a decimal number, `window` a duration such as `60s`. */
  rate_limit_policy: { quota: string; unit: string; window: string } | null;
  /** Those that a token names. */
  audiences: readonly string[];
  /** A decimal number. */
  rate_limit_remaining?: string;
  rate_limit_reset_time: string | null;
  /** States of the named limits of a key. */
  rate_limits?: readonly RateLimitState[];
  /** The credit balance of a key. */
  credits?: { remaining: string; refill_time: string | null };
  /** Present exactly when the credential is not valid. */
  error_code?: VerificationErrorCode;
  error_message?: string;
}

/** Sent on `Channels.keysInvalidate`: key ids, or `signing-keys`. */
export type KeyInvalidation = readonly string[];

export const VERIFY_KEY_REQUEST: JsonSchema = exactObject(
  { credential: { type: 'string', minLength: 1 } },
  {
    required_scopes: TEXTS,
    audience: TEXT,
    expected_audiences: TEXTS,
    client_ip: TEXT,
    limits: listOf(exactObject({ name: TEXT }, { cost: { type: 'integer', minimum: 0 } })),
    credits: exactObject({}, { cost: { type: 'integer', minimum: 0 } }),
    peek: FLAG,
    tags: TEXTS,
  },
);

export const VERIFY_KEY_REPLY: JsonSchema = exactObject(
  {
    is_valid: { type: 'boolean' },
    status: { enum: KEY_STATUSES },
    key_id: TEXT,
    actor_id: TEXT,
    scopes: TEXTS,
    metadata: ANY_OBJECT,
    expire_time: orNull(TIME),
    visibility: { enum: KEY_VISIBILITIES },
    issuer: TEXT,
    rate_limit_policy: orNull(exactObject({ quota: TEXT, unit: TEXT, window: TEXT })),
    audiences: TEXTS,
    rate_limit_reset_time: orNull(TIME),
  },
  {
    rate_limit_remaining: { type: 'string', pattern: '^[0-9]+$' },
    credits: exactObject({ remaining: TEXT, refill_time: orNull(TIME) }),
    rate_limits: listOf(
      exactObject(
        { name: TEXT, quota: TEXT, reset_time: orNull(TIME), exceeded: FLAG },
        { remaining: { type: 'string', pattern: '^[0-9]+$' }, retry_after: TEXT },
      ),
    ),
    error_code: { enum: VERIFICATION_ERRORS },
    error_message: TEXT,
  },
);

export const KEY_INVALIDATION: JsonSchema = TEXTS;
