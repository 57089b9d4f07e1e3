/** The named limits of a key, and what a verification asks of them. */
import { type InputReader } from '@gatehouse/kit/input';
import {
  DEFAULT_LIMIT,
  type LimitDemand,
  RATE_LIMIT_FALLBACKS,
  RATE_LIMIT_SCOPES,
  type RateLimit,
} from '../../store/keys/rate-limit.types.js';
import { readDuration, readPositiveInt64, TAG } from './key-fields.js';

export const LIMITS_MAX = 8;
export const QUOTA_MAX = 1_000_000_000_000n;
export const WINDOW_SECONDS_MAX = 366 * 86_400;
export const COST_MAX = 1_000_000_000;
export const LIMIT_NAME = /^[a-z][a-z0-9_-]{0,31}$/;
/** `key` is the name of the default limit in headers. */
const RESERVED_NAMES = [DEFAULT_LIMIT, 'key'];
const NAME_FAULT = 'must have 1 to 32 of a-z, 0-9, _ and -, and begin with a letter';

/** `rate_limits`: at most 8, each with a name of its own; empty when unset. */
export function readRateLimits(body: InputReader): RateLimit[] {
  const names = new Set<string>();
  return body.childList('rate_limits', { max: LIMITS_MAX }).map((item) => {
    const limit = readRateLimit(item);
    if (names.has(limit.name)) item.addViolation('name', 'must be given once', undefined);
    names.add(limit.name);
    return limit;
  });
}

function readRateLimit(item: InputReader): RateLimit {
  const name = readName(item);
  if (RESERVED_NAMES.includes(name)) {
    item.addViolation('name', 'is reserved; the default limit is rate_limit_policy', undefined);
  }
  const quota = readPositiveInt64(item, 'quota', QUOTA_MAX);
  const burst = item.raw('burst') === undefined ? quota : readPositiveInt64(item, 'burst');
  if (BigInt(burst) > BigInt(quota)) {
    item.addViolation('burst', 'must be at most quota', undefined);
  }
  const windowSeconds = readDuration(item, 'window', WINDOW_SECONDS_MAX);
  if (item.raw('window') === undefined) {
    item.addViolation('window', 'must be set to a duration such as "60s"', undefined);
  }
  const scope = item.oneOf('scope', RATE_LIMIT_SCOPES) ?? 'key';
  return {
    name,
    quota,
    windowSeconds: windowSeconds ?? 1,
    burst,
    scope,
    tag: readTag(item, scope),
    onError: item.oneOf('on_error', RATE_LIMIT_FALLBACKS) ?? null,
    isStrict: item.boolean('strict') ?? false,
  };
}

function readName(item: InputReader): string {
  const name = item.string('name') ?? '';
  return LIMIT_NAME.test(name) ? name : item.addViolation('name', NAME_FAULT, '');
}

function readTag(item: InputReader, scope: RateLimit['scope']): string {
  const tag = item.string('tag') ?? '';
  if (scope !== 'tag') {
    return tag === '' ? '' : item.addViolation('tag', 'may be set with the scope tag only', '');
  }
  return TAG.test(tag) ? tag : item.addViolation('tag', 'must be a tag, for the scope tag', '');
}

/**
 * `limits`, `credits` and `peek` of a verification; undefined when none says anything. A limit that the key does not
 * have is not an error: keys of one application may have different ones.
 */
export function readLimitDemand(body: InputReader): LimitDemand | undefined {
  const isPeek = body.boolean('peek') ?? false;
  const costs = new Map<string, number>();
  for (const item of body.childList('limits', { max: LIMITS_MAX + 1 })) {
    const name = readName(item);
    if (costs.has(name)) item.addViolation('name', 'must be given once', undefined);
    costs.set(name, item.integer('cost', { max: COST_MAX }) ?? 1);
  }
  const creditCost = body.child('credits')?.integer('cost', { max: COST_MAX }) ?? 1;
  const isPlain = costs.size === 0 && creditCost === 1 && !isPeek;
  return isPlain ? undefined : { costs, creditCost, isPeek };
}
