// @ts-check
import { join } from 'node:path';
import { mustRun } from './commands.mjs';
import { workspaceLock } from './install.mjs';
import { workspace } from './layout.mjs';
import { withLock } from './lock.mjs';

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
 * Builds the projects that changed since they were built last.
 * @param {import('./layout.mjs').Layout} layout
 * @param {{ note: (text: string) => void, signal: AbortSignal }} context
 */
export async function buildProjects(layout, { note, signal }) {
  const command = nxCommand(['run-many', '-t', 'build', '--output-style=static']);
  await withLock(workspaceLock, () => mustRun(layout, 'build', command, { signal }), {
    onWait: () => note('waited for another run'),
    signal,
  });
  note('dist/ is up to date');
}
