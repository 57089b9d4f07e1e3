import { Inject, Injectable } from '@nestjs/common';
import { LOGGER, REDIS } from '@gatehouse/service-kit';
import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { Counter, Registry } from 'prom-client';
import { KeyServiceConfig } from '../config.js';
import type { RateLimitPolicy } from '../key.types.js';

const SCRIPT = `
local count = redis.call('INCR', KEYS[1])
local left = redis.call('PTTL', KEYS[1])
if left < 0 then
  redis.call('PEXPIRE', KEYS[1], ARGV[1])
  left = tonumber(ARGV[1])
end
return {tostring(count), tostring(left)}`;
const LOG_INTERVAL_MS = 10_000;

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

type CountingRedis = Redis & {
  countRequest(key: string, windowMs: string): Promise<[count: string, leftMs: string]>;
};

/**
 * Fixed-window rate limits, counted in Redis for all replicas. One script counts and reads the end
 * of the window, so exactly `quota` concurrent requests are admitted.
 */
@Injectable()
export class RateLimiter {
  private readonly redis: CountingRedis;
  private readonly failures: Counter;
  private loggedAtMs = 0;
  /** Redis accepts commands without answering, so every command waits two seconds. */
  private isUnresponsive = false;
  private isProbing = false;

  constructor(
    private readonly config: KeyServiceConfig,
    @Inject(REDIS) redis: Redis,
    @Inject(LOGGER) private readonly logger: Logger,
    registry: Registry,
  ) {
    redis.defineCommand('countRequest', { numberOfKeys: 1, lua: SCRIPT });
    this.redis = redis as CountingRedis;
    this.failures = new Counter({
      name: 'key_rate_limit_failures_total',
      help: 'Requests that were not counted because Redis could not be reached.',
      registers: [registry],
    });
  }

  /** Counts one request. Never throws: without Redis, RATE_LIMIT_ON_ERROR decides. */
  async count(keyId: string, policy: RateLimitPolicy): Promise<RateLimitState> {
    // One request at a time probes Redis; the others do not wait for the timeout.
    if (this.isUnresponsive && this.isProbing) return this.uncounted(policy);
    const windowMs = policy.windowSeconds * 1000;
    const name = `${this.config.redisNamespace}keys:rate:${keyId}:${policy.windowSeconds}`;
    this.isProbing = true;
    try {
      const [count, leftMs] = await this.redis.countRequest(name, String(windowMs));
      this.isUnresponsive = false;
      const remaining = BigInt(policy.quota) - BigInt(count);
      return {
        policy,
        isAdmitted: remaining >= 0n,
        remaining: (remaining > 0n ? remaining : 0n).toString(),
        resetAtMs: Date.now() + Number(leftMs),
        resetAfterSeconds: Math.max(1, Math.ceil(Number(leftMs) / 1000)),
      };
    } catch (error) {
      this.isUnresponsive = (error as Error).message === 'Command timed out';
      this.logFailure(error);
      return this.uncounted(policy);
    } finally {
      this.isProbing = false;
    }
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

  private logFailure(error: unknown): void {
    const nowMs = Date.now();
    if (nowMs - this.loggedAtMs < LOG_INTERVAL_MS) return;
    this.loggedAtMs = nowMs;
    this.logger.warn(
      { reason: String(error), onError: this.config.rateLimitOnError },
      'rate limits are not counted',
    );
  }
}
