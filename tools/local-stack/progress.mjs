// @ts-check
import { Interrupted } from './fault.mjs';

const SLOW_STEP_MS = 2_000;

/** Prints the steps of a run with their outcome and duration. */
export class Progress {
  /**
   * @param {{ write(text: string): unknown }} [out]
   * @param {{ onlySlow?: boolean }} [options] `onlySlow`: print only steps that take long or fail
   */
  constructor(out = process.stdout, { onlySlow = false } = {}) {
    this.out = out;
    this.onlySlow = onlySlow;
    this.startedAt = performance.now();
  }

  /** @param {string} line */
  say(line) {
    this.out.write(`${line}\n`);
  }

  /**
   * Runs one step. A step that takes long is announced before it is done.
   * @template T
   * @param {string} title
   * @param {(note: (text: string, mark?: '✓' | '✗') => void) => Promise<T>} work `note` says what
   *   came of the step
   * @returns {Promise<T>}
   */
  async step(title, work) {
    const startedAt = performance.now();
    let outcome = '';
    let mark = '✓';
    const announcement = setTimeout(() => this.say(`  … ${title}`), SLOW_STEP_MS);
    try {
      const result = await work((text, given = '✓') => {
        outcome = text;
        mark = given;
      });
      const took = performance.now() - startedAt;
      if (!this.onlySlow || took > SLOW_STEP_MS) this.say(stepLine(mark, took, title, outcome));
      return result;
    } catch (error) {
      mark = error instanceof Interrupted ? '-' : '✗';
      this.say(stepLine(mark, performance.now() - startedAt, title, ''));
      throw error;
    } finally {
      clearTimeout(announcement);
    }
  }

  /** @returns {string} time since the beginning, such as `12.3 s` */
  elapsed() {
    return seconds(performance.now() - this.startedAt);
  }
}

/** @param {number} milliseconds */
export function seconds(milliseconds) {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}

/**
 * @param {string} mark
 * @param {number} milliseconds
 * @param {string} title
 * @param {string} outcome
 */
function stepLine(mark, milliseconds, title, outcome) {
  return `  ${mark} ${seconds(milliseconds).padStart(8)}  ${title.padEnd(16)} ${outcome}`.trimEnd();
}
