import { type Logger } from 'pino';
import { BoundedCommands } from './bounded-commands.js';
import { needCountedKeys } from './counted-keys.js';
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

/** The count of one key in its window, including this call. */
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
  private readonly commands: BoundedCommands;

  /**
   * @param prefix of the keys in Redis
   * @param onError what the service does without counts; part of the log line
   */
  constructor(
    redis: RedisClient,
    private readonly prefix: string,
    logger: Logger,
    onError: string,
  ) {
    needCountedKeys(redis, prefix);
    redis.defineCommand('countRequest', { numberOfKeys: 1, lua: SCRIPT });
    this.redis = redis as CountingRedis;
    this.commands = new BoundedCommands(logger, onError, 'rate limits are not counted');
  }

  /** Counts once. Never throws. @returns undefined when Redis cannot be reached */
  count(name: string, windowMs: number): Promise<WindowCount | undefined> {
    return this.commands.run(async () => {
      const [count, leftMs] = await this.redis.countRequest(this.prefix + name, String(windowMs));
      return { count: BigInt(count), leftMs: Number(leftMs) };
    });
  }
}
