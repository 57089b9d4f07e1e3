import { buildProjects } from '#local-stack/build.mjs';
import { ask } from '#local-stack/commands.mjs';
import { Interrupted, reasonOf } from '#local-stack/fault.mjs';
import { type Layout, workspace } from '#local-stack/layout.mjs';
import { provideNode } from '#local-stack/node-program.mjs';
import { inOwnFolder } from '#local-stack/own-folder.mjs';
import { Progress } from '#local-stack/progress.mjs';
import {
  type OtherStore,
  startTestStores,
  testEnvironment,
  type TestStores,
} from '#local-stack/test-stores.mjs';
import { together } from '#local-stack/together.mjs';
import { findFaults } from '../fuzz/main.js';
import { runJest } from './jest-run.js';
import { type Kind, KINDS, kindsOf, type Pace, USUAL_KINDS } from './kinds.js';
import { CHROMIUM, FAKETIME, HELM, NGINX, PROMTOOL, provideProgram } from './programs.js';
import { runStaticChecks } from './static-checks.js';
import { Tally } from './tally.js';

export interface TestOptions {
  /** Only tests of these kinds; empty: those of the pace, and its static checks. */
  kinds: Kind[];
  pace: Pace;
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

/** Duration of the fuzzer in a run of everything. */
const FUZZ_SECONDS = 60;

/**
 * Runs the tests that the options select, on stores of their own.
 * @returns exit code
 */
export async function runTests(options: TestOptions): Promise<number> {
  const progress = new Progress();
  const tally = new Tally();
  progress.say(`Gatehouse tests, in ${workspace}\n`);
  if (options.seed !== undefined) {
    progress.say(`Samples of property tests: --seed ${options.seed}\n`);
  }
  await inOwnFolder(async ({ layout, signal }) => {
    try {
      await runAll({ layout, progress, signal, tally, options });
    } catch (error) {
      if (error instanceof Interrupted) throw error;
      tally.fail(reasonOf(error));
    }
  });
  // It starts a stack in a folder of its own.
  if (addsSlow(options)) {
    const faults = await findFaults(['--seconds', String(FUZZ_SECONDS)]);
    if (faults.length === 0) tally.pass();
    for (const fault of faults) tally.fail(`npm run fuzz: ${fault}`);
  }
  if (tally.passed + tally.failed === 0) tally.fail('no test matches');
  progress.say(`\nAll took ${progress.elapsed()}.`);
  for (const line of tally.summary()) progress.say(line);
  return tally.failed === 0 ? 0 : 1;
}

async function runAll(context: TestContext): Promise<void> {
  const { signal, options } = context;
  const { filter } = options;
  const isNarrowed = options.kinds.length > 0 || filter !== undefined;
  const wanted = addsSlow(options) ? KINDS : USUAL_KINDS;
  const named = options.kinds.length > 0 ? options.kinds : wanted;
  const kinds = filter === undefined ? named : kindsOf(named, filter);
  if (kinds.length === 0) return;
  const environment = await prepareTests(context, kinds);
  const program = await nodeForTests(context);
  const beside = kinds.filter((kind) => kind !== 'timed');
  await together(signal, (both) => {
    const shared = { ...context, signal: both };
    return [
      isNarrowed ? Promise.resolve() : staticStep(shared),
      jestStep(shared, beside, { environment, program }),
    ];
  });
  // Timed tests measure times, so nothing runs beside them.
  await jestStep(context, kinds.includes('timed') ? ['timed'] : [], { environment, program });
}

/** Whether the slow kinds of tests, and the fuzzer, belong to the run. */
function addsSlow({ kinds, filter, pace }: TestOptions): boolean {
  return kinds.length === 0 && filter === undefined && pace !== 'fast';
}

/** Builds, starts stores, and finds the programs that tests start. */
async function prepareTests(
  { layout, progress, signal, options }: TestContext,
  kinds: readonly Kind[],
): Promise<NodeJS.ProcessEnv> {
  const { seed, stores: others, pace } = options;
  if (kinds.every((kind) => kind === 'unit')) {
    return testEnvironment({ databaseUrl: '', redisUrl: '' }, seed);
  }
  const [stores] = await together(signal, (both) => {
    return [
      progress.step<TestStores>('stores', (note) =>
        startTestStores(layout, { signal: both, note, others }),
      ),
      progress.step('build', (note) => buildProjects(layout, { note, signal: both })),
    ];
  });
  const programs = [NGINX, CHROMIUM];
  if (kinds.includes('checks') && pace !== 'fast') programs.push(PROMTOOL, HELM);
  if (kinds.includes('faults')) programs.push(FAKETIME);
  const environment = testEnvironment(stores, seed);
  for (const each of programs) {
    Object.assign(environment, await provideProgram(each, { layout, signal }, progress));
  }
  return environment;
}

async function staticStep({ options, progress, ...shared }: TestContext): Promise<void> {
  const { tally } = shared;
  await progress.step('static checks', async (note) => {
    const failedBefore = tally.failed;
    const outcome = await runStaticChecks(options.pace, shared);
    note(outcome, tally.failed === failedBefore ? '✓' : '✗');
  });
}

async function jestStep(
  { layout, progress, signal, tally, options }: TestContext,
  kinds: readonly Kind[],
  how: { environment: NodeJS.ProcessEnv; program: string },
): Promise<void> {
  if (kinds.length === 0) return;
  const { pace, filter } = options;
  await progress.step(kinds.join(', '), async (note) => {
    const outcome = await runJest({ kinds, pace, filter, layout, signal, ...how }, tally);
    note(outcome, outcome.endsWith(' 0 failed') ? '✓' : '✗');
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
