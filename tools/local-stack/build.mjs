// @ts-check
import { join } from 'node:path';
import { mustRun } from './commands.mjs';
import { workspaceLock } from './install.mjs';
import { workspace } from './layout.mjs';
import { withLock } from './lock.mjs';

/** Nx without its daemon, its cloud and its questions. */
export const NX_ENVIRONMENT = {
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
    env: { ...process.env, ...NX_ENVIRONMENT },
  };
}

/** @typedef {{ note: (text: string) => void, signal: AbortSignal }} BuildContext */

/**
 * Builds every project. Files of dist/ that are up to date are left alone (see "build" in nx.json),
 * so a running stack is not disturbed.
 * @param {import('./layout.mjs').Layout} layout
 * @param {BuildContext} context
 */
export async function buildProjects(layout, context) {
  await build(layout, context, []);
}

/**
 * Builds only the developer tools that are written in TypeScript.
 * @param {import('./layout.mjs').Layout} layout
 * @param {BuildContext} context
 */
export async function buildTools(layout, context) {
  await build(layout, context, ['--projects=tag:type:tool']);
}

/**
 * @param {import('./layout.mjs').Layout} layout
 * @param {BuildContext} context
 * @param {string[]} selection
 */
async function build(layout, { note, signal }, selection) {
  const command = nxCommand(['run-many', '-t', 'build', ...selection, '--output-style=static']);
  await withLock(
    workspaceLock,
    async () => void (await mustRun(layout, 'build', command, { signal })),
    { onWait: () => note('waits for another run'), signal },
  );
}
