import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { unpackDebianPackages } from '#local-stack/debian-packages.mjs';
import { toolsFolder } from '#local-stack/layout.mjs';
import { type ProvisionContext } from '#local-stack/programs.mjs';

/**
 * Finds the library that gives a process a clock of its own, or unpacks it from the Debian package.
 * @returns its path, for LD_PRELOAD
 */
export async function provideFaketime(context: ProvisionContext): Promise<string> {
  const given = process.env['FAKETIME_LIBRARY'];
  if (given !== undefined) return given;
  const folder = join(toolsFolder, 'faketime');
  const { libraries } = await unpackDebianPackages('libfaketime', folder, context);
  const paths = libraries.map((library) => join(library, 'faketime', 'libfaketime.so.1'));
  const path = paths.find((each) => existsSync(each));
  if (path === undefined) throw new Error(`the package has none of ${paths.join(', ')}`);
  return path;
}
