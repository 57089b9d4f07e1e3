// `node deploy/docker/image-parts.mjs <folder>`: copies what the image of each app contains to
// <folder>/<app>. That is the built app, the libraries that it imports, directly or through others, and
// their packages, without source maps and type declarations. Runs in the build stage of the Dockerfile.
// @ts-check
import {
  cpSync,
  existsSync,
  globSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** @typedef {{ dev?: boolean, dependencies?: object, optionalDependencies?: object,
 *   peerDependencies?: object, peerDependenciesMeta?: Record<string, { optional?: boolean }> }}
 *   LockedPackage */

const [target = ''] = process.argv.slice(2);
const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
/** @type {Record<string, LockedPackage>} */
const locked = JSON.parse(readFileSync('package-lock.json', 'utf8')).packages;

/** Neither is read at run time: the images do not enable source maps. */
const LEFT_OUT = /\.(?:map|d\.[cm]?ts|tsbuildinfo)$/;
const IMPORTED = /(?:\bfrom|\bimport|\bimport\(|\brequire\()\s*['"]([^'"]+)['"]/g;

for (const app of readdirSync('dist/apps')) makePart(app, join(target, app));

/**
 * @param {string} app
 * @param {string} folder
 */
function makePart(app, folder) {
  const { projects, packages } = importsOf(`dist/apps/${app}`);
  for (const path of [...projects, ...packageClosure(packages)]) {
    cpSync(path, join(folder, path), {
      recursive: true,
      // Packages in a package are listed themselves.
      filter: (source) =>
        !LEFT_OUT.test(source) && (source === path || basename(source) !== 'node_modules'),
    });
  }
  symlinkSync(`apps/${app}/src/main.js`, join(folder, 'dist/main.js'));
  cpSync('deploy/docker/healthcheck.mjs', join(folder, 'healthcheck.mjs'));
  cpSync('LICENSE', join(folder, 'LICENSE'));
  const { version, type, license } = manifest;
  const revision = process.env['REVISION'];
  const own = { name: `@gatehouse/${app}`, version, revision, private: true, type, license };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(own, null, 2)}\n`);
}

/**
 * @param {string} app folder of the built app
 * @returns {{ projects: Set<string>, packages: Set<string> }} the folders of the app and of its
 *   libraries, and the names of the packages that any of them imports
 */
function importsOf(app) {
  const projects = new Set([app]);
  /** @type {Set<string>} */
  const packages = new Set();
  // A set visits what is added on the way.
  for (const project of projects) {
    for (const file of globSync(`${project}/**/*.js`)) {
      for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(IMPORTED)) {
        if (name.startsWith('.')) {
          const [library] = /^dist\/libs\/[^/]+/.exec(join(dirname(file), name)) ?? [];
          if (library !== undefined) projects.add(library);
        } else {
          packages.add(name.split('/', name.startsWith('@') ? 2 : 1).join('/'));
        }
      }
    }
  }
  // What is left out is part of Node.js.
  const installed = [...packages].filter((name) => `node_modules/${name}` in locked);
  return { projects, packages: new Set(installed) };
}

/**
 * @param {Iterable<string>} names of packages that our code imports
 * @returns {Set<string>} the folders of these packages and of all that they depend on
 */
function packageClosure(names) {
  const folders = new Set([...names].map((name) => `node_modules/${name}`));
  for (const folder of folders) {
    const { dev, ...wants } = locked[folder] ?? {};
    if (dev) throw new Error(`${folder} is imported, but is a development dependency`);
    for (const name of dependencyNames(wants)) {
      const found = resolve(folder, name);
      if (found !== undefined) folders.add(found);
    }
  }
  return folders;
}

/**
 * Optional peers count if package.json lists them: they are what makes a package use the other one.
 * @param {LockedPackage} wants
 */
function dependencyNames({
  dependencies,
  optionalDependencies,
  peerDependencies,
  peerDependenciesMeta,
}) {
  const peers = Object.keys(peerDependencies ?? {}).filter(
    (name) => !peerDependenciesMeta?.[name]?.optional || name in manifest.dependencies,
  );
  return [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers];
}

/**
 * @param {string} folder of the package that asks
 * @param {string} name
 * @returns {string | undefined} undefined: a package for another platform, which is not installed
 */
function resolve(folder, name) {
  const candidates = [`${folder}/node_modules/${name}`];
  for (let at = folder; at.includes('node_modules/');) {
    at = at.slice(0, at.lastIndexOf('node_modules/'));
    candidates.push(`${at}node_modules/${name}`);
  }
  return candidates.find((candidate) => candidate in locked && existsSync(candidate));
}
