/**
 * Keeps the requests to a provider below the quota of its project: a token bucket that all sessions of
 * the process share. Directories take turns, so that a large one does not delay the others.
 */

/** The bucket holds the requests of this time. Quotas are per minute, so a short burst is no fault. */
const BURST_SECONDS = 10;

export class RequestPacer {
  private readonly waiting = new Map<string, (() => void)[]>();
  private readonly capacity: number;
  private tokens: number;
  private filledAtMs = performance.now();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly perSecond: number) {
    this.capacity = perSecond * BURST_SECONDS;
    this.tokens = this.capacity;
  }

  /** Resolves when a request of the directory may be sent; rejects with the reason of the signal. */
  turn(directoryId: string, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const queue = this.waiting.get(directoryId) ?? [];
      const onAbort = () => {
        queue.splice(queue.indexOf(start), 1);
        if (queue.length === 0) this.waiting.delete(directoryId);
        reject(signal?.reason as Error);
      };
      const start = () => {
        signal?.removeEventListener('abort', onAbort);
        resolve();
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      queue.push(start);
      this.waiting.set(directoryId, queue);
      this.run();
    });
  }

  private run(): void {
    const nowMs = performance.now();
    const added = ((nowMs - this.filledAtMs) / 1_000) * this.perSecond;
    this.tokens = Math.min(this.capacity, this.tokens + added);
    this.filledAtMs = nowMs;
    for (; this.tokens >= 1; this.tokens -= 1) {
      const start = this.next();
      if (!start) return;
      start();
    }
    if (this.waiting.size === 0) return;
    const waitMs = ((1 - this.tokens) / this.perSecond) * 1_000;
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.run();
    }, waitMs);
  }

  /** The first request of the directory whose turn it is; the directory goes to the end. */
  private next(): (() => void) | undefined {
    const [first] = this.waiting;
    if (!first) return undefined;
    const [directoryId, queue] = first;
    const start = queue.shift();
    this.waiting.delete(directoryId);
    if (queue.length > 0) this.waiting.set(directoryId, queue);
    return start;
  }
}
