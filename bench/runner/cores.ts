/**
 * Pins the server side to one core and the load to another, so that neither takes processor time
 * from the other. Without taskset (macOS) or a second core nothing is pinned.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { type Cores } from './types.js';

export function findCores(): Cores {
  if (process.platform !== 'linux') return undefined;
  if (spawnSync('taskset', ['--version'], { stdio: 'ignore' }).status !== 0) return undefined;
  const status = readFileSync('/proc/self/status', 'utf8');
  const allowed = parseCoreList(/^Cpus_allowed_list:\s*(\S+)$/m.exec(status)?.[1] ?? '');
  const [load] = allowed;
  const server = allowed.at(-1);
  if (load === undefined || server === undefined || load === server) return undefined;
  return { server, load };
}

/** The command line that runs `command` on one core; unchanged without a core. */
export function pinned(
  core: number | undefined,
  command: string,
  args: string[],
): [string, string[]] {
  if (core === undefined) return [command, args];
  return ['taskset', ['--cpu-list', String(core), command, ...args]];
}

/** Parses the kernel's notation of a set of cores: `0-3,8` is 0, 1, 2, 3, 8. */
export function parseCoreList(list: string): number[] {
  if (list === '') return [];
  return list.split(',').flatMap((part) => {
    const [first = 0, last = first] = part.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  });
}
