/** Runs at most `max` pieces of work at once; the others wait in their order. */
export class Turns {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly max: number) {}

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.running >= this.max) await new Promise<void>((begin) => this.waiting.push(begin));
    else this.running += 1;
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      // The turn is passed on, so that nobody who comes between takes it.
      if (next) next();
      else this.running -= 1;
    }
  }
}
