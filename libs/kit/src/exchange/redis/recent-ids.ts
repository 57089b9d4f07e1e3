const IDS_MAX = 100_000;

/**
 * Ids that were seen recently, in two generations of bounded size: each id is remembered for at least
 * `ttlMs`. When a generation is full, new ids are refused, because an id that cannot
 * be remembered could be used again. Time is that of the messages, the wall clock: if it is set back, they
 * become young again, and must still be known.
 */
export class RecentIds {
  private current = new Set<string>();
  private former = new Set<string>();
  private currentSinceMs = 0;

  constructor(private readonly ttlMs: number) {}

  /** Whether the id is new; from then on it is not. */
  add(id: string, nowMs = Date.now()): boolean {
    if (nowMs - this.currentSinceMs >= this.ttlMs) {
      const isRecent = nowMs - this.currentSinceMs < 2 * this.ttlMs;
      this.former = isRecent ? this.current : new Set();
      this.current = new Set();
      this.currentSinceMs = nowMs;
    }
    if (this.current.has(id) || this.former.has(id) || this.current.size >= IDS_MAX) return false;
    this.current.add(id);
    return true;
  }
}
