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
/** @type {{ simulate: (seed: number) => Promise<string[]>, close?: () => Promise<void> }} */
const { simulate, close } = await import(pathToFileURL(join(workspace, String(file))).href);
const first = Number(from);
let found = {};
for (let seed = first; seed < first + Number(count); seed++) {
  const faults = await simulate(seed);
  if (faults.length === 0) continue;
  found = { seed, faults };
  break;
}
await close?.();
console.log(JSON.stringify(found));
process.exit();
