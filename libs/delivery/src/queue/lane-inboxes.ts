/**
 * Inboxes of workers in Redis, for jobs that bypass the queue (ADR 0049): a job of the queue costs some
 * fifty commands of Redis, an entry of an inbox six. The worker that gets a job from the queue attends to
 * the bucket of its source for a while, and reads further jobs of the bucket from its inbox. An entry is a
 * hint: the sweep finds the work of those that get lost.
 */
import { isUuid } from '@gatehouse/kit/ids';
import { type RedisClient } from '@gatehouse/kit/redis';
import { type LaneJob } from '@gatehouse/schemas';
import { queuePrefix } from './hint-queue.js';

/** Beyond this, the queue takes over, which has one job for a source at most. */
const ENTRIES_MAX = 10_000;
/** An inbox that is read no more is deleted. */
const ENTRIES_KEPT_MS = 60_000;
/** A worker that does not declare its inbox open again gets no more entries. */
const OPEN_MS = 3_000;

const HAND = `
local worker = redis.call('GET', KEYS[1])
if not worker or redis.call('EXISTS', ARGV[1] .. worker .. ':open') == 0 then return 0 end
local inbox = ARGV[1] .. worker
local length = redis.call('RPUSH', inbox, ARGV[2])
if length == 1 then redis.call('PEXPIRE', inbox, ${ENTRIES_KEPT_MS}) end
if length <= ${ENTRIES_MAX} then return 1 end
redis.call('RPOP', inbox)
return 0`;

type InboxRedis = RedisClient & {
  handToInbox(attendedKey: string, inboxes: string, entry: string): Promise<number>;
};

export class LaneInboxes {
  private readonly redis: InboxRedis;
  private readonly inboxes: string;
  private readonly attended: string;

  /** @param redis a shared producer connection */
  constructor(redis: RedisClient, redisNamespace: string) {
    redis.defineCommand('handToInbox', { numberOfKeys: 1, lua: HAND });
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
    const key = this.attended + bucketOf(job);
    return (await this.redis.handToInbox(key, this.inboxes, JSON.stringify(job))) === 1;
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
   * Waits for the next entry of an inbox.
   *
   * @param connection of this reader alone, since Redis answers nothing else meanwhile
   * @returns undefined if none came in time, and for what is no job
   */
  async read(
    connection: RedisClient,
    workerId: string,
    seconds: number,
  ): Promise<LaneJob | undefined> {
    const reply: unknown = await connection.blpop(this.inboxes + workerId, seconds);
    return Array.isArray(reply) ? jobOf(reply[1]) : undefined;
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
