// @ts-check
// Lets Node import TypeScript, compiled by SWC with the options of the build. What was compiled is kept
// in .local/cache, so a worker only reads it. Tests run with Node's own module cache, from the paths of
// the sources.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { compiledFiles, workspace } from './compiled-files.mjs';

const { jsc } = JSON.parse(readFileSync(join(workspace, '.swcrc'), 'utf8'));
/** @type {import('@swc/core').Options} */
export const OPTIONS = {
  // Paths are resolved below.
  jsc: { ...jsc, baseUrl: undefined, paths: undefined },
  module: { type: 'es6' },
  sourceMaps: true,
  swcrc: false,
};
/** Version of the compiler and its options: a change compiles everything again. */
const VERSION = JSON.stringify([
  OPTIONS,
  JSON.parse(readFileSync(join(workspace, 'node_modules/@swc/core/package.json'), 'utf8')).version,
]);

/** @type {import('node:module').ResolveHook} */
export function resolve(specifier, context, next) {
  const path = sourceOf(specifier, context.parentURL);
  if (path === undefined) return next(specifier, context);
  return { url: pathToFileURL(path).href, format: 'module', shortCircuit: true };
}

/** @type {import('node:module').LoadHook} */
export async function load(url, context, next) {
  if (!url.startsWith('file:') || !url.endsWith('.ts')) return next(url, context);
  return { format: 'module', source: await compiled(fileURLToPath(url)), shortCircuit: true };
}

/**
 * @param {string} specifier
 * @param {string | undefined} parent
 * @returns {string | undefined} the TypeScript file that is meant, if one is
 */
function sourceOf(specifier, parent) {
  const [, library, entry = 'index'] = /^@gatehouse\/([^/]+)(?:\/(.+))?$/.exec(specifier) ?? [];
  if (library !== undefined) {
    const base = join(workspace, 'libs', library, entry === 'testing' ? 'test' : `src/${entry}`);
    return [`${base}.ts`, join(base, 'index.ts')].find((path) => existsSync(path));
  }
  if (!/^\.{1,2}\/.*\.js$/.test(specifier) || !parent?.endsWith('.ts')) return undefined;
  const path = fileURLToPath(new URL(specifier.replace(/\.js$/, '.ts'), parent));
  return existsSync(path) ? path : undefined;
}

/** @param {string} path */
async function compiled(path) {
  const source = readFileSync(path, 'utf8');
  const mark = `\n// ${createHash('sha1').update(VERSION).update(source).digest('hex')}`;
  const files = compiledFiles(path);
  const found = existsSync(files.code) ? readFileSync(files.code, 'utf8') : '';
  if (found.endsWith(mark)) return found;
  const { transform } = await import('@swc/core');
  const { code, map } = await transform(source, { ...OPTIONS, filename: path });
  mkdirSync(dirname(files.code), { recursive: true });
  replace(files.map, map ?? '');
  replace(files.code, code + mark);
  return code;
}

/**
 * Other workers read the file meanwhile.
 * @param {string} path
 * @param {string} content
 */
function replace(path, content) {
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, content);
  renameSync(draft, path);
}
