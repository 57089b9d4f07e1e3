const SECOND_MS = 1_000;

/** How much was used in this second and in the one before: about as much will be used in the next. */
export class RecentUse {
  private used = 0;
  private usedBefore = 0;
  private secondMs = 0;

  note(units: number, nowMs: number): void {
    if (nowMs - this.secondMs >= SECOND_MS || nowMs < this.secondMs) {
      this.usedBefore = nowMs - this.secondMs < 2 * SECOND_MS ? this.used : 0;
      this.used = 0;
      this.secondMs = nowMs;
    }
    this.used += units;
  }

  get expected(): number {
    return Math.max(this.used, this.usedBefore);
  }
}
