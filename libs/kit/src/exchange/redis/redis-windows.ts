import { type Logger } from 'pino';
import { type RedisClient } from '../../redis/redis-connection.js';
import { type WindowCount, type WindowCounter } from '../exchange.js';
import { BoundedCommands } from './bounded-commands.js';
import { needCountedKeys } from './counted-keys.js';

const SCRIPT = `
local window = tonumber(ARGV[1])
local left = redis.call('PTTL', KEYS[1])
if left < 0 or left > window then
  redis.call('SET', KEYS[1], 0, 'PX', window)
  left = window
end
local count = redis.call('INCR', KEYS[1])
return {tostring(count), tostring(left)}`;

type CountingRedis = RedisClient & {
  countRequest(key: string, windowMs: string): Promise<[count: string, leftMs: string]>;
};

/** Counts in Redis, for all replicas. One script counts and reads the end of the window. */
export class RedisWindows implements WindowCounter {
  private readonly redis: CountingRedis;
  private readonly commands: BoundedCommands;

  /** Parameters as of `Counters.windows`. */
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

  count(name: string, windowMs: number): Promise<WindowCount | undefined> {
    return this.commands.run(async () => {
      const [count, leftMs] = await this.redis.countRequest(this.prefix + name, String(windowMs));
      return { count: BigInt(count), leftMs: Number(leftMs) };
    });
  }
}
