import { DomainError, KitErrors } from '@gatehouse/kit/errors';

/** Runs at most `max` pieces of work at once; the others wait in their order, for `waitMsMax` at most. */
export class Turns {
  private running = 0;
  private readonly waiting = new Set<() => void>();

  constructor(
    private readonly max: number,
    private readonly waitMsMax: number,
  ) {}

  /** @throws DomainError `unavailable` when the turn does not come in time */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.running >= this.max) await this.turn();
    else this.running += 1;
    try {
      return await work();
    } finally {
      const [next] = this.waiting;
      // The turn is passed on, so that nobody who comes between takes it.
      if (next) next();
      else this.running -= 1;
    }
  }

  private turn(): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.waiting.delete(begin);
        reject(new DomainError(KitErrors.UNAVAILABLE, { retryAfterSeconds: 1 }));
      }, this.waitMsMax);
      const begin = () => {
        clearTimeout(timer);
        this.waiting.delete(begin);
        resolve();
      };
      this.waiting.add(begin);
    });
  }
}
