// @ts-check
// package-lock.json must name the optional packages of every platform: `npm install` forgets those
// that it cannot see, and `npm ci` then refuses to install anywhere.
import { readFileSync } from 'node:fs';

/** @type {{ packages: Record<string, { optionalDependencies?: Record<string, string> }> }} */
const lock = JSON.parse(readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8'));

const missing = Object.entries(lock.packages).flatMap(([path, { optionalDependencies }]) =>
  Object.keys(optionalDependencies ?? {})
    .filter((name) => !placesOf(path, name).some((place) => place in lock.packages))
    .map((name) => `${name} (of ${path})`),
);

for (const name of missing) console.error(`package-lock.json lacks ${name}`);
process.exitCode = missing.length === 0 ? 0 : 1;

/**
 * @param {string} path of the package that asks
 * @param {string} name
 * @returns {string[]} where Node would look, the nearest first
 */
function placesOf(path, name) {
  const places = [];
  for (
    let folder = path;
    ;
    folder = folder.slice(0, Math.max(0, folder.lastIndexOf('node_modules/') - 1))
  ) {
    places.push(`${folder === '' ? '' : `${folder}/`}node_modules/${name}`);
    if (folder === '') return places;
  }
}
