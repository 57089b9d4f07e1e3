import { existsSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { runCommand } from '#local-stack/commands.mjs';
import { type Layout, workspace } from '#local-stack/layout.mjs';
import { readJestReport } from './jest-report.js';
import { type Tally } from './tally.js';

const MINUTE_MS = 60_000;
/** At least twice what a tier takes on two cores: a busy machine is no failure, a tier that hangs ends. */
const LIMIT_MS = {
  unit: 10 * MINUTE_MS,
  checks: 10 * MINUTE_MS,
  integration: 12 * MINUTE_MS,
  e2e: 30 * MINUTE_MS,
  conformance: 5 * MINUTE_MS,
  faults: 20 * MINUTE_MS,
  timed: 10 * MINUTE_MS,
};
/** Jest has nothing left to do once its report is written. */
const EXIT_LIMIT_MS = 20_000;

export type Tier = keyof typeof LIMIT_MS;
export const TIERS = Object.keys(LIMIT_MS) as Tier[];
/** They take minutes, so they only run when they are asked for: `npm run faults`. */
const SLOW_TIERS: readonly Tier[] = ['faults', 'timed'];
export const USUAL_TIERS = TIERS.filter((tier) => !SLOW_TIERS.includes(tier));

export interface TierContext {
  layout: Layout;
  signal: AbortSignal;
  environment: NodeJS.ProcessEnv;
  /** Only tests whose path contains this. */
  filter: string | undefined;
  /** For a tier that runs beside something else. */
  workersMax?: number;
  /** The Node.js that runs the tests, and the services that they start. */
  program?: string;
}

export function isTier(name: string): name is Tier {
  return Object.hasOwn(LIMIT_MS, name);
}

/** Runs one tier of the Jest tests and prints Jest's own report while it runs. */
export async function runTier(tier: Tier, context: TierContext, tally: Tally): Promise<string> {
  const { layout, signal, environment, filter, workersMax, program = process.execPath } = context;
  const reportFile = join(layout.root, `${tier}.json`);
  const { expiry, dispose } = expiryOf(LIMIT_MS[tier], reportFile);
  const failedBefore = tally.failed;
  const command = {
    program,
    args: [
      join(workspace, 'node_modules', '.bin', 'jest'),
      '--json',
      `--outputFile=${reportFile}`,
      ...(workersMax === undefined ? [] : [`--maxWorkers=${workersMax}`]),
      ...(filter === undefined ? [] : [patternOf(filter), '--passWithNoTests']),
    ],
    cwd: workspace,
    env: {
      ...environment,
      // Tests start some programs as `node`.
      PATH: [dirname(program), environment['PATH']].join(delimiter),
      TEST_TIER: tier,
      TEST_STACKS_FOLDER: layout.stacks,
    },
  };
  const echo = (text: string) => void process.stdout.write(text);
  const outcome = await runCommand(layout, tier, command, { signal, expiry, echo }).finally(
    dispose,
  );
  if (!existsSync(reportFile)) {
    tally.fail(`${tier} tests: Jest ${outcome.expired ? 'took too long' : 'wrote no report'}`);
    return 'no report';
  }
  const report = readJestReport(reportFile);
  tally.addJest(report);
  if (outcome.expired) tally.fail(`${tier} tests: Jest did not exit, something is still open`);
  else if (outcome.code !== 0 && tally.failed === failedBefore) {
    tally.fail(`${tier} tests: Jest exited with ${outcome.code ?? outcome.endedBy}`);
  }
  return `${report.numPassedTests} passed, ${tally.failed - failedBefore} failed`;
}

/** Jest matches absolute paths; the path of the clone itself must not match. */
function patternOf(filter: string): string {
  return `^${workspace.replaceAll(/[^\w/-]/g, '\\$&')}.*${filter}`;
}

function expiryOf(milliseconds: number, reportFile: string) {
  const expiry = new AbortController();
  const limit = setTimeout(() => expiry.abort(), milliseconds);
  let exitLimit: NodeJS.Timeout | undefined;
  const watch = setInterval(() => {
    if (existsSync(reportFile)) exitLimit ??= setTimeout(() => expiry.abort(), EXIT_LIMIT_MS);
  }, 500);
  const dispose = () => {
    clearTimeout(limit);
    clearTimeout(exitLimit);
    clearInterval(watch);
  };
  return { expiry: expiry.signal, dispose };
}
