// @ts-check
// Finds a program or installs it: unpacks Debian packages into .local/ (needs no root, starts no system
// service), otherwise uses the package manager of the system if that needs no password.
import { accessSync, chmodSync, constants, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { ask, mustRun } from './commands.mjs';
import { unpackDebianPackages } from './debian-packages.mjs';
import { StackFault, reasonOf } from './fault.mjs';
import { toolsFolder } from './layout.mjs';
import { withLock } from './lock.mjs';

/** Start scripts of what was unpacked; put before PATH for the programs that tests start. */
export const programsFolder = join(toolsFolder, 'bin');

/**
 * What a program is called by each package manager.
 * @typedef {object} ProgramSource
 * @property {string[]} names of the executable, the best first
 * @property {string} debian package
 * @property {boolean} [unpacks] whether the Debian package works from a folder of ours
 * @property {string} fedora package
 * @property {string[]} brew arguments of `brew install`
 */

/**
 * @typedef {object} ProvisionContext
 * @property {import('./layout.mjs').Layout} layout
 * @property {AbortSignal} signal
 */

/** Also where Debian keeps daemons, which is not on every user's PATH. */
const searchFolders = () => [
  ...(process.env['PATH'] ?? '').split(delimiter),
  '/usr/local/sbin',
  '/usr/sbin',
  '/opt/homebrew/bin',
];

/**
 * @param {string[]} names
 * @returns {string | undefined} the path of the first that is there
 */
export function findProgram(names) {
  for (const name of names) {
    for (const folder of [...searchFolders(), programsFolder]) {
      const path = join(folder, name);
      if (folder !== '' && isExecutable(path)) return path;
    }
  }
  return undefined;
}

/** @param {string} path */
export function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Tries what this machine has, in order, until the program is there.
 * @param {ProgramSource} source
 * @param {ProvisionContext} context
 * @returns {Promise<{ path: string, how: string } | { failures: string[] }>}
 */
export async function installProgram(source, context) {
  // One at a time: package managers lock themselves, and refuse the second instead of waiting.
  return withLock(join(toolsFolder, 'install.lock'), () => tryWays(source, context), context);
}

/**
 * @param {ProgramSource} source
 * @param {ProvisionContext} context
 * @returns {Promise<{ path: string, how: string } | { failures: string[] }>}
 */
async function tryWays(source, context) {
  /** @type {string[]} */
  const failures = [];
  for (const { how, install } of waysToInstall(source, context)) {
    try {
      await install();
      const path = findProgram(source.names);
      if (path !== undefined) return { path, how };
      failures.push(`${how}: ${source.names.join(' or ')} is still not there`);
    } catch (error) {
      if (context.signal.aborted) throw error;
      failures.push(`${how}: ${reasonOf(error).split('\n').at(-1)}`);
    }
  }
  return { failures };
}

/**
 * @param {ProgramSource} source
 * @returns {string} the commands that a person may type instead
 */
export function installHint(source) {
  return [
    `Debian, Ubuntu: sudo apt-get install ${source.debian}`,
    `Fedora:         sudo dnf install ${source.fedora}`,
    `macOS:          brew install ${source.brew.join(' ')}`,
  ].join('\n');
}

/**
 * @param {ProgramSource} source
 * @param {ProvisionContext} context
 * @returns {{ how: string, install: () => Promise<unknown> }[]}
 */
function waysToInstall(source, context) {
  const ways = [];
  const rise = riseToRoot();
  if (findProgram(['apt-get']) !== undefined) {
    if (source.unpacks) {
      ways.push({ how: 'unpacked from Debian packages', install: () => unpack(source, context) });
    }
    if (rise !== undefined) {
      ways.push({ how: 'apt-get', install: () => aptInstall(source.debian, rise, context) });
    }
  }
  if (findProgram(['dnf']) !== undefined && rise !== undefined) {
    const [program = '', ...args] = [...rise, 'dnf', 'install', '-y', ...source.fedora.split(' ')];
    ways.push({
      how: 'dnf',
      install: () => mustRun(context.layout, 'dnf-install', { program, args }, context),
    });
  }
  // Homebrew refuses root and needs none.
  if (findProgram(['brew']) !== undefined && process.getuid?.() !== 0) {
    const args = ['install', ...source.brew];
    ways.push({
      how: 'brew',
      install: () =>
        mustRun(
          context.layout,
          'brew-install',
          { program: 'brew', args, env: brewEnvironment() },
          context,
        ),
    });
  }
  return ways;
}

/**
 * @returns {string[] | undefined} what to put before a command that needs root; undefined when
 *   this user may not, or would be asked for a password
 */
function riseToRoot() {
  if (process.getuid?.() === 0) return [];
  return ask('sudo', ['-n', 'true']).ok ? ['sudo', '-n'] : undefined;
}

/**
 * @param {string} debianPackage
 * @param {string[]} rise
 * @param {ProvisionContext} context
 */
async function aptInstall(debianPackage, rise, { layout, signal }) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C.UTF-8' };
  // sudo drops the environment; `env` puts back what keeps apt-get from asking.
  const before = [...rise, 'env', 'DEBIAN_FRONTEND=noninteractive'];
  const run = (/** @type {string[]} */ command) => {
    const [program = '', ...args] = [...before, ...command];
    return mustRun(layout, 'apt-get', { program, args, env }, { signal });
  };
  const wait = ['-o', 'DPkg::Lock::Timeout=120'];
  const install = ['apt-get', ...wait, 'install', '-y', '--no-install-recommends', debianPackage];
  try {
    await run(install);
  } catch (error) {
    if (signal.aborted) throw error;
    // Usual on a fresh machine: the package lists are missing or old.
    await run(['apt-get', 'update']);
    await run(install);
  }
}

/**
 * @param {ProgramSource} source
 * @param {ProvisionContext} context
 */
async function unpack(source, context) {
  const root = join(toolsFolder, 'debian', source.debian);
  const { libraries } = await unpackDebianPackages(source.debian, root, context);
  const name = source.names.find((candidate) => executableIn(root, candidate) !== undefined);
  const path = name === undefined ? undefined : executableIn(root, name);
  if (name === undefined || path === undefined) {
    throw new StackFault(`${source.debian} holds no ${source.names.join(' or ')}`);
  }
  mkdirSync(programsFolder, { recursive: true });
  const script = join(programsFolder, name);
  writeFileSync(
    script,
    `#!/bin/sh\nLD_LIBRARY_PATH='${libraries.join(':')}' exec '${path}' "$@"\n`,
  );
  chmodSync(script, 0o755);
  if (!ask(script, ['--version']).ok && !ask(script, ['-v']).ok) {
    throw new StackFault(`${path} does not run here`);
  }
}

/**
 * @param {string} root
 * @param {string} name
 */
function executableIn(root, name) {
  return ['usr/sbin', 'usr/bin', 'sbin', 'bin']
    .map((folder) => join(root, folder, name))
    .find((path) => existsSync(path) && isExecutable(path));
}

function brewEnvironment() {
  return { ...process.env, HOMEBREW_NO_AUTO_UPDATE: '1', NONINTERACTIVE: '1' };
}
