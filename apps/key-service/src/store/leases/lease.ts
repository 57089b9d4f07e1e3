/**
 * Units of a limit or of credits that this process has taken in advance, so that it can admit hot keys from
 * memory (ADR 0036, ADR 0037). A lease has about as many units as were used in the second before, and ends
 * after a second; its owner gives back what is left of it. All times are of the monotonic clock.
 */

/** Duration of a lease, and of the use that it is measured by. */
const SECOND_MS = 1_000;
/** Fewer units in a second are not worth a lease. */
const HOT_MIN = 4;

export class Lease {
  private held = 0;
  private endMs = 0;
  private used = 0;
  private usedBefore = 0;
  private secondMs = 0;

  /** Units that are left. */
  get units(): number {
    return this.held;
  }

  get startedAtMs(): number {
    return this.endMs - SECOND_MS;
  }

  /** Whether these units can be spent now. */
  has(units: number, nowMs: number): boolean {
    return this.held >= units && nowMs < this.endMs;
  }

  /** Spends units that `has` has found. */
  spend(units: number, nowMs: number): void {
    this.held -= units;
    this.addUse(units, nowMs);
  }

  /** Counts units as used, of which `slice` learns how hot the key is. */
  addUse(units: number, nowMs: number): void {
    if (nowMs - this.secondMs >= SECOND_MS) {
      this.usedBefore = nowMs - this.secondMs < 2 * SECOND_MS ? this.used : 0;
      this.used = 0;
      this.secondMs = nowMs;
    }
    this.used += units;
  }

  /** Units worth taking in advance: as many as in the second before, or 0 if that was not hot. */
  slice(unitsMax: number): number {
    const expected = Math.max(this.used, this.usedBefore);
    return expected < HOT_MIN ? 0 : Math.min(expected, unitsMax);
  }

  /** Adds units that were taken. The lease ends with those that are here already. */
  add(units: number, nowMs: number): void {
    if (this.held === 0) this.endMs = nowMs + SECOND_MS;
    this.held += units;
  }

  /** Lets the lease end at a time, unless it ends before. */
  endBy(endMs: number): void {
    this.endMs = Math.min(this.endMs, endMs);
  }

  /** Empties the lease if it has expired, or in any case. @returns the units to give back */
  end(nowMs: number, { isLast = false } = {}): number {
    if (!isLast && nowMs < this.endMs) return 0;
    const left = this.held;
    this.held = 0;
    return left;
  }
}
