// @ts-check
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the clone. */
export const workspace = resolve(fileURLToPath(new URL('../../', import.meta.url)));

/** Programs and caches that every stack of this clone shares. */
export const toolsFolder = join(workspace, '.local', 'tools');
export const cacheFolder = join(workspace, '.local', 'cache');

/**
 * The files of one stack. Two stacks with different roots share only the
 * clone's built code and downloaded tools.
 * @typedef {ReturnType<typeof layoutAt>} Layout
 */

/**
 * @param {string} root
 */
export function layoutAt(root) {
  return {
    root,
    run: join(root, 'run'),
    processes: join(root, 'run', 'processes'),
    lock: join(root, 'run', 'lock'),
    state: join(root, 'run', 'state.json'),
    logs: join(root, 'logs'),
    postgres: join(root, 'postgres'),
    redis: join(root, 'redis'),
    gateway: join(root, 'gateway'),
    secrets: join(root, 'secrets.json'),
    stackRecord: join(root, 'stack.json'),
    /** Files of commands without a stack: their logs, and the reports of unit tests. */
    prepare: join(root, 'prepare'),
    unit: join(root, 'unit'),
    /** One folder for each run of the tests. */
    test: join(root, 'test'),
    /** Stacks that tests start; they are stopped together with this one. */
    stacks: join(root, 'stacks'),
  };
}

/** The layout of `npm start`: `.local/`, or the folder named by GATEHOUSE_LOCAL_FOLDER. */
export function stackLayout() {
  const folder = process.env['GATEHOUSE_LOCAL_FOLDER'];
  return layoutAt(folder ? resolve(folder) : join(workspace, '.local'));
}

/** @param {Layout} layout */
export function makeFolders(layout) {
  for (const folder of [layout.root, layout.processes, layout.logs]) {
    mkdirSync(folder, { recursive: true });
  }
}
