// @ts-check
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { mustRun, runCommand } from './commands.mjs';
import { StackFault } from './fault.mjs';
import { lastLines } from './processes.mjs';

/**
 * Downloads a Debian package and the dependencies that this machine lacks, and unpacks them into a
 * folder. Needs apt-get and dpkg-deb; installs nothing on the system.
 * @param {string} name of the package
 * @param {string} destination created completely or not at all
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
      await download(name, downloads, { layout, signal });
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
 * @param {string} folder
 * @param {import('./programs.mjs').ProvisionContext} context
 */
async function download(name, folder, { layout, signal }) {
  const env = { ...process.env, LC_ALL: 'C', DEBIAN_FRONTEND: 'noninteractive' };
  const apt = (/** @type {string} */ step, /** @type {string[]} */ ...args) =>
    runCommand(layout, `apt-${step}`, { program: 'apt-get', args, cwd: folder, env }, { signal });
  const fetchPackages = async () => {
    const plan = await apt('plan', '--simulate', 'install', '--no-install-recommends', name);
    if (plan.code !== 0) return plan;
    const names = new Set([...plannedPackages(readFileSync(plan.logFile, 'utf8')), name]);
    return apt('download', '-o', 'APT::Sandbox::User=root', 'download', ...names);
  };
  let outcome = await fetchPackages();
  if (outcome.code !== 0 && process.getuid?.() === 0) {
    // The package lists are missing, or name files that the mirror no longer has.
    await apt('update', 'update');
    outcome = await fetchPackages();
  }
  if (outcome.code !== 0) throw new StackFault(lastLines(outcome.logFile, 1));
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
