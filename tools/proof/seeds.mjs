// @ts-check
// A process that simulates seeds, of a mutant if one is named, until one has a fault. Prints JSON.
import { register } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { workspace } from '../jest/compiled-files.mjs';
import { MUTANTS } from './mutants.mjs';

const [file = '', from = 0, count = 0, mutant] = process.argv
  .slice(2)
  .map((text, index) => (index === 0 ? text : Number(text)));
register('../jest/module-hooks.mjs', import.meta.url);
if (mutant !== undefined) {
  register('./mutant-hooks.mjs', import.meta.url, { data: MUTANTS[Number(mutant)] });
}
const { simulate } = await import(pathToFileURL(join(workspace, String(file))).href);
const first = Number(from);
for (let seed = first; seed < first + Number(count); seed++) {
  const faults = await simulate(seed);
  if (faults.length === 0) continue;
  console.log(JSON.stringify({ seed, faults }));
  process.exit();
}
console.log('{}');
