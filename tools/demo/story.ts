import { reasonOf, StackFault } from '#local-stack/fault.mjs';
import { type readStackRecord } from '#local-stack/state.mjs';

export type Stack = NonNullable<ReturnType<typeof readStackRecord>>;

/** Runs and prints the steps of the demo, and stops at the first one that fails. */
export class Story {
  private stepCount = 0;
  private readonly startedAt = performance.now();

  part(title: string, text: string): void {
    process.stdout.write(`\n${title}\n  ${text}\n`);
  }

  /** `work` acts and throws when the result is wrong; the lines it notes are printed below. */
  async step<T>(
    what: string,
    work: (note: (...lines: string[]) => void) => Promise<T>,
  ): Promise<T> {
    const startedAt = performance.now();
    const lines: string[] = [];
    let mark = '✗';
    try {
      const result = await work((...noted) => lines.push(...noted));
      mark = '✓';
      this.stepCount += 1;
      return result;
    } catch (error) {
      if (error instanceof StackFault) throw error;
      throw new StackFault(
        `The demo stopped at "${what}": ${reasonOf(error)}`,
        'The logs of the services are in .local/logs/.',
      );
    } finally {
      const took = `${(performance.now() - startedAt).toFixed(0)} ms`.padStart(8);
      const details = lines.map((line) => `               ${line}\n`).join('');
      process.stdout.write(`  ${mark} ${took}   ${what}\n${details}`);
    }
  }

  end(): void {
    const seconds = ((performance.now() - this.startedAt) / 1000).toFixed(1);
    process.stdout.write(`\n${this.stepCount} steps passed in ${seconds} s.\n`);
  }
}
