import { formatDuration } from '@gatehouse/kit/input';

/**
 * Issued keys are made here; imported keys were made elsewhere and are stored as a keyed hash. A trust
 * rule is a key without a secret: tokens of another issuer are exchanged for its tokens (ADR 0053).
 */
export type KeyKind = (typeof KEY_KINDS)[number];

export const KEY_KINDS = ['issued', 'imported', 'trust'] as const;

/** The position of a name is its number in the API. */
export const REVOCATION_REASONS = [
  'REVOCATION_REASON_UNSPECIFIED',
  'REVOCATION_REASON_KEY_COMPROMISE',
  'REVOCATION_REASON_AFFILIATION_CHANGED',
  'REVOCATION_REASON_SUPERSEDED',
  'REVOCATION_REASON_PRIVILEGE_WITHDRAWN',
] as const;
export type RevocationReason = (typeof REVOCATION_REASONS)[number];

/** `quota` requests per `windowSeconds`; the quota is a 64-bit integer, as text. */
export interface RateLimitPolicy {
  readonly quota: string;
  readonly unit: string;
  readonly windowSeconds: number;
}

/** A rate limit policy as JSON. */
export interface RateLimitPolicyView {
  quota: string;
  unit: string;
  window: string;
}

export function rateLimitPolicyView({
  quota,
  unit,
  windowSeconds,
}: RateLimitPolicy): RateLimitPolicyView {
  return { quota, unit, window: formatDuration(windowSeconds) };
}
