/**
 * The generic cell rate algorithm as one script, for all limits of a verification. The clock is that of Redis,
 * because those of the replicas differ. What cannot be a backlog (Redis can lose, or be given, anything)
 * counts as none. A backlog of the future (a clock was set back) is stored anew, so that it drains from now on.
 */
import { type Logger } from 'pino';
import { type RedisClient } from '../../redis/redis-connection.js';
import {
  type BucketCall,
  type BucketCharge,
  type BucketCounter,
  type BucketState,
} from '../exchange.js';
import { BoundedCommands } from './bounded-commands.js';
import { needCountedKeys } from './counted-keys.js';

const SCRIPT = `
local function store(key, backlog, now)
  local value = string.format('%.17g %.0f', backlog, now)
  redis.call('SET', key, value, 'PX', string.format('%.0f', math.ceil(backlog / 1000) + 1))
end
local isPeek = ARGV[1] == '1'
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local stored = redis.call('MGET', unpack(KEYS))
local backlogs, isAdmitted = {}, 1
for i = 1, #KEYS do
  local unit, cost, burst, window = ARGV[i * 5 - 3] + 0, ARGV[i * 5 - 2] + 0, ARGV[i * 5] + 0, ARGV[i * 5 + 1] + 0
  local backlog, at = string.match(stored[i] or '', '^([%d.e+-]+) (%d+)$')
  backlog, at = tonumber(backlog or 0) or 0, tonumber(at or now) or now
  if not (backlog >= 0) then backlog = 0 end
  backlog = math.min(backlog, window)
  if at < now then backlog = math.max(0, backlog - (now - at)) end
  if at > now then store(KEYS[i], backlog, now) end
  backlogs[i] = backlog
  if cost > 0 and backlog + cost * unit > (burst + 0.001) * unit then isAdmitted = 0 end
end
local answer = { tostring(isAdmitted) }
for i = 1, #KEYS do
  local unit, cost, slice, burst = ARGV[i * 5 - 3] + 0, ARGV[i * 5 - 2] + 0, ARGV[i * 5 - 1] + 0, ARGV[i * 5] + 0
  local backlog, granted = backlogs[i], 0
  if isAdmitted == 1 and not isPeek and (cost ~= 0 or slice > 0) then
    backlog = math.max(0, backlog + cost * unit)
    granted = math.max(0, math.min(slice, math.floor((burst - backlog / unit) / 8)))
    backlog = backlog + granted * unit
    store(KEYS[i], backlog, now)
  end
  answer[i * 2] = string.format('%.17g', backlog)
  answer[i * 2 + 1] = string.format('%.0f', granted)
end
return answer`;

type CountingRedis = RedisClient & {
  countLimits(count: number, ...values: string[]): Promise<string[]>;
};

export class RedisBuckets implements BucketCounter {
  private readonly redis: CountingRedis;
  private readonly commands: BoundedCommands;

  /** Parameters as of `Counters.buckets`. */
  constructor(
    redis: RedisClient,
    private readonly prefix: string,
    logger: Logger,
    onError: string,
  ) {
    needCountedKeys(redis, prefix);
    redis.defineCommand('countLimits', { lua: SCRIPT });
    this.redis = redis as CountingRedis;
    this.commands = new BoundedCommands(logger, onError, 'rate limits are not counted');
  }

  charge(calls: readonly BucketCall[], isPeek: boolean): Promise<BucketCharge | undefined> {
    return this.commands.run(() => this.chargeOnce(calls, isPeek));
  }

  /** @throws when Redis does not answer, or with something else */
  private async chargeOnce(calls: readonly BucketCall[], isPeek: boolean): Promise<BucketCharge> {
    const values = calls.flatMap(({ unitMicros, cost, slice, burst, windowMicros }) =>
      [unitMicros, cost, slice, burst, windowMicros].map(String),
    );
    const keys = calls.map(({ key }) => this.prefix + key);
    const answer = await this.redis.countLimits(
      keys.length,
      ...keys,
      isPeek ? '1' : '0',
      ...values,
    );
    const numbers = answer.map(Number);
    const buckets = calls.map((_, index) => ({
      backlogMicros: numbers[index * 2 + 1] as number,
      granted: numbers[index * 2 + 2] as number,
    }));
    if (!buckets.every((each, index) => isPossible(each, calls[index] as BucketCall))) {
      throw new Error('Redis did not answer as the script does');
    }
    return { isAdmitted: numbers[0] === 1, buckets };
  }
}

/** Whether an answer of Redis is plausible: a wrong value would fail later, or grant unpaid units. */
function isPossible({ backlogMicros, granted }: BucketState, call: BucketCall): boolean {
  // The script admits a thousandth of a unit too much.
  const backlogMax = call.windowMicros + call.unitMicros;
  return backlogMicros >= 0 && backlogMicros <= backlogMax && granted >= 0 && granted <= call.slice;
}
