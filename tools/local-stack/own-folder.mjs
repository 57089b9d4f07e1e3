// @ts-check
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { listenForInterruption } from './interruption.mjs';
import { layoutAt, makeFolders, workspace } from './layout.mjs';
import { lockHolder, takeLock } from './lock.mjs';
import { stopRecorded } from './stopping.mjs';
import { startWatchdog } from './watching.mjs';

const testFolder = join(workspace, '.local', 'test');

/**
 * Runs work in a separate folder, so that it can run next to other runs and a stack.
 * Afterwards, ends the processes and removes the data that the work created.
 * @template T
 * @param {(own: { layout: import('./layout.mjs').Layout, signal: AbortSignal }) =>
 *   Promise<T>} work
 * @returns {Promise<T>}
 */
export async function inOwnFolder(work) {
  await removeDeadRuns();
  const layout = layoutAt(join(testFolder, String(process.pid)));
  makeFolders(layout);
  mkdirSync(layout.stacks);
  const lock = takeLock(layout.lock);
  const interruption = listenForInterruption();
  const watchdog = startWatchdog(layout);
  try {
    return await work({ layout, signal: interruption.signal });
  } finally {
    await stopRecorded(layout, { hurry: interruption.hurry });
    await watchdog.release();
    interruption.dispose();
    if ('release' in lock) lock.release();
    rmSync(layout.root, { recursive: true, force: true });
  }
}

/** A run that was killed together with its watchdog leaves its folder and possibly processes. */
async function removeDeadRuns() {
  if (!existsSync(testFolder)) return;
  for (const name of readdirSync(testFolder)) {
    const layout = layoutAt(join(testFolder, name));
    if (lockHolder(layout.lock) !== undefined) continue;
    await stopRecorded(layout);
    rmSync(layout.root, { recursive: true, force: true });
  }
}
