export interface SemaphoreOptions {
  /** Pieces of work that run at once. */
  readonly max: number;
  /** Milliseconds until the place of one that waits must have come; unbounded by default. */
  readonly waitMsMax?: number;
  /** How many may wait; unbounded by default. */
  readonly waitingMax?: number;
  /** Makes the error for work that may not wait (any longer). */
  readonly refusal?: () => Error;
}

/** A number of places for work. The first to wait gets the next free place. */
export class Semaphore {
  private taken = 0;
  private readonly waiting = new Set<() => void>();

  constructor(private readonly options: SemaphoreOptions) {}

  /** Whether no work runs or waits. */
  get isIdle(): boolean {
    return this.taken === 0 && this.waiting.size === 0;
  }

  /**
   * Runs work when it has a place: in this turn if one is free.
   *
   * @throws the refusal, without having begun the work; and what the work throws
   */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (!this.tryTake()) await this.turn();
    try {
      return await work();
    } finally {
      this.release();
    }
  }

  /** Takes a free place, which has to be released. @returns false if there is none */
  tryTake(): boolean {
    if (this.taken >= this.options.max) return false;
    this.taken += 1;
    return true;
  }

  /** Passes the place on to the first in line, so that work that comes between cannot take it. */
  release(): void {
    const [next] = this.waiting;
    if (next) next();
    else this.taken -= 1;
  }

  private turn(): Promise<void> {
    const { waitMsMax = Infinity, waitingMax = Infinity } = this.options;
    return new Promise((resolve, reject) => {
      if (this.waiting.size >= waitingMax) return reject(this.refusal());
      let timer: NodeJS.Timeout | undefined;
      const begin = () => {
        clearTimeout(timer);
        this.waiting.delete(begin);
        resolve();
      };
      this.waiting.add(begin);
      if (waitMsMax === Infinity) return;
      timer = setTimeout(() => {
        this.waiting.delete(begin);
        reject(this.refusal());
      }, waitMsMax);
    });
  }

  private refusal(): Error {
    return this.options.refusal?.() ?? new Error('no place became free in time');
  }
}

/** A semaphore for each key, for as long as it is in use. */
export class SemaphorePerKey {
  private readonly semaphores = new Map<string, Semaphore>();

  constructor(private readonly options: SemaphoreOptions) {}

  /** As `Semaphore.run`, among the work with the same key. */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const semaphore = this.semaphores.get(key) ?? new Semaphore(this.options);
    this.semaphores.set(key, semaphore);
    try {
      return await semaphore.run(work);
    } finally {
      if (semaphore.isIdle) this.semaphores.delete(key);
    }
  }
}
