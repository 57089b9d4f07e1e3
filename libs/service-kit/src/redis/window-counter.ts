import { type Logger } from 'pino';
import { type RedisClient } from './redis-connection.js';

const SCRIPT = `
local window = tonumber(ARGV[1])
local left = redis.call('PTTL', KEYS[1])
if left < 0 or left > window then
  redis.call('SET', KEYS[1], 0, 'PX', window)
  left = window
end
local count = redis.call('INCR', KEYS[1])
return {tostring(count), tostring(left)}`;
const LOG_INTERVAL_MS = 10_000;

/** What one key has counted in its window, this time included. */
export interface WindowCount {
  readonly count: bigint;
  /** Until the window ends. */
  readonly leftMs: number;
}

type CountingRedis = RedisClient & {
  countRequest(key: string, windowMs: string): Promise<[count: string, leftMs: string]>;
};

/**
 * Counts in fixed windows, in Redis, for all replicas. One script counts and reads the end of the
 * window, so of concurrent requests exactly as many as wanted see a count within the limit.
 */
export class WindowCounter {
  private readonly redis: CountingRedis;
  private loggedAtMs = 0;
  /** Redis accepts commands without answering, so every command waits two seconds. */
  private isUnresponsive = false;
  private isProbing = false;

  /** @param onError what the service does without counts; part of the log line */
  constructor(
    redis: RedisClient,
    private readonly logger: Logger,
    private readonly onError: string,
  ) {
    redis.defineCommand('countRequest', { numberOfKeys: 1, lua: SCRIPT });
    this.redis = redis as CountingRedis;
  }

  /** Counts once. Never throws. @returns undefined when Redis cannot be reached */
  async count(name: string, windowMs: number): Promise<WindowCount | undefined> {
    // One request at a time probes Redis; the others do not wait for the timeout.
    if (this.isUnresponsive && this.isProbing) return undefined;
    const isProbe = this.isUnresponsive;
    if (isProbe) this.isProbing = true;
    try {
      const [count, leftMs] = await this.redis.countRequest(name, String(windowMs));
      this.isUnresponsive = false;
      return { count: BigInt(count), leftMs: Number(leftMs) };
    } catch (error) {
      this.isUnresponsive = (error as Error).message === 'Command timed out';
      this.logFailure(error);
      return undefined;
    } finally {
      // Requests from before Redis fell silent end here too; they must not admit a second probe.
      if (isProbe) this.isProbing = false;
    }
  }

  private logFailure(error: unknown): void {
    const nowMs = Date.now();
    if (nowMs - this.loggedAtMs < LOG_INTERVAL_MS) return;
    this.loggedAtMs = nowMs;
    this.logger.warn(
      { reason: String(error), onError: this.onError },
      'rate limits are not counted',
    );
  }
}
