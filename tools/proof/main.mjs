// @ts-check
// `npm run proof`: the models and the simulations in depth, and what they find in faulty code. Exits with 1 if
// a guarantee is broken, or a fault is not found. docs/proof.md says what this shows.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { check, MODELS } from './model.mjs';
import { MUTANTS } from './mutants.mjs';

const run = promisify(execFile);
const SIMULATIONS = {
  order: 'libs/delivery/test/simulation/simulation.ts',
  credits: 'apps/key-service/test/credit-simulation.ts',
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
let isProven = true;

/** @param {boolean} isRight @param {string} text */
function report(isRight, text) {
  isProven &&= isRight;
  console.log(`${isRight ? '✓' : '✗'} ${text}`);
}

/**
 * @param {string} file
 * @param {number} from
 * @param {number} count
 * @param {number} [mutant]
 * @returns {Promise<{ seed?: number, faults?: string[] }>} the first seed with a fault
 */
async function firstFault(file, from, count, mutant) {
  const program = fileURLToPath(new URL('./seeds.mjs', import.meta.url));
  const chosen = [file, from, count, ...(mutant === undefined ? [] : [mutant])].map(String);
  const { stdout } = await run(process.execPath, [program, ...chosen]);
  return JSON.parse(stdout);
}

const walks = Number(values.walks);
for (const { file, witnesses, faulty } of MODELS) {
  report((await check(file, 'design', walks, witnesses)).isSafe, `${file}: ${walks} walks`);
  for (const variant of faulty) {
    const { isSafe } = await check(file, variant, walks);
    report(!isSafe, `${file} finds the fault in ${variant}`);
  }
}

for (const [name, file] of Object.entries(SIMULATIONS)) {
  const part = Math.ceil(seeds / PARTS);
  const starts = Array.from({ length: PARTS }, (_, index) => Number(values.from) + index * part);
  for (const { seed, faults } of await Promise.all(
    starts.map((from) => firstFault(file, from, part)),
  )) {
    if (faults) report(false, `simulation of ${name}: seed ${seed}: ${faults[0]}`);
  }
  if (isProven) report(true, `simulation of ${name}: ${part * PARTS} seeds`);
}

console.log('\n| Fault | Found by seed | Guarantee that it breaks |\n| --- | --- | --- |');
const rows = MUTANTS.entries();
const searches = Array.from({ length: PARTS }, async () => {
  for (const [index, { title, simulation }] of rows) {
    const { seed, faults = [] } = await firstFault(SIMULATIONS[simulation], 1, MUTANT_SEEDS, index);
    isProven &&= seed !== undefined;
    console.log(`| ${title} | ${seed ?? 'none'} | ${faults[0]?.split(':')[0] ?? ''} |`);
  }
});
await Promise.all(searches);
process.exitCode = isProven ? 0 : 1;
