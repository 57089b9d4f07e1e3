// @ts-check
// Loads one file of the sources with a change; nothing on the disk changes.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { transform } from '@swc/core';
import { workspace } from '../jest/compiled-files.mjs';
import { OPTIONS } from '../jest/module-hooks.mjs';

/** @type {import('./mutants.mjs').Mutant} */
let mutant;

/** @type {import('node:module').InitializeHook<import('./mutants.mjs').Mutant>} */
export function initialize(data) {
  mutant = data;
}

/** @type {import('node:module').LoadHook} */
export async function load(url, context, next) {
  if (url !== pathToFileURL(join(workspace, mutant.file)).href) return next(url, context);
  const path = fileURLToPath(url);
  const parts = readFileSync(path, 'utf8').split(mutant.find);
  if (parts.length !== 2) throw new Error(`${mutant.file} does not have once: ${mutant.find}`);
  const source = parts.join(mutant.replace);
  const { code } = await transform(source, { ...OPTIONS, sourceMaps: false, filename: path });
  return { format: 'module', source: code, shortCircuit: true };
}
