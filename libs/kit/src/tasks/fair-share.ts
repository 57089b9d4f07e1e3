/**
 * Divides a fixed amount among any number of holders. Each may hold as much as is still free: one alone
 * gets half, `n` that want all of it get `1/(n+1)` each, and as much stays free for the next one.
 */
export class FairShare {
  private readonly held = new Map<string, number>();
  private free: number;

  constructor(private readonly capacity: number) {
    this.free = capacity;
  }

  /** Whether the holder got the amount. */
  take(holder: string, amount = 1): boolean {
    const next = (this.held.get(holder) ?? 0) + amount;
    // The sum of all shares stays within the capacity.
    if (next > this.free) return false;
    this.held.set(holder, next);
    this.free -= amount;
    return true;
  }

  giveBack(holder: string, amount = 1): void {
    const next = (this.held.get(holder) ?? 0) - amount;
    if (next > 0) this.held.set(holder, next);
    else this.held.delete(holder);
    this.free = Math.min(this.capacity, this.free + amount);
  }
}
