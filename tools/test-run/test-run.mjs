// @ts-check
import { buildProjects, nxCommand, nxEnvironment } from '../local-stack/build.mjs';
import { mustRun } from '../local-stack/commands.mjs';
import { Interrupted, reasonOf } from '../local-stack/fault.mjs';
import { provideNginx } from '../local-stack/gateway.mjs';
import { installPackages } from '../local-stack/install.mjs';
import { workspace } from '../local-stack/layout.mjs';
import { Progress } from '../local-stack/progress.mjs';
import { provideChromium } from './browser.mjs';
import { runCheck, staticChecks } from './checks.mjs';
import { runTier, testEnvironment, tiers } from './jest-tier.mjs';
import { inOwnFolder } from './own-folder.mjs';
import { Tally } from './tally.mjs';
import { startTestStores } from './test-stores.mjs';

/**
 * @typedef {object} TestOptions
 * @property {import('./jest-tier.mjs').Tier[]} tiers only these; none means all
 * @property {string | undefined} filter only tests whose path holds this
 */

/**
 * @typedef {object} TestContext
 * @property {import('../local-stack/layout.mjs').Layout} layout
 * @property {Progress} progress
 * @property {AbortSignal} signal
 * @property {Tally} tally
 * @property {TestOptions} options
 */

/**
 * Runs everything, or what the options narrow it to, with stores of its own in a folder of its
 * own, which goes when it ends.
 * @param {TestOptions} options
 * @returns {Promise<number>} exit code
 */
export async function runTests(options) {
  const progress = new Progress();
  const tally = new Tally();
  await inOwnFolder(async ({ layout, signal }) => {
    try {
      await runAll({ layout, progress, signal, tally, options });
    } catch (error) {
      if (error instanceof Interrupted) throw error;
      // What could not be set up fails the run as a whole, in the same words as a failed test.
      tally.fail(reasonOf(error));
    }
  });
  if (tally.passed + tally.failed === 0) tally.fail('no test matches');
  progress.say(`\nAll took ${progress.elapsed()}.`);
  for (const line of tally.summary()) progress.say(line);
  return tally.failed === 0 ? 0 : 1;
}

/** @param {TestContext} context */
async function runAll({ layout, progress, signal, tally, options }) {
  const narrowed = options.tiers.length > 0 || options.filter !== undefined;
  const wanted = tiers.filter((tier) => options.tiers.length === 0 || options.tiers.includes(tier));
  const withServices = wanted.some((tier) => tier !== 'unit');

  progress.say(`Gatehouse tests, in ${workspace}\n`);
  await progress.step('packages', (note) => installPackages(layout, { note, signal }));
  const stores = withServices
    ? await progress.step('stores', (note) => startTestStores(layout, { signal, note }))
    : { databaseUrl: '', redisUrl: '' };
  const chromium = withServices ? await provideForPages(layout, progress, signal) : undefined;
  const environment = testEnvironment({ ...stores, chromium });
  const context = { layout, signal, environment, filter: options.filter };

  // Nx writes its graph and its cache here; the linter reads the graph, so nothing runs beside it.
  await progress.step('graph', async () => {
    const command = nxCommand(['graph', '--file=.local/graph.json']);
    await mustRun(layout, 'graph', command, { signal });
  });
  const built = await attempt(tally, 'build', () =>
    progress.step('build', (note) => buildProjects(layout, { note, signal })),
  );
  if (!narrowed) tally.pass();

  const tier = (/** @type {import('./jest-tier.mjs').Tier} */ name) =>
    progress.step(`${name} tests`, async (note) => note(await runTier(name, context, tally)));
  // The checks hold one core for most of their time, and so do the unit tests.
  await Promise.all([
    narrowed ? undefined : runChecks({ layout, progress, signal, tally, options }, environment),
    wanted.includes('unit') ? tier('unit') : undefined,
  ]);
  for (const name of wanted.filter((each) => each !== 'unit')) {
    if (built) await tier(name);
    else tally.fail(`${name} tests: nothing to run them on`);
  }
}

/**
 * @param {TestContext} context
 * @param {NodeJS.ProcessEnv} environment
 */
async function runChecks({ layout, progress, signal, tally }, environment) {
  const settings = { ...environment, ...nxEnvironment };
  for (const check of staticChecks()) {
    await progress
      .step(check.name, async () => {
        const said = await runCheck(check, { layout, signal, environment: settings });
        if (said === undefined) return tally.pass();
        tally.fail(check.name);
        throw new Error(said);
      })
      .catch((error) => {
        if (error instanceof Interrupted) throw error;
        progress.say(reasonOf(error));
      });
  }
}

/**
 * @param {import('../local-stack/layout.mjs').Layout} layout
 * @param {Progress} progress
 * @param {AbortSignal} signal
 */
async function provideForPages(layout, progress, signal) {
  await progress.step('nginx', async (note) => {
    const nginx = await provideNginx({ layout, signal });
    note('path' in nginx ? nginx.label : `none: tests of the gateway will fail\n${nginx.missing}`);
  });
  return progress.step('chromium', async (note) => {
    const found = await provideChromium({ layout, signal });
    note(found.note);
    return found.path;
  });
}

/**
 * @param {Tally} tally
 * @param {string} name
 * @param {() => Promise<unknown>} work
 * @returns {Promise<boolean>}
 */
async function attempt(tally, name, work) {
  try {
    await work();
    return true;
  } catch (error) {
    if (error instanceof Interrupted) throw error;
    tally.fail(`${name}: ${reasonOf(error)}`);
    return false;
  }
}
