/** The parts used here of the report of `jest --json`. */
export interface JestReport {
  numPassedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  testResults: {
    name: string;
    status: string;
    assertionResults: { status: string; fullName: string; ancestorTitles: string[] }[];
  }[];
}

/** Counts what passed and failed, and keeps what to print at the end. */
export class Tally {
  passed = 0;
  failed = 0;
  skipped = 0;
  readonly failures: string[] = [];

  /** Counts a step outside Jest, such as the build. */
  pass(): void {
    this.passed += 1;
  }

  fail(what: string): void {
    this.failed += 1;
    this.failures.push(what);
  }

  /** Adds the counts of Jest. A suite that could not be loaded has no tests; it is one failure. */
  addJest(report: JestReport): void {
    this.passed += report.numPassedTests;
    this.skipped += report.numPendingTests + report.numTodoTests;
    for (const suite of report.testResults) {
      const failed = suite.assertionResults.filter(({ status }) => status === 'failed');
      for (const { fullName } of failed) this.fail(`${suite.name}: ${fullName}`);
      if (failed.length === 0 && suite.status === 'failed') this.fail(`${suite.name}: did not run`);
    }
  }

  /** The last lines of a run. Programs may parse the very last one. */
  summary(): string[] {
    return [
      ...(this.failures.length === 0 ? [] : ['Failed:']),
      ...this.failures.map((failure) => `  ${failure}`),
      ...(this.skipped === 0 ? [] : [`${this.skipped} tests were skipped`]),
      `${this.passed} passed, ${this.failed} failed`,
    ];
  }
}
