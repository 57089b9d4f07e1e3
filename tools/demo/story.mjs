// @ts-check
import { reasonOf, StackFault } from '../local-stack/fault.mjs';

/** Tells what happens, step by step, and stops at the first step that does not come out right. */
export class Story {
  stepCount = 0;
  startedAt = performance.now();

  /** @param {{ write(text: string): unknown }} [out] */
  constructor(out = process.stdout) {
    this.out = out;
  }

  /**
   * @param {string} title
   * @param {string} text
   */
  part(title, text) {
    this.out.write(`\n${title}\n  ${text}\n`);
  }

  /**
   * One step: `work` does it, checks its outcome and says in `tell` what came of it.
   *
   * @template T
   * @param {string} what
   * @param {(tell: (...lines: string[]) => void) => Promise<T>} work throws when the outcome is wrong
   * @returns {Promise<T>}
   */
  async step(what, work) {
    const startedAt = performance.now();
    /** @type {string[]} */
    const lines = [];
    try {
      const result = await work((...told) => lines.push(...told));
      this.stepCount += 1;
      this.#print('✓', startedAt, what, lines);
      return result;
    } catch (error) {
      this.#print('✗', startedAt, what, lines);
      if (error instanceof StackFault) throw error;
      throw new StackFault(
        `The demo stopped at "${what}": ${reasonOf(error)}`,
        'What the services said is in .local/logs/.',
      );
    }
  }

  /**
   * @param {string} mark
   * @param {number} startedAt
   * @param {string} what
   * @param {string[]} lines
   */
  #print(mark, startedAt, what, lines) {
    const took = `${(performance.now() - startedAt).toFixed(0)} ms`.padStart(8);
    const details = lines.map((line) => `               ${line}\n`).join('');
    this.out.write(`  ${mark} ${took}   ${what}\n${details}`);
  }

  end() {
    const seconds = ((performance.now() - this.startedAt) / 1000).toFixed(1);
    this.out.write(`\n${this.stepCount} steps, all as they should be, in ${seconds} s.\n`);
  }
}
