import { Injectable } from '@nestjs/common';

/** The part of the shutdown time that is reserved for closing the stores; at most half of it. */
const STORES_MS = 2_000;

/** The shutdown of the process. As soon as it begins, the service reports that it is not ready. */
@Injectable()
export class Shutdown {
  private workUntilMs: number | undefined;
  private untilMs = Infinity;

  get hasBegun(): boolean {
    return this.workUntilMs !== undefined;
  }

  /** Milliseconds for the work that is still in flight; the rest of the time is for the stores. */
  get workMsLeft(): number {
    return Math.max(0, (this.workUntilMs ?? Infinity) - performance.now());
  }

  /** Milliseconds until the process has to end. */
  get msLeft(): number {
    return Math.max(0, this.untilMs - performance.now());
  }

  /**
   * @param drainMs during which everything is still served
   * @param timeoutMs for all that follows
   */
  begin(drainMs: number, timeoutMs: number): void {
    const workMs = timeoutMs - Math.min(STORES_MS, timeoutMs / 2);
    this.workUntilMs = performance.now() + drainMs + workMs;
    this.untilMs = performance.now() + drainMs + timeoutMs;
  }
}
