/**
 * The generic cell rate algorithm as one script, for all limits of a verification.
 *
 * A bucket is stored as its backlog: the microseconds until it is full again. Each unit adds the time
 * in which one unit comes back, and a request is admitted if the backlog stays within the burst. Kept
 * as a duration and not as a point in time, it is exact for any quota. The clock is that of Redis,
 * because those of the replicas differ. What cannot be a backlog (Redis can lose, or be given, anything)
 * counts as none, and a backlog longer than the window as the window. One of the future (a clock was set
 * back) is stored anew, so that it drains from now on.
 */
import { type RedisClient } from '@gatehouse/kit/redis';

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

/** The request of one call to a bucket. */
export interface BucketCall {
  readonly key: string;
  /** Microseconds in which one unit comes back. */
  readonly unitMicros: number;
  /** Units to charge; below 0 to give back. A cost of 0 is always admitted. */
  readonly cost: number;
  /** Units to charge in advance. At most an eighth of what is left is granted. */
  readonly slice: number;
  readonly burst: number;
  readonly windowMicros: number;
}

export interface BucketAnswer {
  /** Microseconds until the bucket is full, after what was charged. */
  readonly backlogMicros: number;
  /** Units that were charged in advance. */
  readonly granted: number;
}

export interface GcraAnswer {
  /** Whether every bucket had room. If not, none was charged. */
  readonly isAdmitted: boolean;
  readonly buckets: readonly BucketAnswer[];
}

type CountingRedis = RedisClient & {
  countLimits(count: number, ...values: string[]): Promise<string[]>;
};

export class Gcra {
  private readonly redis: CountingRedis;

  constructor(redis: RedisClient) {
    redis.defineCommand('countLimits', { lua: SCRIPT });
    this.redis = redis as CountingRedis;
  }

  /**
   * Charges all buckets or none. Their keys have to share a slot.
   *
   * @throws when Redis does not answer, or with something else
   */
  async charge(calls: readonly BucketCall[], isPeek: boolean): Promise<GcraAnswer> {
    const values = calls.flatMap(({ unitMicros, cost, slice, burst, windowMicros }) =>
      [unitMicros, cost, slice, burst, windowMicros].map(String),
    );
    const keys = calls.map(({ key }) => key);
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
function isPossible({ backlogMicros, granted }: BucketAnswer, call: BucketCall): boolean {
  // The script admits a thousandth of a unit too much.
  const backlogMax = call.windowMicros + call.unitMicros;
  return backlogMicros >= 0 && backlogMicros <= backlogMax && granted >= 0 && granted <= call.slice;
}
