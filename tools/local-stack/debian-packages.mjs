// @ts-check
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

/**
 * Fetches a Debian package and those of its dependencies that this machine lacks, and unpacks them
 * into a folder. Needs apt-get and dpkg-deb but neither root nor a change to the system.
 * @param {string} name of the package
 * @param {string} destination made whole or not at all
 * @param {import('./programs.mjs').ProvisionContext} context
 * @returns {Promise<{ libraries: string[] }>} the folders for LD_LIBRARY_PATH
 */
export async function unpackDebianPackages(name, destination, { layout, signal }) {
  if (!existsSync(destination)) {
    const draft = `${destination}.${process.pid}`;
    const downloads = `${draft}.download`;
    try {
      mkdirSync(draft, { recursive: true });
      mkdirSync(downloads, { recursive: true });
      const apt = aptFor(layout, downloads, signal);
      const packages = await missingPackages(name, apt);
      await apt.download(packages);
      for (const file of readdirSync(downloads).filter((entry) => entry.endsWith('.deb'))) {
        const args = ['-x', join(downloads, file), draft];
        await mustRun(layout, `unpack-${name}`, { program: 'dpkg-deb', args }, { signal });
      }
      renameSync(draft, destination);
    } finally {
      rmSync(draft, { recursive: true, force: true });
      rmSync(downloads, { recursive: true, force: true });
    }
  }
  return { libraries: libraryFolders(destination) };
}

/**
 * @param {string} name
 * @param {ReturnType<typeof aptFor>} apt
 * @returns {Promise<string[]>} the package and what of its dependencies is not installed
 */
async function missingPackages(name, apt) {
  let plan = await apt.plan(name);
  if (plan === undefined) {
    await apt.update();
    plan = await apt.plan(name);
  }
  if (plan === undefined) throw new StackFault(`apt-get knows no package ${name}`);
  return [...new Set([...plan, name])];
}

/**
 * @param {string} simulation what `apt-get --simulate install` prints
 * @returns {string[]} the packages that it would install
 */
export function plannedPackages(simulation) {
  return [...simulation.matchAll(/^Inst (\S+) /gm)].map(([, name]) => name ?? '');
}

/**
 * @param {import('./layout.mjs').Layout} layout
 * @param {string} downloads
 * @param {AbortSignal} signal
 */
function aptFor(layout, downloads, signal) {
  const env = { ...process.env, LC_ALL: 'C', DEBIAN_FRONTEND: 'noninteractive' };
  /** @type {string[]} */
  let lists = [];
  const command = (/** @type {string[]} */ args) => ({
    program: 'apt-get',
    args: [...lists, ...args],
    cwd: downloads,
    env,
  });
  return {
    /** @param {string} name */
    async plan(name) {
      const simulate = ['--simulate', 'install', '--no-install-recommends', name];
      const outcome = await runCommand(layout, 'apt-get-plan', command(simulate), { signal });
      if (outcome.code !== 0) return undefined;
      return plannedPackages(readFileSync(outcome.logFile, 'utf8'));
    },
    async update() {
      // The system's lists are only root's to renew; anybody may have lists of their own.
      if (process.getuid?.() !== 0) lists = privateLists(join(downloads, 'apt'));
      await mustRun(layout, 'apt-get-update', command(['update']), { signal });
    },
    /** @param {string[]} names */
    async download(names) {
      const args = ['-o', 'APT::Sandbox::User=root', 'download', ...names];
      const fetch = () => runCommand(layout, 'apt-get-download', command(args), { signal });
      if ((await fetch()).code === 0) return;
      // Lists older than the mirror name files that are no longer there.
      await this.update();
      const second = await fetch();
      if (second.code !== 0) throw new StackFault(lastLines(second.logFile, 1));
    },
  };
}

/**
 * @param {string} folder
 * @returns {string[]} options by which apt-get keeps lists and downloads in a folder of ours
 */
function privateLists(folder) {
  for (const part of ['lists/partial', 'cache/archives/partial']) {
    mkdirSync(join(folder, part), { recursive: true });
  }
  writeFileSync(join(folder, 'extended_states'), '');
  return [
    '-o',
    `Dir::State::lists=${folder}/lists`,
    '-o',
    `Dir::State::extended_states=${folder}/extended_states`,
    '-o',
    `Dir::Cache=${folder}/cache`,
  ];
}

/**
 * @param {string} root
 * @returns {string[]}
 */
function libraryFolders(root) {
  return ['usr/lib', 'lib'].flatMap((folder) => {
    const path = join(root, folder);
    if (!existsSync(path)) return [];
    const ofThisMachine = readdirSync(path).filter((entry) => entry.endsWith('-linux-gnu'));
    return [...ofThisMachine.map((entry) => join(path, entry)), path];
  });
}
