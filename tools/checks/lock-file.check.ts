import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workspace } from '#local-stack/layout.mjs';

interface LockFile {
  packages: Record<
    string,
    {
      optionalDependencies?: Record<string, string>;
      integrity?: string;
      link?: boolean;
      license?: string;
      dev?: boolean;
    }
  >;
}

const lockFile = JSON.parse(readFileSync(join(workspace, 'package-lock.json'), 'utf8')) as LockFile;

// `npm install` omits the hashes of packages for other platforms.
it('package-lock.json has a hash for each package', () => {
  const bare = Object.entries(lockFile.packages).flatMap(([path, { integrity, link }]) =>
    path === '' || link || integrity ? [] : [path],
  );
  expect(bare).toEqual([]);
});

// `npm install` drops optional packages of other platforms, and `npm ci` then fails everywhere.
it('package-lock.json names the optional packages of every platform', () => {
  const { packages } = lockFile;
  const missing = Object.entries(packages).flatMap(([path, { optionalDependencies }]) =>
    Object.keys(optionalDependencies ?? {})
      .filter((name) => !placesOf(path, name).some((place) => place in packages))
      .map((name) => `${name} (of ${path})`),
  );
  expect(missing).toEqual([]);
});

/** Licenses that may ship with software under Apache 2.0. */
const LICENSES = new Set([
  '0BSD',
  '(BSD-2-Clause OR GPL-2.0-only)',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'Python-2.0',
  'Unlicense',
]);

// Packages of tools are not distributed.
it('every package that ships has a license that allows it', () => {
  const refused = Object.entries(lockFile.packages).flatMap(([path, { license = 'none', dev }]) =>
    dev || LICENSES.has(license) ? [] : [`${path}: ${license}`],
  );
  expect(refused).toEqual([]);
});

/** Where Node looks for a package that the package at `path` imports, the nearest first. */
function placesOf(path: string, name: string): string[] {
  const places = [`${path === '' ? '' : `${path}/`}node_modules/${name}`];
  if (path === '') return places;
  const parent = path.slice(0, Math.max(0, path.lastIndexOf('node_modules/') - 1));
  return [...places, ...placesOf(parent, name)];
}
