// @ts-check
import {
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { Interrupted } from './fault.mjs';
import { startTimeOf } from './process-table.mjs';
import { until } from './until.mjs';

/**
 * @typedef {object} LockHolder
 * @property {number} pid
 * @property {string} startedAt
 */

/**
 * Takes a lock that ends with its holder: a file that names the process and is valid while that
 * process lives. A hard link makes it appear complete, so it is never read half-written.
 * @param {string} file
 * @returns {{ holder: LockHolder } | { release: () => void }} who has it, or how to give it back
 */
export function takeLock(file) {
  const mine = { pid: process.pid, startedAt: startTimeOf(process.pid) ?? '' };
  mkdirSync(dirname(file), { recursive: true });
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, JSON.stringify(mine));
  try {
    for (let attempt = 0; attempt < 20; attempt += 1) {
      try {
        linkSync(draft, file);
        return { release: () => releaseLock(file) };
      } catch (error) {
        if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error;
      }
      const holder = lockHolder(file);
      if (holder !== undefined) return { holder };
      discardStale(file);
    }
    throw new Error(`cannot take the lock ${file}`);
  } finally {
    rmSync(draft, { force: true });
  }
}

/**
 * @param {string} file
 * @param {() => Promise<T>} work
 * @param {{ onWait?: (holder: LockHolder) => void, signal?: AbortSignal }} [options]
 * @returns {Promise<T>}
 * @template T
 */
export async function withLock(file, work, { onWait, signal } = {}) {
  let lock = takeLock(file);
  if ('holder' in lock) {
    onWait?.(lock.holder);
    const isTaken = () => {
      lock = takeLock(file);
      return 'release' in lock;
    };
    await until(isTaken, { everyMs: 200, signal });
  }
  if (!('release' in lock)) throw new Interrupted();
  try {
    return await work();
  } finally {
    lock.release();
  }
}

/**
 * @param {string} file
 * @returns {LockHolder | undefined} the living holder
 */
export function lockHolder(file) {
  const holder = readHolder(file);
  return holder !== undefined && startTimeOf(holder.pid) === holder.startedAt ? holder : undefined;
}

/** @param {string} file */
function releaseLock(file) {
  if (readHolder(file)?.pid === process.pid) rmSync(file, { force: true });
}

/**
 * Two processes may find the same dead holder; the second must not remove the lock that the first
 * has just taken.
 * @param {string} file
 */
function discardStale(file) {
  const aside = `${file}.stale.${process.pid}`;
  try {
    renameSync(file, aside);
  } catch {
    return;
  }
  if (lockHolder(aside) !== undefined) {
    try {
      linkSync(aside, file);
    } catch {
      // A third process has it now; the one we displaced finds out by its own release.
    }
  }
  unlinkSync(aside);
}

/**
 * @param {string} file
 * @returns {LockHolder | undefined}
 */
function readHolder(file) {
  try {
    const { pid, startedAt } = JSON.parse(readFileSync(file, 'utf8'));
    return { pid, startedAt };
  } catch {
    return undefined;
  }
}
