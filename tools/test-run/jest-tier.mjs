// @ts-check
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join, relative } from 'node:path';
import { runCommand } from '../local-stack/commands.mjs';
import { workspace } from '../local-stack/layout.mjs';
import { programsFolder } from '../local-stack/programs.mjs';

/** @typedef {'unit' | 'integration' | 'e2e' | 'conformance'} Tier */
/** @type {readonly Tier[]} */
export const tiers = ['unit', 'integration', 'e2e', 'conformance'];

/**
 * @param {string} name
 * @returns {name is Tier}
 */
export function isTier(name) {
  return tiers.some((tier) => tier === name);
}

/** Jest loads ECMAScript modules only so, and says each time that this is an experiment. */
const nodeOptions = '--experimental-vm-modules --disable-warning=ExperimentalWarning';
const minutes = 60_000;
const limitMs = {
  unit: 5 * minutes,
  integration: 8 * minutes,
  e2e: 20 * minutes,
  conformance: 5 * minutes,
};
/** After its report is written Jest has nothing to do but leave. */
const leaveMs = 20_000;

/**
 * @typedef {object} TierContext
 * @property {import('../local-stack/layout.mjs').Layout} layout
 * @property {AbortSignal} signal
 * @property {NodeJS.ProcessEnv} environment
 * @property {string | undefined} filter
 */

/**
 * Runs one tier of the Jest tests, showing Jest's own report while it runs.
 * @param {Tier} tier
 * @param {TierContext} context
 * @param {import('./tally.mjs').Tally} tally
 * @returns {Promise<string>} what came of it
 */
export async function runTier(tier, context, tally) {
  const { layout, signal, environment, filter } = context;
  const reportFile = join(layout.root, `${tier}.json`);
  const { expiry, done } = expiryOf(limitMs[tier], reportFile);
  const failedBefore = tally.failed;
  const outcome = await runCommand(
    layout,
    tier,
    {
      program: process.execPath,
      args: [
        join(workspace, 'node_modules', '.bin', 'jest'),
        '--json',
        `--outputFile=${reportFile}`,
        ...(filter === undefined ? [] : [filter, '--passWithNoTests']),
      ],
      cwd: workspace,
      env: {
        ...environment,
        TEST_TIER: tier,
        TEST_STACKS_FOLDER: layout.stacks,
        NODE_OPTIONS: nodeOptions,
      },
    },
    { signal, expiry, echo: (text) => process.stdout.write(text.replaceAll(/^\{.*\}$/gm, '')) },
  ).finally(done);
  if (!existsSync(reportFile)) {
    tally.fail(
      `${tier} tests: Jest ${outcome.expired ? 'took too long' : 'ended without a report'}`,
    );
    return 'no report';
  }
  /** @type {import('./tally.mjs').JestReport} */
  const report = JSON.parse(readFileSync(reportFile, 'utf8'));
  for (const suite of report.testResults) suite.name = relative(workspace, suite.name);
  tally.addJest(report);
  if (outcome.expired) tally.fail(`${tier} tests: something was left open, Jest did not leave`);
  else if (outcome.code !== 0 && tally.failed === failedBefore) {
    tally.fail(`${tier} tests: Jest ended with ${outcome.code ?? outcome.endedBy}`);
  }
  return `${report.numPassedTests} passed, ${tally.failed - failedBefore} failed`;
}

/**
 * What tests may know of their surroundings: their own stores, and nothing of a database or Redis
 * that somebody works with.
 * @param {{ databaseUrl: string, redisUrl: string }} stores
 * @param {number} [seed] of the property tests' samples
 * @returns {NodeJS.ProcessEnv}
 */
export function testEnvironment({ databaseUrl, redisUrl }, seed) {
  const foreign = new Set(['DATABASE_URL', 'REDIS_URL', 'DATABASE_URL_FILE', 'REDIS_URL_FILE']);
  const inherited = Object.entries(process.env).filter(
    ([name]) => !foreign.has(name) && !name.startsWith('npm_'),
  );
  return {
    ...Object.fromEntries(inherited),
    PATH: [process.env['PATH'], '/usr/sbin', programsFolder].join(delimiter),
    TEST_DATABASE_URL: databaseUrl,
    TEST_REDIS_URL: redisUrl,
    ...(seed === undefined ? {} : { PROPERTY_SEED: String(seed) }),
  };
}

/**
 * @param {number} milliseconds
 * @param {string} reportFile
 */
function expiryOf(milliseconds, reportFile) {
  const expiry = new AbortController();
  const limit = setTimeout(() => expiry.abort(), milliseconds);
  let reportedAt = 0;
  const watch = setInterval(() => {
    if (reportedAt === 0 && existsSync(reportFile)) reportedAt = performance.now();
    if (reportedAt > 0 && performance.now() - reportedAt > leaveMs) expiry.abort();
  }, 500);
  const done = () => {
    clearTimeout(limit);
    clearInterval(watch);
  };
  return { expiry: expiry.signal, done };
}
