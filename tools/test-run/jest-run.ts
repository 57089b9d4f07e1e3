import { existsSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join, relative } from 'node:path';
import { runCommand } from '#local-stack/commands.mjs';
import { type Layout, workspace } from '#local-stack/layout.mjs';
import { type Kind, type Pace } from './kinds.js';
import { type JestReport, type Tally } from './tally.js';

/** Jest reports each file that is done. Ten times as long as any of them takes on two cores. */
const SILENCE_MAX_MS = 20 * 60_000;
/** Jest has nothing left to do once its report is written. */
const EXIT_MAX_MS = 20_000;

export interface JestRun {
  kinds: readonly Kind[];
  pace: Pace;
  layout: Layout;
  signal: AbortSignal;
  environment: NodeJS.ProcessEnv;
  /** Only tests whose path contains this. */
  filter: string | undefined;
  /** The Node.js that runs the tests, and the services that they start. */
  program: string;
}

/**
 * Runs tests in one Jest and prints its report while it runs.
 * @returns the counts for the line of this step
 */
export async function runJest(run: JestRun, tally: Tally): Promise<string> {
  const { kinds, pace, layout, signal, environment, filter, program } = run;
  const name = `jest-${kinds.join('-')}`;
  const reportFile = join(layout.root, `${name}.json`);
  const failedBefore = tally.failed;
  const progress = watchProgress(reportFile);
  const command = {
    program,
    args: [
      join(workspace, 'node_modules', '.bin', 'jest'),
      '--json',
      `--outputFile=${reportFile}`,
      '--passWithNoTests',
      ...(filter === undefined ? [] : [patternOf(filter)]),
    ],
    cwd: workspace,
    env: {
      ...environment,
      // Tests start some programs as `node`.
      PATH: [dirname(program), environment['PATH']].join(delimiter),
      TEST_TIER: kinds.join(),
      TEST_PACE: pace,
      TEST_STACKS_FOLDER: layout.stacks,
    },
  };
  const echo = (text: string) => {
    progress.note();
    process.stdout.write(text);
  };
  const options = { signal, expiry: progress.expiry, echo };
  const outcome = await runCommand(layout, name, command, options).finally(progress.dispose);
  if (!existsSync(reportFile)) {
    tally.fail(outcome.expired ? 'Jest stood still' : 'Jest wrote no report');
    return 'no report';
  }
  const report = readReport(reportFile);
  tally.addJest(report);
  if (outcome.expired) tally.fail('Jest did not exit, something is still open');
  else if (outcome.code !== 0 && tally.failed === failedBefore) {
    tally.fail(`Jest exited with ${outcome.code ?? outcome.endedBy}`);
  }
  return `${report.numPassedTests} passed, ${tally.failed - failedBefore} failed`;
}

/** Reads the file of `jest --json`, with the paths of suites relative to the clone. */
function readReport(file: string): JestReport {
  const report = JSON.parse(readFileSync(file, 'utf8')) as JestReport;
  for (const suite of report.testResults) suite.name = relative(workspace, suite.name);
  return report;
}

/** Jest matches absolute paths; the path of the clone itself must not match. */
function patternOf(filter: string): string {
  return `^${workspace.replaceAll(/[^\w/-]/g, '\\$&')}.*${filter}`;
}

/** Expires when nothing was noted for long, and when the report is written but Jest goes on. */
function watchProgress(reportFile: string) {
  const expiry = new AbortController();
  let limit = setTimeout(() => expiry.abort(), SILENCE_MAX_MS);
  let isReported = false;
  const watch = setInterval(() => {
    if (isReported || !existsSync(reportFile)) return;
    isReported = true;
    clearTimeout(limit);
    limit = setTimeout(() => expiry.abort(), EXIT_MAX_MS);
  }, 500);
  return {
    expiry: expiry.signal,
    note: () => {
      if (!isReported) limit.refresh();
    },
    dispose: () => {
      clearTimeout(limit);
      clearInterval(watch);
    },
  };
}
