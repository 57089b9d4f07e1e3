import { formatDuration } from '@gatehouse/kit/input';

/** Issued keys are made here; imported keys were made elsewhere and are stored as a keyed hash. */
export type KeyKind = (typeof KEY_KINDS)[number];

export const KEY_KINDS = ['issued', 'imported'] as const;

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
