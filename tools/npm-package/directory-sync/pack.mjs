// @ts-check
/** The npm package `@gatehouse/directory-sync`: directory sync inside of an application. */
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { bundleLibrary } from '../../bundle/library.mjs';
import { workspace } from '../../local-stack/layout.mjs';
import { lockedVersion, packFolder, readJson } from '../pack.mjs';

/** Those that speak with the network, so that their fixes arrive without a release of ours. */
const DEPENDENCIES = ['pg', 'undici'];

/**
 * @param {string} destination folder
 * @returns {Promise<string>} path of `gatehouse-directory-sync-<version>.tgz`
 */
export async function packDirectorySync(destination) {
  const folder = join(workspace, '.build', 'npm-directory-sync');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await bundleLibrary('libs/directory-sync/src/embedded/index.ts', folder, DEPENDENCIES);
  cpSync(join(import.meta.dirname, 'README.md'), join(folder, 'README.md'));
  const { version, license, engines } = readJson('package.json');
  return packFolder(folder, destination, {
    name: '@gatehouse/directory-sync',
    version,
    description: 'SCIM 2.0 directory sync inside of a Node.js application, on PostgreSQL',
    license,
    type: 'module',
    exports: { '.': { types: './index.d.ts', default: './index.js' } },
    sideEffects: false,
    engines,
    dependencies: Object.fromEntries(DEPENDENCIES.map((name) => [name, `^${lockedVersion(name)}`])),
  });
}
