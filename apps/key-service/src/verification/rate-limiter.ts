import { Inject, Injectable } from '@nestjs/common';
import { LOGGER, REDIS, type RedisClient, WindowCounter } from '@gatehouse/service-kit';
import { type Logger } from 'pino';
import { Counter, Registry } from 'prom-client';
import { KeyServiceConfig } from '../config.js';
import { type RateLimitPolicy } from '../key.types.js';
import { RateLimitNotices } from '../usage/rate-limit-notices.js';

/** The state of a rate limit after a request was counted. */
export interface RateLimitState {
  readonly policy: RateLimitPolicy;
  readonly isAdmitted: boolean;
  /** Undefined when the counter could not be reached. */
  readonly remaining: string | undefined;
  readonly resetAtMs: number | undefined;
  /** Whole seconds until the window ends, rounded up. */
  readonly resetAfterSeconds: number;
}

/** The rate limits of keys, counted in Redis for all replicas. */
@Injectable()
export class RateLimiter {
  private readonly counter: WindowCounter;
  private readonly failures: Counter;

  constructor(
    private readonly config: KeyServiceConfig,
    @Inject(REDIS) redis: RedisClient,
    @Inject(LOGGER) logger: Logger,
    registry: Registry,
    private readonly notices: RateLimitNotices,
  ) {
    this.counter = new WindowCounter(redis, logger, config.rateLimitOnError);
    this.failures = new Counter({
      name: 'key_rate_limit_failures_total',
      help: 'Requests that were not counted because Redis could not be reached.',
      registers: [registry],
    });
  }

  /** Counts one request. Never throws: without Redis, RATE_LIMIT_ON_ERROR decides. */
  async count(keyId: string, policy: RateLimitPolicy): Promise<RateLimitState> {
    const name = `${this.config.redisNamespace}keys:rate:${keyId}:${policy.windowSeconds}`;
    const counted = await this.counter.count(name, policy.windowSeconds * 1000);
    if (!counted) return this.uncounted(policy);
    const remaining = BigInt(policy.quota) - counted.count;
    if (remaining < 0n) this.notices.note(keyId);
    return {
      policy,
      isAdmitted: remaining >= 0n,
      remaining: (remaining > 0n ? remaining : 0n).toString(),
      resetAtMs: Date.now() + counted.leftMs,
      resetAfterSeconds: Math.max(1, Math.ceil(counted.leftMs / 1000)),
    };
  }

  private uncounted(policy: RateLimitPolicy): RateLimitState {
    this.failures.inc();
    return {
      policy,
      isAdmitted: this.config.rateLimitOnError === 'open',
      remaining: undefined,
      resetAtMs: undefined,
      resetAfterSeconds: 1,
    };
  }
}
