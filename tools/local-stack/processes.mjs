// @ts-check
// Every process of a stack leads its own session, so that Ctrl-C reaches only this process, which
// chooses the order of stopping. Each has a record on disk, so that a later command can find and stop
// it even if this process was killed.
import { spawn } from 'node:child_process';
import {
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { StackFault, reasonOf } from './fault.mjs';
import { commandLineOf, startTimeOf } from './process-table.mjs';

/**
 * Applications end before the stores that they use; helpers (install, build) hold nothing.
 * @typedef {'helper' | 'application' | 'store'} ProcessRole
 */

/**
 * @typedef {object} ProcessRecord
 * @property {string} name
 * @property {ProcessRole} role
 * @property {number} pid
 * @property {string} startedAt as `startTimeOf` gives it
 * @property {string} program a part of its command line, for telling it from a stranger
 * @property {NodeJS.Signals} stopSignal what it takes as "finish and go"
 */

/**
 * @typedef {object} ProcessPlan
 * @property {string} name
 * @property {ProcessRole} role
 * @property {string} program an executable
 * @property {string[]} args
 * @property {string} [mark] what its command line shows, when that is not the executable's name
 * @property {NodeJS.ProcessEnv} [env]
 * @property {string} [cwd]
 * @property {number} [uid]
 * @property {number} [gid]
 * @property {NodeJS.Signals} [stopSignal]
 */

/**
 * @typedef {object} RunningProcess
 * @property {ProcessRecord} record
 * @property {string} logFile
 * @property {import('node:child_process').ChildProcess} child
 * @property {Promise<{ code: number | null, signal: NodeJS.Signals | null }>} ended
 */

/**
 * @param {import('./layout.mjs').Layout} layout
 * @param {ProcessPlan} plan
 * @returns {RunningProcess}
 */
export function launch(layout, plan) {
  const logFile = join(layout.logs, `${plan.name}.log`);
  if (existsSync(logFile)) renameSync(logFile, `${logFile}.1`);
  const log = openSync(logFile, 'a', 0o600);
  const child = spawn(plan.program, plan.args, {
    cwd: plan.cwd,
    env: plan.env,
    uid: plan.uid,
    gid: plan.gid,
    detached: true,
    // Directly into the file: a pipe would break when this process exits first.
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  const ended = new Promise((resolve) => {
    child.once('error', () => resolve({ code: null, signal: null }));
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  if (child.pid === undefined) {
    return failedLaunch(child, plan);
  }
  /** @type {ProcessRecord} */
  const record = {
    name: plan.name,
    role: plan.role,
    pid: child.pid,
    startedAt: startTimeOf(child.pid) ?? '',
    program: plan.mark ?? basename(plan.program),
    stopSignal: plan.stopSignal ?? 'SIGTERM',
  };
  writeFileSync(recordFile(layout, plan.name), JSON.stringify(record), { mode: 0o600 });
  return { record, logFile, child, ended };
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @param {ProcessPlan} plan
 * @returns {never}
 */
function failedLaunch(child, plan) {
  child.once('error', () => {});
  throw new StackFault(
    `${plan.name}: cannot run ${plan.program}`,
    existsSync(plan.program) || !plan.program.includes('/')
      ? 'Is it installed, executable and on PATH?'
      : 'The file does not exist.',
  );
}

/**
 * @param {import('./layout.mjs').Layout} layout
 * @returns {ProcessRecord[]}
 */
export function readRecords(layout) {
  if (!existsSync(layout.processes)) return [];
  return readdirSync(layout.processes)
    .filter((file) => file.endsWith('.json'))
    .flatMap((file) => {
      try {
        return [JSON.parse(readFileSync(join(layout.processes, file), 'utf8'))];
      } catch {
        // An incomplete record: its writer crashed while it wrote it.
        return [];
      }
    });
}

/**
 * @param {import('./layout.mjs').Layout} layout
 * @param {string} name
 */
export function forgetRecord(layout, name) {
  rmSync(recordFile(layout, name), { force: true });
}

/**
 * @param {ProcessRecord} record
 * @returns {boolean} whether this very process lives: same number, same start, same program
 */
export function isAlive(record) {
  return (
    record.startedAt !== '' &&
    startTimeOf(record.pid) === record.startedAt &&
    commandLineOf(record.pid).includes(record.program)
  );
}

/**
 * @param {string} logFile
 * @param {number} lines
 * @returns {string} the last lines, or '' when there is no log
 */
export function lastLines(logFile, lines) {
  try {
    const text = readFileSync(logFile, 'utf8').trimEnd();
    return text
      .split('\n')
      .slice(-lines)
      .map((line) => (line.length > 600 ? `${line.slice(0, 599)}…` : line))
      .join('\n');
  } catch (error) {
    return `(${logFile}: ${reasonOf(error)})`;
  }
}

/**
 * @param {import('./layout.mjs').Layout} layout
 * @param {string} name
 */
function recordFile(layout, name) {
  return join(layout.processes, `${name}.json`);
}
