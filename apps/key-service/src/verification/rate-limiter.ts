// Fixed windows in Redis, one counter a key, shared by all replicas. The script counts and reads
// the end of the window in one step, so of any number of callers exactly `quota` are admitted.
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

/** Where a key stands after one more request. */
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

@Injectable()
export class RateLimiter {
  private readonly redis: CountingRedis;
  private readonly failures: Counter;
  private loggedAtMs = 0;
  /** Redis is there and does not answer: each question to it costs the two seconds of a timeout. */
  private isSilent = false;
  private isAsked = false;

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
    // One request at a time finds out whether it answers again; the others need not wait for that.
    if (this.isSilent && this.isAsked) return this.uncounted(policy);
    const windowMs = policy.windowSeconds * 1000;
    const name = `${this.config.redisNamespace}keys:rate:${keyId}:${policy.windowSeconds}`;
    this.isAsked = true;
    try {
      const [count, leftMs] = await this.redis.countRequest(name, String(windowMs));
      this.isSilent = false;
      const remaining = BigInt(policy.quota) - BigInt(count);
      return {
        policy,
        isAdmitted: remaining >= 0n,
        remaining: (remaining > 0n ? remaining : 0n).toString(),
        resetAtMs: Date.now() + Number(leftMs),
        resetAfterSeconds: Math.max(1, Math.ceil(Number(leftMs) / 1000)),
      };
    } catch (error) {
      this.isSilent = (error as Error).message === 'Command timed out';
      this.logFailure(error);
      return this.uncounted(policy);
    } finally {
      this.isAsked = false;
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
