import { buildProjects } from '#local-stack/build.mjs';
import { ask } from '#local-stack/commands.mjs';
import { Interrupted, reasonOf } from '#local-stack/fault.mjs';
import { provideNginx } from '#local-stack/gateway.mjs';
import { type Layout, workspace } from '#local-stack/layout.mjs';
import { provideNode } from '#local-stack/node-program.mjs';
import { inOwnFolder } from '#local-stack/own-folder.mjs';
import { type ProvisionContext } from '#local-stack/programs.mjs';
import { Progress } from '#local-stack/progress.mjs';
import {
  type OtherStore,
  startTestStores,
  testEnvironment,
  type TestStores,
} from '#local-stack/test-stores.mjs';
import { together } from '#local-stack/together.mjs';
import { provideChromium } from './browser.js';
import { provideFaketime } from './faketime.js';
import { runTier, type Tier, TIERS, USUAL_TIERS } from './jest-tier.js';
import { runNxTargets } from './nx-targets.js';
import { providePromtool } from './promtool.js';
import { Tally } from './tally.js';

export interface TestOptions {
  /** Only these; empty: all but the slow ones. */
  tiers: Tier[];
  /** Only tests whose path contains this. */
  filter: string | undefined;
  /** Seed of the samples of property tests; undefined: the fixed one. */
  seed: number | undefined;
  /** Major version of the Node.js that the tests and what they start run on; undefined: this one. */
  node: string | undefined;
  /** Stores that the services run on instead of the usual ones. */
  stores: OtherStore[];
}

interface TestContext {
  layout: Layout;
  progress: Progress;
  signal: AbortSignal;
  tally: Tally;
  options: TestOptions;
}

interface NeededFile {
  name: string;
  /** In which tests find its path. */
  variable: string;
  tests: string;
  provide: (context: ProvisionContext) => Promise<string>;
}

const PROMTOOL: NeededFile = {
  name: 'promtool',
  variable: 'PROMTOOL_PATH',
  tests: 'alerts',
  provide: providePromtool,
};
/** The library that steps clocks. */
const FAKETIME: NeededFile = {
  name: 'faketime',
  variable: 'FAKETIME_LIBRARY',
  tests: 'clocks',
  provide: provideFaketime,
};

/**
 * Runs all tests, or those that the options select, on separate stores.
 * @returns exit code
 */
export async function runTests(options: TestOptions): Promise<number> {
  const progress = new Progress();
  const tally = new Tally();
  await inOwnFolder(async ({ layout, signal }) => {
    try {
      await runAll({ layout, progress, signal, tally, options });
    } catch (error) {
      if (error instanceof Interrupted) throw error;
      tally.fail(reasonOf(error));
    }
  });
  if (tally.passed + tally.failed === 0) tally.fail('no test matches');
  progress.say(`\nAll took ${progress.elapsed()}.`);
  for (const line of tally.summary()) progress.say(line);
  return tally.failed === 0 ? 0 : 1;
}

async function runAll(context: TestContext): Promise<void> {
  const { layout, progress, signal, tally, options } = context;
  const isNarrowed = options.tiers.length > 0 || options.filter !== undefined;
  const wanted = options.tiers.length === 0 ? USUAL_TIERS : options.tiers;
  const tiers = TIERS.filter((tier) => wanted.includes(tier));
  const needsServices = tiers.some((tier) => tier !== 'unit');

  progress.say(`Gatehouse tests, in ${workspace}\n`);
  if (options.seed !== undefined) {
    progress.say(`Samples of property tests: --seed ${options.seed}\n`);
  }
  let stores: TestStores = { databaseUrl: '', redisUrl: '' };
  if (needsServices) {
    stores = await progress.step('stores', (note) =>
      startTestStores(layout, { signal, note, others: options.stores }),
    );
  }
  const isBuilt = await buildStep(context);
  if (isBuilt && !isNarrowed) tally.pass();

  const environment = {
    ...testEnvironment(stores, options.seed),
    ...(needsServices ? await nginxForTests(context) : {}),
    ...(tiers.includes('checks') ? await fileForTests(context, PROMTOOL) : {}),
    ...(tiers.includes('faults') ? await fileForTests(context, FAKETIME) : {}),
    ...(needsServices ? await browserForTests(context) : {}),
  };
  if (!isNarrowed) {
    await together(signal, (both) => {
      const shared = { ...context, signal: both };
      return [
        runNxStep(shared, environment),
        runTierStep('checks', shared, environment, { workersMax: 1 }),
      ];
    });
  }
  const program = await nodeForTests(context);
  for (const tier of tiers) {
    if (!isNarrowed && (tier === 'unit' || tier === 'checks')) continue;
    if (isBuilt || tier === 'unit') {
      await runTierStep(tier, context, environment, { program });
    } else tally.fail(`${tier} tests: not run, because the build failed`);
  }
}

async function buildStep({ layout, progress, signal, tally }: TestContext): Promise<boolean> {
  try {
    await progress.step('build', (note) => buildProjects(layout, { note, signal }));
    return true;
  } catch (error) {
    if (error instanceof Interrupted) throw error;
    tally.fail(`build: ${reasonOf(error)}`);
    return false;
  }
}

async function runNxStep(context: TestContext, environment: NodeJS.ProcessEnv): Promise<void> {
  const { layout, progress, signal, tally } = context;
  await progress.step('lint, types, unit', async (note) => {
    const failedBefore = tally.failed;
    const outcome = await runNxTargets({ layout, signal, environment }, tally);
    note(outcome, tally.failed === failedBefore ? '✓' : '✗');
  });
}

async function runTierStep(
  tier: Tier,
  { layout, progress, signal, tally, options }: TestContext,
  environment: NodeJS.ProcessEnv,
  how: { workersMax?: number; program?: string } = {},
): Promise<void> {
  const context = { layout, signal, environment, filter: options.filter, ...how };
  await progress.step(`${tier} tests`, async (note) => {
    const outcome = await runTier(tier, context, tally);
    note(outcome, outcome.endsWith(' 0 failed') ? '✓' : '✗');
  });
}

/** Finds the nginx that tests of gateways start; they fail without one. */
function nginxForTests({ layout, progress, signal }: TestContext): Promise<NodeJS.ProcessEnv> {
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

/** Finds a file that tests need; they fail without it. */
function fileForTests(
  { layout, progress, signal }: TestContext,
  { name, variable, tests, provide }: NeededFile,
): Promise<NodeJS.ProcessEnv> {
  return progress.step<NodeJS.ProcessEnv>(name, async (note) => {
    try {
      const path = await provide({ layout, signal });
      note(path);
      return { [variable]: path };
    } catch (error) {
      note(`none: tests of ${tests} will fail\n${reasonOf(error)}`, '✗');
      return {};
    }
  });
}

/** Downloads the Node.js of `--node`. */
async function nodeForTests({ layout, progress, signal, options }: TestContext): Promise<string> {
  const { node } = options;
  if (node === undefined) return process.execPath;
  return progress.step<string>('Node.js', async (note) => {
    const { program } = await provideNode(node, { layout, signal });
    note(ask(program, ['--version']).output);
    return program;
  });
}

/** Finds the browser that tests of pages start; they fail without one. */
function browserForTests({ progress }: TestContext): Promise<NodeJS.ProcessEnv> {
  return progress.step<NodeJS.ProcessEnv>('chromium', (note) => {
    const { path, note: text } = provideChromium();
    note(text, path === undefined ? '✗' : '✓');
    return Promise.resolve(path === undefined ? {} : { CHROMIUM_PATH: path });
  });
}
