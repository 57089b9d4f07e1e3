import { DomainError } from '@gatehouse/service-kit';
import { SyncErrors } from '../sync.errors.js';

const WAIT_MS = 1_000;
const WAITING_MAX = 32;

/** A number of slots; the first to wait gets the next free one. */
export class SearchSlots {
  private taken = 0;
  private readonly waiting = new Set<() => void>();

  constructor(private readonly max: number) {}

  get isIdle(): boolean {
    return this.taken === 0 && this.waiting.size === 0;
  }

  /**
   * Takes a slot, after at most a second of waiting.
   *
   * @throws DomainError `rate_limited` if none is free by then, or too many are waiting
   */
  async take(): Promise<void> {
    if (this.taken < this.max) {
      this.taken++;
      return;
    }
    if (this.waiting.size >= WAITING_MAX || !(await this.turn())) {
      throw new DomainError(SyncErrors.TOO_MANY_SEARCHES, { retryAfterSeconds: 1 });
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
      }, WAIT_MS);
      this.waiting.add(grant);
    });
  }
}
