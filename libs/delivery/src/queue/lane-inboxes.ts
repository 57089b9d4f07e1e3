/**
 * Inboxes of workers in Redis, for jobs that bypass the queue (ADR 0049): a job of the queue costs some
 * fifty commands of Redis, an entry of an inbox seven. The worker that gets a job from the queue attends to
 * the bucket of its source for a while, and reads further jobs of the bucket from its inbox. An entry is a
 * hint: the sweep finds the work of those that get lost.
 */
import { isUuid } from '@gatehouse/kit/ids';
import { type RedisClient } from '@gatehouse/kit/redis';
import { Batcher } from '@gatehouse/kit/tasks';
import { type LaneJob } from '@gatehouse/schemas';
import { queuePrefix } from './hint-queue.js';

/** Beyond this, the queue takes over, which has one job for a source at most. */
const ENTRIES_MAX = 10_000;
/** An inbox that is read no more is deleted. */
const ENTRIES_KEPT_MS = 60_000;
/** A worker that does not declare its inbox open again gets no more entries. */
const OPEN_MS = 3_000;
/** Entries of one script. */
const HANDED_MAX = 50;

/** Keys: the attended buckets of entries. Arguments: the prefix of inboxes, and the entries. */
const HAND = `
local function hand(attended, entry)
  local worker = redis.call('GET', attended)
  if not worker or redis.call('EXISTS', ARGV[1] .. worker .. ':open') == 0 then return 0 end
  local inbox = ARGV[1] .. worker
  local length = redis.call('RPUSH', inbox, entry)
  if length == 1 then redis.call('PEXPIRE', inbox, ${ENTRIES_KEPT_MS}) end
  if length <= ${ENTRIES_MAX} then return 1 end
  redis.call('RPOP', inbox)
  return 0
end
local handed = {}
for n, attended in ipairs(KEYS) do handed[n] = hand(attended, ARGV[n + 1]) end
return handed`;

type InboxRedis = RedisClient & {
  /** Each reply is 1 for an entry that is in an inbox. */
  handToInbox(keys: number, ...keysAndValues: readonly string[]): Promise<unknown>;
};

export class LaneInboxes {
  private readonly redis: InboxRedis;
  private readonly inboxes: string;
  private readonly attended: string;
  private readonly hands = new Batcher(this.handAll.bind(this), HANDED_MAX);

  /** @param redis a shared producer connection */
  constructor(redis: RedisClient, redisNamespace: string) {
    redis.defineCommand('handToInbox', { lua: HAND });
    this.redis = redis as InboxRedis;
    const prefix = queuePrefix(redisNamespace);
    this.inboxes = `${prefix}:inbox:`;
    this.attended = `${prefix}:attended:`;
  }

  /**
   * Puts a job in the inbox of the worker that attends to its bucket.
   *
   * @returns false if none does
   * @throws when Redis does not answer
   */
  async hand(job: LaneJob): Promise<boolean> {
    return (await this.hands.add(job)) ?? false;
  }

  /** Makes a worker attend to a bucket, instead of any other. */
  async attend(workerId: string, bucket: string, forMs: number): Promise<void> {
    await this.redis.set(this.attended + bucket, workerId, 'PX', forMs);
  }

  /** Lets jobs be handed to a worker for three seconds. */
  async open(workerId: string): Promise<void> {
    const inbox = this.inboxes + workerId;
    // An inbox that is never empty has to last as well.
    await Promise.all([
      this.redis.set(`${inbox}:open`, '', 'PX', OPEN_MS),
      this.redis.pexpire(inbox, ENTRIES_KEPT_MS),
    ]);
  }

  /** Hands no more jobs to a worker. @returns those that it has not read */
  async close(workerId: string): Promise<LaneJob[]> {
    const inbox = this.inboxes + workerId;
    await this.redis.del(`${inbox}:open`);
    const entries: unknown[] = await this.redis.lrange(inbox, 0, -1);
    await this.redis.del(inbox);
    return entries.flatMap((entry) => jobOf(entry) ?? []);
  }

  /**
   * Waits for the next entries of an inbox.
   *
   * @param connection of this reader alone, since Redis answers nothing else meanwhile
   * @param most how many it takes, at least one
   * @returns none if none came in time; without what is no job
   * @throws when Redis does not answer
   */
  async read(
    connection: RedisClient,
    workerId: string,
    seconds: number,
    most: number,
  ): Promise<LaneJob[]> {
    const inbox = this.inboxes + workerId;
    const pipeline = connection.pipeline().blpop(inbox, seconds);
    if (most > 1) pipeline.lpop(inbox, most - 1);
    const [[error, first] = [], [, rest] = []] = (await pipeline.exec()) ?? [];
    if (error) throw error;
    const entries: unknown[] = Array.isArray(first) ? first.slice(1) : [];
    return entries.concat(rest ?? []).flatMap((entry) => jobOf(entry) ?? []);
  }

  private async handAll(jobs: readonly LaneJob[]): Promise<boolean[]> {
    const keys = jobs.map((job) => this.attended + bucketOf(job));
    const entries = jobs.map((job) => JSON.stringify(job));
    const reply = await this.redis.handToInbox(keys.length, ...keys, this.inboxes, ...entries);
    return jobs.map((_, index) => Array.isArray(reply) && reply[index] === 1);
  }
}

/** One of sixteen for each system. */
export function bucketOf({ system, sourceId }: LaneJob): string {
  return `${system}.${String(sourceId).slice(-1)}`;
}

function jobOf(entry: unknown): LaneJob | undefined {
  try {
    const { system, sourceId, traceparent } = JSON.parse(String(entry)) as LaneJob;
    if (typeof system !== 'string' || !isUuid(sourceId)) return undefined;
    return { system, sourceId, ...(typeof traceparent === 'string' && { traceparent }) };
  } catch {
    return undefined;
  }
}
