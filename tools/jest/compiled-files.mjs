// @ts-check
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export const workspace = fileURLToPath(new URL('../../', import.meta.url));
const cache = join(workspace, '.local', 'cache', 'tests');

/**
 * Where a compiled TypeScript file and its source map are kept.
 * @param {string} path of the TypeScript file
 */
export function compiledFiles(path) {
  const base = join(cache, relative(workspace, path));
  return { code: `${base}.js`, map: `${base}.map` };
}
