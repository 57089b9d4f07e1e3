// @ts-check
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { mustRun } from './commands.mjs';
import { workspaceLock } from './install.mjs';
import { cacheFolder, workspace } from './layout.mjs';
import { withLock } from './lock.mjs';

const stampFile = join(cacheFolder, 'build.stamp');
const isBuilt = (/** @type {string} */ file) =>
  /^\w+\/[^/]+\/(?:src\/|project\.json$)/.test(file) &&
  !/\.(?:spec|int-spec|e2e-spec)\.ts$/.test(file);

/** Nx without its daemon, its cloud and its questions. */
export const nxEnvironment = {
  NX_DAEMON: 'false',
  NX_TUI: 'false',
  NX_INTERACTIVE: 'false',
  NX_NO_CLOUD: 'true',
};

/** @param {string[]} args */
export function nxCommand(args) {
  return {
    program: process.execPath,
    args: [join(workspace, 'node_modules', '.bin', 'nx'), ...args],
    cwd: workspace,
    env: { ...process.env, ...nxEnvironment },
  };
}

/**
 * Builds the projects that changed since they were built last. When none did, dist/ is not touched
 * at all: Nx would lay the same files there anew, under the feet of a stack that runs.
 * @param {import('./layout.mjs').Layout} layout
 * @param {{ note: (text: string) => void, signal: AbortSignal }} context
 */
export async function buildProjects(layout, { note, signal }) {
  await withLock(
    workspaceLock,
    async () => {
      const sources = fingerprintOfSources();
      if (readStamp() === stampOf(sources, fingerprintOfOutput())) return note('up to date');
      const command = nxCommand(['run-many', '-t', 'build', '--output-style=static']);
      await mustRun(layout, 'build', command, { signal });
      writeFileSync(stampFile, stampOf(sources, fingerprintOfOutput()));
      note('built what changed');
    },
    { onWait: () => note('waits for another run'), signal },
  );
}

/** @param {string[]} fingerprints */
function stampOf(...fingerprints) {
  return fingerprints.join(' ');
}

function readStamp() {
  try {
    return readFileSync(stampFile, 'utf8');
  } catch {
    return undefined;
  }
}

/** The content of everything that a build reads. */
function fingerprintOfSources() {
  const hash = createHash('sha256');
  const settings = ['package-lock.json', 'nx.json', '.swcrc', 'tsconfig.base.json'];
  const files = [...filesIn('apps'), ...filesIn('libs')].filter(isBuilt);
  for (const file of [...files, ...settings]) {
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(workspace, file)))
      .update('\0');
  }
  return hash.digest('hex');
}

/** Names, sizes and times are enough to see that somebody else has been at it. */
function fingerprintOfOutput() {
  const hash = createHash('sha256');
  for (const file of filesIn('dist')) {
    const { size, mtimeMs } = statSync(join(workspace, file));
    hash.update(`${file}\0${size}\0${mtimeMs}\0`);
  }
  return hash.digest('hex');
}

/**
 * @param {string} folder of the clone
 * @returns {string[]}
 */
function filesIn(folder) {
  const path = join(workspace, folder);
  if (!existsSync(path)) return [];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(workspace, join(entry.parentPath, entry.name)))
    .sort();
}
