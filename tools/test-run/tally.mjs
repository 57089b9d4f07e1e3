// @ts-check

/** Counts what passed and failed, and remembers what to show at the end. */
export class Tally {
  passed = 0;
  failed = 0;
  skipped = 0;
  /** @type {string[]} */
  failures = [];

  /** Something that is not counted by Jest, such as the linter, passed. */
  pass() {
    this.passed += 1;
  }

  /** @param {string} what */
  fail(what) {
    this.failed += 1;
    this.failures.push(what);
  }

  /**
   * Adds what Jest counted. A suite that could not be loaded has no tests to count and is one
   * failure itself.
   * @param {JestReport} report
   */
  addJest(report) {
    this.passed += report.numPassedTests;
    this.skipped += report.numPendingTests + report.numTodoTests;
    for (const suite of report.testResults) {
      const failed = suite.assertionResults.filter(({ status }) => status === 'failed');
      for (const { fullName } of failed) this.fail(`${suite.name}: ${fullName}`);
      if (failed.length === 0 && suite.status === 'failed') this.fail(`${suite.name}: did not run`);
    }
  }

  /** @returns {string[]} the last lines of a run; the very last is for programs */
  summary() {
    return [
      ...(this.failures.length === 0 ? [] : ['Failed:']),
      ...this.failures.map((failure) => `  ${failure}`),
      ...(this.skipped === 0 ? [] : [`${this.skipped} tests were skipped`]),
      `${this.passed} passed, ${this.failed} failed`,
    ];
  }
}

/**
 * The parts used here of what `jest --json` writes.
 * @typedef {object} JestReport
 * @property {number} numPassedTests
 * @property {number} numPendingTests
 * @property {number} numTodoTests
 * @property {{ name: string, status: string,
 *   assertionResults: { status: string, fullName: string }[] }[]} testResults
 */
