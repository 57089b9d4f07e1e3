// @ts-check
import { mkdirSync, writeFileSync } from 'node:fs';
import { register } from 'node:module';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';

/** @type {Promise<Map<string, string | Uint8Array>> | undefined} */
let files;

/**
 * Writes the reference of all services, compressed, to `reference/` of a bundle.
 * @param {string} folder of the bundle
 */
export async function writeReference(folder) {
  for (const [name, content] of await (files ??= build())) {
    const path = join(folder, 'reference', `${name}.gz`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, gzipSync(content, { level: 9 }));
  }
}

async function build() {
  register('../jest/module-hooks.mjs', import.meta.url);
  const program = '../reference/reference-files.ts';
  const { referenceFiles } = await import(program);
  return referenceFiles();
}
