import { DomainError } from '@gatehouse/kit/errors';
import { SyncErrors } from '../sync.errors.js';

/** How long to wait for a slot, with how many others, and the code of the error after that. */
export interface SlotLimits {
  waitMs: number;
  waitingMax: number;
  refusal: 'TOO_MANY_SEARCHES' | 'CONTENDED';
}

const OF_SEARCHES: SlotLimits = { waitMs: 1_000, waitingMax: 32, refusal: 'TOO_MANY_SEARCHES' };

/** A number of slots; the first to wait gets the next free one. */
export class SearchSlots {
  private taken = 0;
  private readonly waiting = new Set<() => void>();

  constructor(
    private readonly max: number,
    private readonly limits = OF_SEARCHES,
  ) {}

  get isIdle(): boolean {
    return this.taken === 0 && this.waiting.size === 0;
  }

  /**
   * Takes a slot, after at most the time of waiting.
   *
   * @throws DomainError if none is free by then, or too many are waiting
   */
  async take(): Promise<void> {
    if (this.taken < this.max) {
      this.taken++;
      return;
    }
    if (this.waiting.size >= this.limits.waitingMax || !(await this.turn())) {
      throw new DomainError(SyncErrors[this.limits.refusal], { retryAfterSeconds: 1 });
    }
  }

  /** Frees a slot, or passes it on to the first in line. */
  release(): void {
    const [next] = this.waiting;
    if (next) {
      this.waiting.delete(next);
      next();
    } else {
      this.taken--;
    }
  }

  private turn(): Promise<boolean> {
    return new Promise((resolve) => {
      const grant = () => {
        clearTimeout(timer);
        resolve(true);
      };
      const timer = setTimeout(() => {
        this.waiting.delete(grant);
        resolve(false);
      }, this.limits.waitMs);
      this.waiting.add(grant);
    });
  }
}
