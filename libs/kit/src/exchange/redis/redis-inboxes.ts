import { type RedisClient } from '../../redis/redis-connection.js';
import { type InboxEntry, type Inboxes, type InboxReader } from '../exchange.js';

/** Beyond this, the queue takes over, which has one job for a source at most. */
const ENTRIES_MAX = 10_000;
/** An inbox that is read no more is deleted. */
const ENTRIES_KEPT_MS = 60_000;
/** A worker that does not declare its inbox open again gets no more entries. */
const OPEN_MS = 3_000;

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

/** Inboxes as lists in Redis. */
export class RedisInboxes implements Inboxes {
  private readonly redis: InboxRedis;
  private readonly inboxes: string;
  private readonly attended: string;

  /**
   * @param redis a shared producer connection
   * @param prefix of all keys of queues
   * @param connect opens a connection for a reader alone, since Redis answers nothing else while it waits
   */
  constructor(
    redis: RedisClient,
    prefix: string,
    private readonly connect: () => RedisClient,
  ) {
    redis.defineCommand('handToInbox', { lua: HAND });
    this.redis = redis as InboxRedis;
    this.inboxes = `${prefix}:inbox:`;
    this.attended = `${prefix}:attended:`;
  }

  async hand(entries: readonly InboxEntry[]): Promise<boolean[]> {
    const keys = entries.map(({ bucket }) => this.attended + bucket);
    const texts = entries.map(({ text }) => text);
    const reply = await this.redis.handToInbox(keys.length, ...keys, this.inboxes, ...texts);
    return entries.map((_, index) => Array.isArray(reply) && reply[index] === 1);
  }

  async attend(workerId: string, bucket: string, forMs: number): Promise<void> {
    await this.redis.set(this.attended + bucket, workerId, 'PX', forMs);
  }

  async open(workerId: string): Promise<void> {
    const inbox = this.inboxes + workerId;
    // An inbox that is never empty has to last as well.
    await Promise.all([
      this.redis.set(`${inbox}:open`, '', 'PX', OPEN_MS),
      this.redis.pexpire(inbox, ENTRIES_KEPT_MS),
    ]);
  }

  reader(workerId: string): InboxReader {
    const inbox = this.inboxes + workerId;
    const connection = this.connect();
    return {
      async read(seconds, most) {
        const pipeline = connection.pipeline().blpop(inbox, seconds);
        if (most > 1) pipeline.lpop(inbox, most - 1);
        const [[error, first] = [], [, rest] = []] = (await pipeline.exec()) ?? [];
        if (error) throw error;
        const entries: unknown[] = Array.isArray(first) ? first.slice(1) : [];
        return entries.concat(rest ?? []).map(String);
      },
      close: () => connection.disconnect(),
    };
  }

  async close(workerId: string): Promise<string[]> {
    const inbox = this.inboxes + workerId;
    await this.redis.del(`${inbox}:open`);
    const entries: unknown[] = await this.redis.lrange(inbox, 0, -1);
    await this.redis.del(inbox);
    return entries.map(String);
  }
}
