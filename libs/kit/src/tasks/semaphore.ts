export interface SemaphoreOptions {
  /** Pieces of work at once. */
  max: number;
  /** How long one may wait; forever by default. */
  waitMsMax?: number;
  /** How many may wait; any number by default. */
  waitingMax?: number;
  /** The error of work whose place does not come in time, or for which too many wait; for bounds only. */
  refusal?: () => Error;
}

/** A number of places for work; the first to wait gets the next free one. */
export class Semaphore {
  private taken = 0;
  private readonly waiting = new Set<() => void>();

  constructor(private readonly options: SemaphoreOptions) {}

  get isIdle(): boolean {
    return this.taken === 0 && this.waiting.size === 0;
  }

  /** The number of free places. */
  get free(): number {
    return this.options.max - this.taken;
  }

  /** @throws the refusal, without having run the work */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (!this.tryTake()) await this.turn();
    try {
      return await work();
    } finally {
      this.release();
    }
  }

  /**
   * Waits for a place and takes it.
   *
   * @throws the refusal, without a place
   */
  async take(): Promise<void> {
    if (!this.tryTake()) await this.turn();
  }

  /** Takes a free place. @returns whether there was one */
  tryTake(): boolean {
    if (this.taken >= this.options.max) return false;
    this.taken += 1;
    return true;
  }

  /** Frees a place, or passes it on to the first in line, so that no later one takes it. */
  release(): void {
    const [next] = this.waiting;
    if (next) next();
    else this.taken -= 1;
  }

  private turn(): Promise<void> {
    const { waitMsMax, waitingMax = Infinity, refusal = noPlace } = this.options;
    if (this.waiting.size >= waitingMax) return Promise.reject(refusal());
    return new Promise((resolve, reject) => {
      const begin = () => {
        clearTimeout(timer);
        this.waiting.delete(begin);
        resolve();
      };
      const giveUp = () => {
        this.waiting.delete(begin);
        reject(refusal());
      };
      const timer = waitMsMax === undefined ? undefined : setTimeout(giveUp, waitMsMax);
      this.waiting.add(begin);
    });
  }
}

function noPlace(): Error {
  return new Error('No place became free in time.');
}

/** A semaphore for each key, such as a directory, for as long as work of the key is under way. */
export class Semaphores {
  private readonly byKey = new Map<string, Semaphore>();

  constructor(private readonly options: SemaphoreOptions) {}

  /** As `Semaphore.run`. */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const semaphore = this.byKey.get(key) ?? new Semaphore(this.options);
    this.byKey.set(key, semaphore);
    try {
      return await semaphore.run(work);
    } finally {
      if (semaphore.isIdle) this.byKey.delete(key);
    }
  }
}
