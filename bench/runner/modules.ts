import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { StackFault } from '#local-stack/fault.mjs';

/**
 * Imports a module of a checkout by its path without extension. Checkouts from before the tools
 * were written in TypeScript have `.mjs` files instead of built ones.
 */
export async function importModule<Module>(root: string, path: string): Promise<Module> {
  const files = [join(root, 'dist', `${path}.js`), join(root, `${path}.mjs`)];
  const file = files.find((each) => existsSync(each));
  if (file === undefined) throw new StackFault(`There is no ${path} in ${root}`);
  return (await import(pathToFileURL(file).href)) as Module;
}
