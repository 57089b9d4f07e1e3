// @ts-check
import { buildProjects, nxEnvironment } from '../local-stack/build.mjs';
import { Interrupted, reasonOf } from '../local-stack/fault.mjs';
import { provideNginx } from '../local-stack/gateway.mjs';
import { installPackages } from '../local-stack/install.mjs';
import { workspace } from '../local-stack/layout.mjs';
import { Progress } from '../local-stack/progress.mjs';
import { together } from '../local-stack/together.mjs';
import { provideChromium } from './browser.mjs';
import { runCheck, staticChecks } from './checks.mjs';
import { runNxTargets } from './nx-targets.mjs';
import { runTier, testEnvironment, tiers } from './jest-tier.mjs';
import { inOwnFolder } from './own-folder.mjs';
import { Tally } from './tally.mjs';
import { startTestStores } from './test-stores.mjs';

/**
 * @typedef {object} TestOptions
 * @property {import('./jest-tier.mjs').Tier[]} tiers only these; none means all
 * @property {string | undefined} filter only tests whose path holds this
 * @property {number | undefined} seed of the property tests' samples; without it they are those of every run
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
  if (options.seed !== undefined)
    progress.say(`Samples of property tests: --seed ${options.seed}\n`);
  await progress.step('packages', (note) => installPackages(layout, { note, signal }));
  const stores = withServices
    ? await progress.step('stores', (note) => startTestStores(layout, { signal, note }))
    : { databaseUrl: '', redisUrl: '' };
  const environment = testEnvironment(stores, options.seed);

  const built = await attempt(tally, 'build', () =>
    progress.step('build', (note) => buildProjects(layout, { note, signal })),
  );
  if (built && !narrowed) tally.pass();

  // nginx first: a check needs it.
  const gateway = withServices ? await nginxForTests({ layout, progress, signal }) : {};

  const [browser] = await together(signal, (both) => {
    const context = { layout, progress, signal: both, tally, options };
    return [
      withServices ? browserForTests(context) : Promise.resolve({}),
      narrowed ? Promise.resolve() : runChecks(context, { ...environment, ...gateway }),
      narrowed ? Promise.resolve() : runNxStep(context, environment),
    ];
  });
  if (narrowed && wanted.includes('unit')) {
    await runTierStep('unit', { layout, progress, signal, tally, options }, environment);
  }
  for (const tier of wanted.filter((each) => each !== 'unit')) {
    const context = { layout, progress, signal, tally, options };
    if (built) await runTierStep(tier, context, { ...environment, ...gateway, ...browser });
    else tally.fail(`${tier} tests: nothing to run them on`);
  }
}

/**
 * Lint, type check and unit tests of every project, as far as Nx has no cached result.
 * @param {TestContext} context
 * @param {NodeJS.ProcessEnv} environment
 */
async function runNxStep({ layout, progress, signal, tally }, environment) {
  await progress
    .step('lint, types, unit', async (note) => {
      const failedBefore = tally.failed;
      note(await runNxTargets({ layout, signal, environment }, tally));
      if (tally.failed > failedBefore) throw new Error('see above');
    })
    .catch((error) => {
      if (error instanceof Interrupted) throw error;
    });
}

/**
 * @param {import('./jest-tier.mjs').Tier} tier
 * @param {TestContext} testContext
 * @param {NodeJS.ProcessEnv} environment
 */
async function runTierStep(tier, testContext, environment) {
  const { layout, progress, signal, tally, options } = testContext;
  const context = { layout, signal, environment, filter: options.filter };
  await progress.step(`${tier} tests`, async (note) => {
    const failedBefore = tally.failed;
    const outcome = await runTier(tier, context, tally);
    note(outcome, tally.failed === failedBefore ? '✓' : '✗');
  });
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

/** @typedef {Pick<TestContext, 'layout' | 'progress' | 'signal'>} ProvisionContext */

/**
 * The nginx that tests of gateways start. Without one they fail: nothing is left out in silence.
 * @param {ProvisionContext} context
 * @returns {Promise<NodeJS.ProcessEnv>} where it is, as tests are told
 */
function nginxForTests({ layout, progress, signal }) {
  return progress.step('nginx', async (note) => {
    const nginx = await provideNginx({ layout, signal });
    if ('path' in nginx) {
      note(nginx.label);
      return { NGINX_PATH: nginx.path };
    }
    note(`none: tests of gateways will fail\n${nginx.missing}`, '✗');
    return {};
  });
}

/**
 * The browser that tests of pages start.
 * @param {ProvisionContext} context
 * @returns {Promise<NodeJS.ProcessEnv>} where it is, as tests are told
 */
function browserForTests({ layout, progress, signal }) {
  return progress.step('chromium', async (note) => {
    const found = await provideChromium({ layout, signal });
    note(found.note);
    return found.path === undefined ? {} : { CHROMIUM_PATH: found.path };
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
