// @ts-check
// The server side runs on one core and everything that makes its load on another, so that neither
// takes time from what is measured. Without taskset (macOS) or a second core nothing is pinned.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** @typedef {{ server: number, load: number } | undefined} Cores */

/** @returns {Cores} */
export function findCores() {
  if (process.platform !== 'linux') return undefined;
  if (spawnSync('taskset', ['--version'], { stdio: 'ignore' }).status !== 0) return undefined;
  const status = readFileSync('/proc/self/status', 'utf8');
  const list = /^Cpus_allowed_list:\s*(\S+)$/m.exec(status)?.[1];
  const allowed = list === undefined ? [] : parseCoreList(list);
  const [load] = allowed;
  const server = allowed.at(-1);
  if (load === undefined || server === undefined || load === server) return undefined;
  return { server, load };
}

/**
 * The command line that runs `command` on one core; unchanged when there is none to pin to.
 *
 * @param {number | undefined} core
 * @param {string} command
 * @param {string[]} args
 * @returns {[string, string[]]}
 */
export function pinned(core, command, args) {
  if (core === undefined) return [command, args];
  return ['taskset', ['--cpu-list', String(core), command, ...args]];
}

/**
 * The kernel's notation of a set of cores: `0-3,8` is 0, 1, 2, 3, 8.
 *
 * @param {string} list
 * @returns {number[]}
 */
export function parseCoreList(list) {
  return list.split(',').flatMap((part) => {
    const [first, last] = part.split('-').map(Number);
    if (first === undefined || Number.isNaN(first)) return [];
    return Array.from({ length: (last ?? first) - first + 1 }, (_, index) => first + index);
  });
}
