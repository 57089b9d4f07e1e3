// @ts-check
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { mustRun } from './commands.mjs';
import { cacheFolder, workspace } from './layout.mjs';
import { withLock } from './lock.mjs';

/** One at a time in a clone: two runs must not install or build over each other. */
export const workspaceLock = join(cacheFolder, 'workspace.lock');

/**
 * Installs the packages of package-lock.json when node_modules is missing or differs from it.
 * @param {import('./layout.mjs').Layout} layout
 * @param {{ note: (text: string) => void, signal: AbortSignal }} context
 */
export async function installPackages(layout, { note, signal }) {
  if (isInstalled()) return note('up to date');
  await withLock(
    workspaceLock,
    async () => {
      if (isInstalled()) return;
      const command = {
        program: 'npm',
        // No dependency needs an install script, and none may run one on your machine.
        args: ['ci', '--ignore-scripts', '--no-audit', '--no-fund'],
        cwd: workspace,
        env: { ...process.env, NODE_ENV: '', npm_config_omit: '' },
      };
      const remedy =
        'Is the npm registry in reach, and are 500 MB free? Try it by hand: npm ci --ignore-scripts';
      await mustRun(layout, 'npm-ci', command, { signal, remedy });
    },
    { onWait: () => note('waited for another run'), signal },
  );
  note('installed from package-lock.json');
}

function isInstalled() {
  const wanted = readLock(join(workspace, 'package-lock.json'));
  const present = readLock(join(workspace, 'node_modules', '.package-lock.json'));
  return wanted !== undefined && present !== undefined && sameVersions(wanted, present);
}

/** @typedef {Record<string, { version?: string, optional?: boolean }>} LockedPackages */

/**
 * @param {LockedPackages} wanted of package-lock.json
 * @param {LockedPackages} present of node_modules/.package-lock.json, which npm writes last
 * @returns {boolean} whether all that is wanted is there; packages for other platforms may miss
 */
export function sameVersions(wanted, present) {
  return Object.entries(wanted).every(([path, { version, optional }]) => {
    if (path === '') return true;
    const found = present[path];
    return found === undefined ? optional === true : found.version === version;
  });
}

/**
 * @param {string} file
 * @returns {LockedPackages | undefined}
 */
function readLock(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages;
  } catch {
    return undefined;
  }
}
