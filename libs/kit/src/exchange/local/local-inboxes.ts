import { type InboxEntry, type Inboxes, type InboxReader } from '../exchange.js';

const ENTRIES_MAX = 10_000;
const OPEN_MS = 3_000;

interface Inbox {
  readonly entries: string[];
  openUntilMs: number;
  /** Ends a read that waits. */
  wake: () => void;
}

/** Inboxes of the workers of this process. */
export class LocalInboxes implements Inboxes {
  private readonly inboxes = new Map<string, Inbox>();
  /** The worker that attends to a bucket, and until when. */
  private readonly attended = new Map<string, { workerId: string; untilMs: number }>();

  hand(entries: readonly InboxEntry[]): Promise<boolean[]> {
    return Promise.resolve(entries.map((entry) => this.handOne(entry)));
  }

  attend(workerId: string, bucket: string, forMs: number): Promise<void> {
    this.attended.set(bucket, { workerId, untilMs: performance.now() + forMs });
    return Promise.resolve();
  }

  open(workerId: string): Promise<void> {
    this.inboxOf(workerId).openUntilMs = performance.now() + OPEN_MS;
    return Promise.resolve();
  }

  reader(workerId: string): InboxReader {
    return {
      read: async (seconds, most) => {
        const inbox = this.inboxOf(workerId);
        if (inbox.entries.length === 0) await nextEntry(inbox, seconds);
        return inbox.entries.splice(0, Math.max(1, most));
      },
      close: () => this.inboxes.get(workerId)?.wake(),
    };
  }

  close(workerId: string): Promise<string[]> {
    const inbox = this.inboxOf(workerId);
    inbox.openUntilMs = -Infinity;
    return Promise.resolve(inbox.entries.splice(0));
  }

  private handOne({ bucket, text }: InboxEntry): boolean {
    const nowMs = performance.now();
    const { workerId = '', untilMs = nowMs } = this.attended.get(bucket) ?? {};
    const inbox = untilMs > nowMs ? this.inboxes.get(workerId) : undefined;
    if (!inbox || inbox.openUntilMs <= nowMs || inbox.entries.length >= ENTRIES_MAX) return false;
    inbox.entries.push(text);
    inbox.wake();
    return true;
  }

  private inboxOf(workerId: string): Inbox {
    const known = this.inboxes.get(workerId);
    if (known) return known;
    const inbox: Inbox = { entries: [], openUntilMs: -Infinity, wake: () => undefined };
    this.inboxes.set(workerId, inbox);
    return inbox;
  }
}

async function nextEntry(inbox: Inbox, seconds: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  await new Promise<void>((resolve) => {
    inbox.wake = resolve;
    timer = setTimeout(resolve, seconds * 1_000);
  });
  clearTimeout(timer);
}
