// @ts-check
/** The npm package `@gatehouse/client`: ES modules and their types, one entry for each job. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { workspace } from '../local-stack/layout.mjs';
import { packFolder, readJson } from './pack.mjs';

const LIBRARY = join(workspace, 'libs', 'client');
/** Folders that applications import; the others are parts of these. */
/** @type {readonly string[]} */
export const ENTRIES = [
  'directory',
  'express',
  'fastify',
  'fetch',
  'file-store',
  'hono',
  'macaroon',
  'mcp',
  'nest',
  'postgres-store',
  'webhooks',
];

/**
 * @param {string} destination folder
 * @returns {string} path of `gatehouse-client-<version>.tgz`
 */
export function packClient(destination) {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-client-'));
  try {
    const compiler = join(workspace, 'node_modules', 'typescript', 'bin', 'tsc');
    const project = join(LIBRARY, 'tsconfig.package.json');
    const output = ['--outDir', join(folder, 'dist')];
    execFileSync(process.execPath, [compiler, '-p', project, ...output], { stdio: 'inherit' });
    cpSync(join(LIBRARY, 'README.md'), join(folder, 'README.md'));
    return packFolder(folder, destination, manifest());
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function manifest() {
  const { version, license, engines, dependencies } = readJson('package.json');
  const entry = (/** @type {string} */ path) => ({
    types: `./dist/${path}index.d.ts`,
    default: `./dist/${path}index.js`,
  });
  return {
    name: '@gatehouse/client',
    version,
    description: 'Protect APIs with Gatehouse keys, follow directories, sign people up',
    license,
    type: 'module',
    sideEffects: false,
    engines,
    exports: {
      '.': entry(''),
      ...Object.fromEntries(ENTRIES.map((name) => [`./${name}`, entry(`${name}/`)])),
    },
    files: ['dist'],
    dependencies: { jose: dependencies.jose },
    peerDependencies: { '@nestjs/common': '>=10' },
    peerDependenciesMeta: { '@nestjs/common': { optional: true } },
  };
}
