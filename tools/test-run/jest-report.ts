import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { workspace } from '#local-stack/layout.mjs';
import { type JestReport } from './tally.js';

/** Reads the file of `jest --json --outputFile`, with the paths of suites relative to the clone. */
export function readJestReport(file: string): JestReport {
  const report = JSON.parse(readFileSync(file, 'utf8')) as JestReport;
  for (const suite of report.testResults) suite.name = relative(workspace, suite.name);
  return report;
}
