// @ts-check
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from './commands.mjs';
import { StackFault } from './fault.mjs';
import { cacheFolder, workspace } from './layout.mjs';
import { withLock } from './lock.mjs';
import { lastLines } from './processes.mjs';

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
      const { code, endedBy, logFile } = await runCommand(layout, 'npm-ci', command, { signal });
      if (code !== 0) throw installFault(readFileSync(logFile, 'utf8'), code ?? endedBy, logFile);
    },
    { onWait: () => note('waited for another run'), signal },
  );
  note('installed from package-lock.json');
}

/**
 * @param {string} log of npm
 * @param {number | string | null} end its exit code or signal
 * @param {string} logFile
 */
export function installFault(log, end, logFile) {
  if (/\bENOSPC\b/.test(log)) {
    return new StackFault(
      'The disk is full: npm ci could not write all packages',
      'node_modules/ needs about 500 MB, .local/ and dist/ about 150 MB. Free some space, then try again.',
    );
  }
  return new StackFault(
    `npm-ci ended with ${end}. The end of ${logFile}:\n${lastLines(logFile, 20)}`,
    'Is the npm registry in reach? Try it by hand: npm ci --ignore-scripts',
  );
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
