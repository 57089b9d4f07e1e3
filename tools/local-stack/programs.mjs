// @ts-check
// Finds a program of this machine, or unpacks Debian packages into .local/, which needs no root and starts
// no system service.
import { accessSync, chmodSync, constants, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { ask, mustRun } from './commands.mjs';
import { unpackDebianPackages } from './debian-packages.mjs';
import { StackFault, reasonOf } from './fault.mjs';
import { toolsFolder } from './layout.mjs';
import { withLock } from './lock.mjs';

/** Start scripts of what was unpacked; put before PATH for the programs that tests start. */
export const programsFolder = join(toolsFolder, 'bin');

/**
 * @typedef {object} ProgramSource
 * @property {string[]} names of the executable, the best first
 * @property {string} debian package
 * @property {string} [suite] the release of Debian, if that of this machine may have an older version
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
 * Unpacks a program, unless that was done before.
 * @param {ProgramSource} source
 * @param {ProvisionContext} context
 * @returns {Promise<{ path: string } | { missing: string }>} `missing` says why, and what to type
 */
export async function unpackProgram(source, context) {
  try {
    if (findProgram(['apt-get']) === undefined) throw new StackFault('there is no apt-get');
    // One at a time: apt-get locks its lists, and refuses the second instead of waiting.
    const lock = join(toolsFolder, 'install.lock');
    return { path: await withLock(lock, () => unpack(source, context), context) };
  } catch (error) {
    if (context.signal.aborted) throw error;
    const reason = reasonOf(error).split('\n').at(-1);
    return { missing: `No package was unpacked (${reason}). ${installHint(source)}` };
  }
}

/**
 * Installs a package into the system, if this user is root and the system has apt-get.
 * @param {ProgramSource} source
 * @param {ProvisionContext} context
 */
export async function aptInstall({ debian }, { layout, signal }) {
  const program = findProgram(['apt-get']);
  if (program === undefined || process.getuid?.() !== 0) return;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C.UTF-8' };
  const run = (/** @type {string[]} */ ...args) =>
    mustRun(layout, 'apt-get', { program, args, env }, { signal });
  await withLock(
    join(toolsFolder, 'install.lock'),
    async () => {
      await run('update');
      await run('install', '-y', '--no-install-recommends', debian);
    },
    { signal },
  );
}

/** @param {ProgramSource} source */
export function installHint({ names: [name], debian }) {
  return `Install ${name}, on Debian and Ubuntu by: sudo apt-get install ${debian}`;
}

/**
 * @param {ProgramSource} source
 * @param {ProvisionContext} context
 * @returns {Promise<string>} the path of a script that starts it with its libraries
 */
async function unpack({ names, debian, suite }, context) {
  const folder = suite === undefined ? debian : `${debian}-${suite}`;
  const root = join(toolsFolder, 'debian', folder);
  const { libraries } = await unpackDebianPackages(debian, root, context, suite);
  const found = names.flatMap((name) => {
    const path = ['usr/sbin', 'usr/bin', 'sbin', 'bin']
      .map((each) => join(root, each, name))
      .find(isExecutable);
    return path === undefined ? [] : [{ name, path }];
  })[0];
  if (found === undefined) throw new StackFault(`${debian} holds no ${names.join(' or ')}`);
  const script = join(programsFolder, found.name);
  const own = suite === undefined ? undefined : loaderIn(libraries);
  const path = libraries.join(':');
  const command =
    own === undefined
      ? `LD_LIBRARY_PATH='${path}' exec '${found.path}' "$@"`
      : `exec '${own}' --library-path '${path}' '${found.path}' "$@"`;
  mkdirSync(programsFolder, { recursive: true });
  writeFileSync(script, `#!/bin/sh\n${command}\n`);
  chmodSync(script, 0o755);
  if (ask(script, ['--version']).ok || ask(script, ['-v']).ok) return script;
  throw new StackFault(`${found.path} does not run here`);
}

/**
 * A program of another release needs the loader of its own C library.
 * @param {string[]} libraries
 */
function loaderIn(libraries) {
  return libraries
    .flatMap((folder) => readdirSync(folder).map((entry) => join(folder, entry)))
    .find((path) => /\/ld-linux-[\w-]+\.so\.\d$/.test(path));
}
