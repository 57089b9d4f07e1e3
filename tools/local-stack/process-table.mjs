// @ts-check
// Processes of the operating system: /proc on Linux, `ps` elsewhere. A process is identified by its
// number and start time, because numbers are reused.
import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';

const hasProc = process.platform === 'linux';

/**
 * @param {number} pid
 * @returns {string | undefined} a text that no other process with this number has ever had;
 *   undefined when there is no such process or only its zombie
 */
export function startTimeOf(pid) {
  if (!hasProc) {
    const answer = ps(['-o', 'stat=,lstart=', '-p', String(pid)])[0];
    if (answer === undefined || answer.trim().startsWith('Z')) return undefined;
    return answer.trim().split(/\s+/).slice(1).join(' ');
  }
  const fields = statOf(pid);
  if (fields === undefined || fields.state === 'Z' || fields.state === 'X') return undefined;
  return `${bootId()}:${fields.startTicks}`;
}

/**
 * @param {number} pid
 * @returns {string} the command line, or '' if it cannot be read
 */
export function commandLineOf(pid) {
  if (!hasProc) return ps(['-o', 'command=', '-p', String(pid)])[0] ?? '';
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  } catch {
    return '';
  }
}

/**
 * @param {number} pid
 * @returns {number | undefined} the number of its parent
 */
export function parentOf(pid) {
  if (hasProc) return statOf(pid)?.parent;
  const answer = ps(['-o', 'ppid=', '-p', String(pid)])[0];
  return answer === undefined ? undefined : Number(answer.trim());
}

/**
 * @param {number} pid
 * @returns {number[]} its children, their children and so on
 */
export function descendantsOf(pid) {
  const childrenOf = new Map();
  for (const { child, parent } of parenthood()) {
    childrenOf.set(parent, [...(childrenOf.get(parent) ?? []), child]);
  }
  const found = [];
  const open = [pid];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const child of childrenOf.get(next) ?? []) {
      found.push(child);
      open.push(child);
    }
  }
  return found;
}

/** @returns {{ child: number, parent: number }[]} */
function parenthood() {
  if (!hasProc) {
    return ps(['-axo', 'pid=,ppid=']).map((line) => {
      const [child = 0, parent = 0] = line.trim().split(/\s+/).map(Number);
      return { child, parent };
    });
  }
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const fields = statOf(Number(name));
      return fields === undefined ? [] : [{ child: Number(name), parent: fields.parent }];
    });
}

/** @param {number} pid */
function statOf(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field, the name in brackets, may itself hold blanks and brackets.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return { state: fields[0], parent: Number(fields[1]), startTicks: fields[19] };
  } catch {
    return undefined;
  }
}

/** @type {string | undefined} */
let knownBootId;

function bootId() {
  try {
    knownBootId ??= readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    knownBootId = 'boot';
  }
  return knownBootId;
}

/**
 * @param {string[]} args
 * @returns {string[]}
 */
function ps(args) {
  const { stdout } = spawnSync('ps', args, {
    encoding: 'utf8',
    env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' },
  });
  return (stdout ?? '').split('\n').filter((line) => line.trim() !== '');
}
