import { formatDuration } from '@gatehouse/kit/input';

/** Owner of the budget: the key alone, the keys of its actor, or those of its actor with a tag. */
export const RATE_LIMIT_SCOPES = ['key', 'actor', 'tag'] as const;
export type RateLimitScope = (typeof RATE_LIMIT_SCOPES)[number];

/** The decision on a verification that cannot be counted. */
export const RATE_LIMIT_FALLBACKS = ['allow', 'deny'] as const;
export type RateLimitFallback = (typeof RATE_LIMIT_FALLBACKS)[number];

/** The limit that `rate_limit_policy` is. */
export const DEFAULT_LIMIT = 'default';

/**
 * A named limit of a key: at most `burst` at once, and then `quota` in `windowSeconds`, evenly. Both
 * are 64-bit integers, as text. Stored as it is, as JSON.
 */
export interface RateLimit {
  readonly name: string;
  readonly quota: string;
  readonly windowSeconds: number;
  readonly burst: string;
  readonly scope: RateLimitScope;
  /** '' unless the scope is `tag`. */
  readonly tag: string;
  /** Null for RATE_LIMIT_ON_ERROR. */
  readonly onError: RateLimitFallback | null;
  readonly isStrict: boolean;
}

/** The cost of a verification: units of the limits and credits of its key. */
export interface LimitDemand {
  /** By the name of the limit; the others cost 1. */
  readonly costs: ReadonlyMap<string, number>;
  readonly creditCost: number;
  /** Whether to check the key without charging it. */
  readonly isPeek: boolean;
}

export interface RateLimitView {
  name: string;
  quota: string;
  window: string;
  burst: string;
  scope: RateLimitScope;
  tag?: string;
  on_error?: RateLimitFallback;
  strict: boolean;
}

export function rateLimitView(limit: RateLimit): RateLimitView {
  const { name, quota, windowSeconds, burst, scope, tag, onError, isStrict } = limit;
  return {
    name,
    quota,
    window: formatDuration(windowSeconds),
    burst,
    scope,
    ...(scope === 'tag' && { tag }),
    ...(onError !== null && { on_error: onError }),
    strict: isStrict,
  };
}
