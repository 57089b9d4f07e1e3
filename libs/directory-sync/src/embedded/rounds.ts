/** Work that is done again if it is asked for while it is under way, and never beside itself. */
export class Rounds {
  private underWay: Promise<void> | undefined;
  private isAskedAgain = false;

  constructor(private readonly work: () => Promise<void>) {}

  /** Resolves when a round that began after the call has ended. */
  run(): Promise<void> {
    this.isAskedAgain = true;
    return (this.underWay ??= this.runAll());
  }

  private async runAll(): Promise<void> {
    try {
      while (this.isAskedAgain) {
        this.isAskedAgain = false;
        await this.work();
      }
    } finally {
      this.underWay = undefined;
    }
  }
}
