/**
 * Reads the jobs that bypass the queue. After a job of the queue, this process attends to the bucket of its
 * source: the next jobs of the bucket come to the inbox of this process, for as long as it has room for
 * them. After a while, a job of the bucket goes through the queue again, perhaps to another worker.
 */
import { bucketOf, jobsOf } from '@gatehouse/delivery';
import { type Inboxes, type InboxReader } from '@gatehouse/kit/exchange';
import { type Semaphore } from '@gatehouse/kit/tasks';
import { type LaneJob } from '@gatehouse/schemas';
import { randomUUID } from 'node:crypto';

/** How long one worker attends to a bucket. */
const ATTENDED_MS = 30_000;
/** How often the inbox is declared open, and how long a read waits. */
const READ_SECONDS = 1;
/** Jobs that are read at once, as many as share a statement. */
const READ_MAX = 50;
/** Redis answers without a job sooner than this only if it is away, or holds or says nonsense. */
const EMPTY_AFTER_MS = 500;
/** Then the queue takes over until its next job. */
const FRUITLESS_MAX = 20;

export interface LaneInboxOptions {
  inboxes: Inboxes;
  /** A job begins when there is a place for it. */
  places: Semaphore;
  /** Logs its failures itself, and never rejects. */
  work: (job: LaneJob) => Promise<void>;
  /** Hands a job to any worker. */
  wake: (job: LaneJob) => void;
}

export class LaneInbox {
  private readonly id = randomUUID();
  /** When the attendance of each bucket ends. */
  private readonly attended = new Map<string, number>();
  private attendedUntilMs = -Infinity;
  private openedAtMs = -Infinity;
  private reader: InboxReader | undefined;
  private reading: Promise<void> | undefined;
  private isClosing = false;

  constructor(private readonly options: LaneInboxOptions) {}

  /** Attends to the bucket of a job that came through the queue. Returns at once, and never throws. */
  attend(job: LaneJob): void {
    const bucket = bucketOf(job);
    const now = performance.now();
    if (this.isClosing || (this.reading && (this.attended.get(bucket) ?? 0) > now)) return;
    this.attendedUntilMs = now + ATTENDED_MS;
    this.attended.set(bucket, this.attendedUntilMs);
    this.reading ??= this.readAll().finally(() => {
      this.reading = undefined;
    });
    // Without it, jobs come through the queue.
    this.options.inboxes.attend(this.id, bucket, ATTENDED_MS).catch(() => undefined);
  }

  /** Reads no more, and hands the jobs that are left to other workers. */
  async close(): Promise<void> {
    this.isClosing = true;
    if (!this.reader) return;
    await this.leave();
    this.reader.close();
    await this.reading;
  }

  private async readAll(): Promise<void> {
    const reader = (this.reader ??= this.options.inboxes.reader(this.id));
    let fruitless = 0;
    while (!this.isOver() && fruitless < FRUITLESS_MAX) {
      const beganAtMs = performance.now();
      // The exchange logs outages itself.
      const jobs = await this.read(reader).catch(() => []);
      const isFruitless = jobs.length === 0 && performance.now() - beganAtMs < EMPTY_AFTER_MS;
      fruitless = isFruitless ? fruitless + 1 : 0;
      for (const job of jobs) await this.begin(job);
    }
    await this.leave();
  }

  /** Resolves when a place was free. Meanwhile the inbox closes, for lack of reads. */
  private async begin(job: LaneJob): Promise<void> {
    const { places, work, wake } = this.options;
    await places.take();
    if (this.isClosing) {
      places.release();
      wake(job);
      return;
    }
    void work(job).finally(() => places.release());
  }

  private isOver(): boolean {
    return this.isClosing || performance.now() > this.attendedUntilMs;
  }

  /** @returns as many jobs as there are places, and one if there are none */
  private async read(reader: InboxReader): Promise<LaneJob[]> {
    const now = performance.now();
    if (now - this.openedAtMs > READ_SECONDS * 1_000) {
      await this.options.inboxes.open(this.id);
      this.openedAtMs = now;
    }
    const most = Math.min(this.options.places.free, READ_MAX);
    return jobsOf(await reader.read(READ_SECONDS, most));
  }

  private async leave(): Promise<void> {
    this.openedAtMs = -Infinity;
    // The store may be away. The sweep finds what was in the inbox.
    const left = await this.options.inboxes.close(this.id).catch(() => []);
    for (const job of jobsOf(left)) this.options.wake(job);
  }
}
