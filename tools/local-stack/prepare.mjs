// @ts-check
import { join } from 'node:path';
import { installPackages } from './install.mjs';
import { listenForInterruption } from './interruption.mjs';
import { layoutAt, makeFolders, workspace } from './layout.mjs';
import { Progress } from './progress.mjs';

/**
 * Installs packages and, if that is needed, builds, for commands that do not start a stack. Prints nothing unless
 * a step takes long, as on the first run of a clone.
 * @param {typeof import('./build.mjs').buildProjects} [build]
 */
export async function prepare(build) {
  // Its own folder: `npm start` ends the recorded processes of the stack's folder.
  const layout = layoutAt(join(workspace, '.local', 'prepare'));
  makeFolders(layout);
  const progress = new Progress(process.stderr, { onlySlow: true });
  const interruption = listenForInterruption();
  const { signal } = interruption;
  try {
    await progress.step('packages', (note) => installPackages(layout, { note, signal }));
    if (build === undefined) return;
    await progress.step('build', (note) => build(layout, { note, signal }));
  } finally {
    interruption.dispose();
  }
}
