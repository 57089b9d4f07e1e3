// @ts-check
import { existsSync, rmdirSync, rmSync } from 'node:fs';
import { StackFault } from './fault.mjs';
import { lockHolder, takeLock } from './lock.mjs';
import { isAlive, readRecords } from './processes.mjs';
import { opensOutsideData } from './secrets.mjs';
import { forgetStack } from './state.mjs';
import { stopRecorded } from './stopping.mjs';
import { until } from './until.mjs';

const FOREGROUND_END_MS = 15_000;

/**
 * Ends the stack: one in the foreground by asking its own process, any other by its records.
 * @param {import('./layout.mjs').Layout} layout
 * @returns {Promise<string[]>} the names of the processes that were alive
 */
export async function stopStack(layout) {
  if (!existsSync(layout.run)) return [];
  const alive = readRecords(layout).filter(isAlive);
  await endForeground(layout);
  const lock = takeLock(layout.lock);
  if ('holder' in lock) {
    throw new StackFault(
      `Another command is at work on this stack (process ${lock.holder.pid})`,
      'Wait for it to end, then try again.',
    );
  }
  try {
    await stopRecorded(layout);
    forgetStack(layout);
  } finally {
    lock.release();
  }
  return alive.map(({ name }) => name);
}

/**
 * Files that a reset removes: data, logs, secrets, and leftovers of commands. Downloads and caches stay.
 * @param {import('./layout.mjs').Layout} layout
 * @returns {string[]} the files and folders that exist
 */
export function leftoversOf(layout) {
  const { postgres, redis, gateway, logs, run, prepare, unit, secrets } = layout;
  const all = [postgres, redis, gateway, logs, run, prepare, unit];
  // These secrets decrypt data that is kept.
  if (!opensOutsideData(secrets)) all.push(secrets);
  return all.filter((path) => existsSync(path));
}

/**
 * Ends the stack and removes its data, logs and secrets; downloads and caches stay.
 * @param {import('./layout.mjs').Layout} layout
 * @returns {Promise<string[]>} what was done, in lines for a person
 */
export async function resetStack(layout) {
  const stopped = await stopStack(layout);
  const lines = stopped.length === 0 ? [] : [`Stopped: ${stopped.join(', ')}.`];
  for (const path of leftoversOf(layout)) rmSync(path, { recursive: true, force: true });
  removeIfEmpty(layout.test);
  if (!existsSync(layout.secrets)) return [...lines, 'Removed the data, logs and secrets.'];
  return [
    ...lines,
    'Removed the logs and the stores of this stack. The data in the server of DATABASE_URL is kept,',
    `and so are the secrets that decrypt it (${layout.secrets}).`,
  ];
}

/** @param {string} folder of the test runs; those that are under way have folders in it */
function removeIfEmpty(folder) {
  try {
    rmdirSync(folder);
  } catch {
    // The folder does not exist, or a run is under way.
  }
}

/** @param {import('./layout.mjs').Layout} layout */
async function endForeground(layout) {
  const holder = lockHolder(layout.lock);
  if (holder === undefined) return;
  try {
    process.kill(holder.pid, 'SIGTERM');
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EPERM') return;
    throw new StackFault(`The stack was started by another user (process ${holder.pid})`);
  }
  await until(() => lockHolder(layout.lock) === undefined, { timeoutMs: FOREGROUND_END_MS });
}
