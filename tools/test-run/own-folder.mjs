// @ts-check
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { listenForInterruption } from '../local-stack/interruption.mjs';
import { layoutAt, makeFolders, workspace } from '../local-stack/layout.mjs';
import { lockHolder, takeLock } from '../local-stack/lock.mjs';
import { stopRecorded } from '../local-stack/stopping.mjs';
import { startWatchdog } from '../local-stack/watching.mjs';

const testFolder = join(workspace, '.local', 'test');

/**
 * Gives a run a folder of its own for the processes and data that it makes, so that runs may go
 * on side by side and beside a stack; ends and removes all of it afterwards.
 * @template T
 * @param {(own: { layout: import('../local-stack/layout.mjs').Layout, signal: AbortSignal }) =>
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

/** A run that was killed together with its watchdog leaves a folder, and perhaps processes. */
async function removeDeadRuns() {
  if (!existsSync(testFolder)) return;
  for (const name of readdirSync(testFolder)) {
    const layout = layoutAt(join(testFolder, name));
    if (lockHolder(layout.lock) !== undefined) continue;
    await stopRecorded(layout);
    rmSync(layout.root, { recursive: true, force: true });
  }
}
