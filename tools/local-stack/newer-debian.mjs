// @ts-check
// Programs of a newer Debian than this machine has: unpacked into .local/, with their own C library.
// Nothing is installed on the system.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { ask, mustRun, runCommand } from './commands.mjs';
import { plannedPackages } from './debian-packages.mjs';
import { StackFault } from './fault.mjs';
import { toolsFolder } from './layout.mjs';
import { withLock } from './lock.mjs';
import { lastLines } from './processes.mjs';
import { findProgram, isExecutable } from './programs.mjs';

const SUITE = 'trixie';
const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg';
const folder = join(toolsFolder, SUITE);
/** The other dependencies are for set-up scripts, which do not run. */
const NEEDED = /^(lib(?!perl|pam).*|zlib1g|openssl-provider-legacy|valkey-tools)$/;

/** @type {Record<string, string>} the packages of the programs */
const PACKAGES = { pgbouncer: 'pgbouncer', 'valkey-server': 'valkey-server' };

/**
 * @param {'pgbouncer' | 'valkey-server'} name
 * @param {import('./programs.mjs').ProvisionContext} context
 * @returns {Promise<string>} the path of a program that takes the same arguments
 * @throws StackFault with the reason if this machine cannot have it
 */
export async function provideNewer(name, context) {
  const script = join(folder, 'bin', name);
  if (!isExecutable(script)) {
    await withLock(join(toolsFolder, 'install.lock'), () => unpack(context), context);
  }
  if (!ask(script, ['--version']).ok) throw new StackFault(`${script} does not run here`);
  return script;
}

/** @param {import('./programs.mjs').ProvisionContext} context */
async function unpack(context) {
  if (existsSync(folder)) return;
  if (findProgram(['apt-get']) === undefined || !existsSync(KEYRING)) {
    throw new StackFault(`programs of Debian ${SUITE} need apt-get and ${KEYRING}`);
  }
  const draft = `${folder}.${process.pid}`;
  try {
    for (const each of ['lists/partial', 'cache/archives/partial', 'parts', 'download', 'bin']) {
      mkdirSync(join(draft, each), { recursive: true });
    }
    await download(draft, context);
    const downloads = join(draft, 'download');
    for (const file of readdirSync(downloads).filter((entry) => entry.endsWith('.deb'))) {
      const args = ['-x', join(downloads, file), join(draft, 'root')];
      await mustRun(context.layout, `unpack-${SUITE}`, { program: 'dpkg-deb', args }, context);
    }
    for (const each of ['lists', 'cache', 'download']) {
      rmSync(join(draft, each), { recursive: true });
    }
    for (const name of Object.keys(PACKAGES)) writeScript(draft, name);
    renameSync(draft, folder);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/**
 * @param {string} draft
 * @param {import('./programs.mjs').ProvisionContext} context
 */
async function download(draft, { layout, signal }) {
  const sources = join(draft, 'sources.list');
  const line = `deb [signed-by=${KEYRING}] http://deb.debian.org/debian ${SUITE} main\n`;
  writeFileSync(sources, line);
  writeFileSync(join(draft, 'status'), '');
  const settings = {
    'Dir::State': draft,
    'Dir::State::lists': join(draft, 'lists'),
    'Dir::State::status': join(draft, 'status'),
    'Dir::Cache': join(draft, 'cache'),
    'Dir::Etc::sourcelist': sources,
    'Dir::Etc::sourceparts': join(draft, 'parts'),
    'Dir::Etc::preferencesparts': join(draft, 'parts'),
    'APT::Sandbox::User': 'root',
  };
  const before = Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
  const apt = async (/** @type {string} */ step, /** @type {string[]} */ ...args) => {
    const env = { ...process.env, LC_ALL: 'C' };
    const command = { program: 'apt-get', args: [...before, ...args], env };
    const cwd = join(draft, 'download');
    const outcome = await runCommand(layout, `apt-${step}`, { ...command, cwd }, { signal });
    if (outcome.code !== 0) throw new StackFault(lastLines(outcome.logFile, 1));
    return readFileSync(outcome.logFile, 'utf8');
  };
  await apt('update', 'update');
  const wanted = Object.values(PACKAGES);
  const plan = await apt('plan', '--simulate', 'install', '--no-install-recommends', ...wanted);
  const libraries = plannedPackages(plan).filter((name) => NEEDED.test(name));
  await apt('download', 'download', ...new Set([...wanted, ...libraries]));
}

/**
 * Starts a program by the loader of its own C library.
 * @param {string} draft
 * @param {string} name
 */
function writeScript(draft, name) {
  const root = join(draft, 'root');
  const inside = (/** @type {string} */ path) => path.replace(draft, folder);
  const libraries = readdirSync(join(root, 'usr', 'lib'))
    .filter((entry) => entry.endsWith('-linux-gnu'))
    .map((entry) => join(root, 'usr', 'lib', entry));
  const loader = libraries
    .flatMap((path) => readdirSync(path).map((entry) => join(path, entry)))
    .find((path) => /\/ld-linux-[\w-]+\.so\.\d$/.test(path));
  const program = ['usr/sbin', 'usr/bin'].map((each) => join(root, each, name)).find(isExecutable);
  if (loader === undefined || program === undefined) {
    throw new StackFault(`Debian ${SUITE} has no ${name} for this machine`);
  }
  const script = join(draft, 'bin', name);
  const path = libraries.map(inside).join(':');
  writeFileSync(
    script,
    `#!/bin/sh\nexec '${inside(loader)}' --library-path '${path}' '${inside(program)}' "$@"\n`,
  );
  chmodSync(script, 0o755);
}
