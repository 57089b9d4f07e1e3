// @ts-check
// `npm run proof`: the models and the simulations in depth, and what they find in faulty code. Exits with 1 if
// a guarantee is broken, or a fault is not found. docs/proof.md says what this shows.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { runMain } from '../local-stack/fault.mjs';
import { inOwnFolder } from '../local-stack/own-folder.mjs';
import { prepare } from '../local-stack/prepare.mjs';
import { startTestStores, testEnvironment } from '../local-stack/test-stores.mjs';
import { check, MODELS } from './model.mjs';
import { MUTANTS } from './mutants.mjs';

const run = promisify(execFile);
const SIMULATIONS = {
  order: 'libs/delivery/test/simulation/simulation.ts',
  credits: 'apps/key-service/test/credit-simulation.ts',
  limits: 'apps/key-service/test/limit-simulation.ts',
  setup: 'libs/setup/test/link-simulation.ts',
  portal: 'apps/key-service/test/portal-simulation.ts',
  flows: 'apps/identity-forms/test/flow-simulation.ts',
};
const MUTANT_SEEDS = 1_000;
const PARTS = 2;

const USAGE = 'Usage: npm run proof -- [--seeds number] [--walks number] [--from first seed]';
const { values } = parseArgs({
  options: {
    help: { type: 'boolean', short: 'h' },
    seeds: { type: 'string', default: '10000' },
    walks: { type: 'string', default: '5000' },
    from: { type: 'string', default: '1' },
  },
});
if (values.help) {
  console.log(USAGE);
  process.exit();
}
const seeds = Number(values.seeds);
const walks = Number(values.walks);
let isProven = true;

/** @param {boolean} isRight @param {string} text */
function report(isRight, text) {
  isProven &&= isRight;
  console.log(`${isRight ? '✓' : '✗'} ${text}`);
}

/** @typedef {{ env: NodeJS.ProcessEnv, signal: AbortSignal }} Run processes get both */

/**
 * @param {Run} options
 * @param {string} file
 * @param {number} from
 * @param {number} count
 * @param {number} [mutant]
 * @returns {Promise<{ seed?: number, faults?: string[] }>} the first seed with a fault
 */
async function firstFault(options, file, from, count, mutant) {
  const program = fileURLToPath(new URL('./seeds.mjs', import.meta.url));
  const chosen = [file, from, count, ...(mutant === undefined ? [] : [mutant])].map(String);
  const { stdout } = await run(process.execPath, [program, ...chosen], options);
  return JSON.parse(stdout);
}

async function checkModels() {
  for (const { file, witnesses, faulty } of MODELS) {
    report((await check(file, 'design', walks, witnesses)).isSafe, `${file}: ${walks} walks`);
    for (const variant of faulty) {
      const { isSafe } = await check(file, variant, walks);
      report(!isSafe, `${file} finds the fault in ${variant}`);
    }
  }
}

/** @param {Run} options */
async function simulateAll(options) {
  const part = Math.ceil(seeds / PARTS);
  const starts = Array.from({ length: PARTS }, (_, index) => Number(values.from) + index * part);
  for (const [name, file] of Object.entries(SIMULATIONS)) {
    const parts = await Promise.all(starts.map((from) => firstFault(options, file, from, part)));
    const { seed, faults } = parts.find((found) => found.faults) ?? {};
    const outcome = faults ? `seed ${seed}: ${faults[0]}` : `${part * PARTS} seeds`;
    report(!faults, `simulation of ${name}: ${outcome}`);
  }
}

/** @param {Run} options */
async function findMutants(options) {
  console.log('\n| Fault | Found by seed | Guarantee that it breaks |\n| --- | --- | --- |');
  const rows = MUTANTS.entries();
  const searches = Array.from({ length: PARTS }, async () => {
    for (const [index, { title, simulation }] of rows) {
      const file = SIMULATIONS[simulation];
      const { seed, faults = [] } = await firstFault(options, file, 1, MUTANT_SEEDS, index);
      isProven &&= seed !== undefined;
      console.log(`| ${title} | ${seed ?? 'none'} | ${faults[0]?.split(':')[0] ?? ''} |`);
    }
  });
  await Promise.all(searches);
}

await runMain(async () => {
  await prepare();
  await checkModels();
  await inOwnFolder(async ({ layout, signal }) => {
    const stores = await startTestStores(layout, { signal, note: console.log });
    const options = { env: testEnvironment(stores), signal };
    await simulateAll(options);
    await findMutants(options);
  });
  return isProven ? 0 : 1;
});
