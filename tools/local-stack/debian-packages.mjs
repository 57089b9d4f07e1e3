// @ts-check
// Debian packages, unpacked into a folder: this needs apt-get and dpkg-deb, and neither root nor a change
// of the system.
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { mustRun, runCommand } from './commands.mjs';
import { StackFault } from './fault.mjs';
import { lastLines } from './processes.mjs';

const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg';
/** Packages of another release. Setup scripts do not run; all libraries are unpacked, the C library too. */
const NEEDED = /^(lib(?!perl|pam).*|zlib1g|openssl-provider-legacy|valkey-tools)$/;

/**
 * Downloads a package with its dependencies, and unpacks them.
 * @param {string} name of the package
 * @param {string} destination created completely or not at all
 * @param {import('./programs.mjs').ProvisionContext} context
 * @param {string} [suite] another release of Debian than that of this machine, such as trixie
 * @returns {Promise<{ libraries: string[] }>} the folders for LD_LIBRARY_PATH
 */
export async function unpackDebianPackages(name, destination, { layout, signal }, suite) {
  if (!existsSync(destination)) {
    const draft = `${destination}.${process.pid}`;
    const apt = `${draft}.apt`;
    try {
      mkdirSync(draft, { recursive: true });
      mkdirSync(join(apt, 'download'), { recursive: true });
      await download(name, apt, { layout, signal }, suite);
      const files = readdirSync(join(apt, 'download')).filter((file) => file.endsWith('.deb'));
      for (const file of files) {
        const args = ['-x', join(apt, 'download', file), draft];
        await mustRun(layout, `unpack-${name}`, { program: 'dpkg-deb', args }, { signal });
      }
      renameSync(draft, destination);
    } finally {
      rmSync(draft, { recursive: true, force: true });
      rmSync(apt, { recursive: true, force: true });
    }
  }
  return { libraries: libraryFolders(destination) };
}

/**
 * @param {string} name
 * @param {string} folder for the files of apt
 * @param {import('./programs.mjs').ProvisionContext} context
 * @param {string} [suite]
 */
async function download(name, folder, { layout, signal }, suite) {
  const env = { ...process.env, LC_ALL: 'C', DEBIAN_FRONTEND: 'noninteractive' };
  const before = ['-o', 'APT::Sandbox::User=root', ...(suite ? ownState(folder, suite) : [])];
  const apt = (/** @type {string} */ step, /** @type {string[]} */ ...args) => {
    const command = { program: 'apt-get', args: [...before, ...args], env };
    const cwd = join(folder, 'download');
    return runCommand(layout, `apt-${step}`, { ...command, cwd }, { signal });
  };
  const fetchPackages = async () => {
    const plan = await apt('plan', '--simulate', 'install', '--no-install-recommends', name);
    if (plan.code !== 0) return plan;
    const planned = plannedPackages(readFileSync(plan.logFile, 'utf8'));
    const needed = planned.filter((each) => !suite || NEEDED.test(each));
    return apt('download', 'download', ...new Set([...needed, name]));
  };
  if (suite) await apt('update', 'update');
  let outcome = await fetchPackages();
  if (outcome.code !== 0 && !suite && process.getuid?.() === 0) {
    // The package lists are missing, or name files that the mirror no longer has.
    await apt('update', 'update');
    outcome = await fetchPackages();
  }
  if (outcome.code !== 0) throw new StackFault(lastLines(outcome.logFile, 1));
}

/**
 * Lists and a state of their own, in which nothing is installed.
 * @param {string} folder
 * @param {string} suite
 * @returns {string[]} arguments of apt-get
 */
function ownState(folder, suite) {
  if (!existsSync(KEYRING)) throw new StackFault(`packages of Debian ${suite} need ${KEYRING}`);
  for (const each of ['lists/partial', 'archives/partial', 'parts']) {
    mkdirSync(join(folder, each), { recursive: true });
  }
  const line = `deb [signed-by=${KEYRING}] http://deb.debian.org/debian ${suite} main\n`;
  writeFileSync(join(folder, 'sources.list'), line);
  writeFileSync(join(folder, 'status'), '');
  const settings = {
    'Dir::State': folder,
    'Dir::State::status': join(folder, 'status'),
    'Dir::Cache': folder,
    'Dir::Etc::sourcelist': join(folder, 'sources.list'),
    'Dir::Etc::sourceparts': join(folder, 'parts'),
    'Dir::Etc::preferencesparts': join(folder, 'parts'),
  };
  return Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
}

/**
 * @param {string} simulation the output of `apt-get --simulate install`
 * @returns {string[]} the packages that it would install
 */
export function plannedPackages(simulation) {
  return [...simulation.matchAll(/^Inst (\S+) /gm)].map(([, name]) => name ?? '');
}

/**
 * @param {string} root
 * @returns {string[]}
 */
function libraryFolders(root) {
  return ['usr/lib', 'lib'].flatMap((folder) => {
    const path = join(root, folder);
    if (!existsSync(path)) return [];
    const platform = readdirSync(path).filter((entry) => entry.endsWith('-linux-gnu'));
    return [...platform.map((entry) => join(path, entry)), path];
  });
}
