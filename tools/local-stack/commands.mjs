// @ts-check
import { spawnSync } from 'node:child_process';
import { closeSync, openSync, readSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import { faultOfLog, Interrupted } from './fault.mjs';
import { forgetRecord, lastLines, launch } from './processes.mjs';
import { stopProcess } from './stopping.mjs';

/**
 * @typedef {object} Command
 * @property {string} program
 * @property {string[]} args
 * @property {NodeJS.ProcessEnv} [env]
 * @property {string} [cwd]
 * @property {number} [uid]
 * @property {number} [gid]
 */

/**
 * @typedef {object} CommandOptions
 * @property {AbortSignal} [signal] ends it
 * @property {AbortSignal} [expiry] ends it too, and the outcome says so
 * @property {(text: string) => void} [echo] hears its output while it runs
 */

/**
 * @typedef {object} CommandOutcome
 * @property {number | null} code
 * @property {NodeJS.Signals | null} endedBy
 * @property {boolean} expired
 * @property {string} logFile
 */

/**
 * Runs a program to its end as a recorded helper of the stack; its output is kept in
 * `logs/<name>.log`.
 * @param {import('./layout.mjs').Layout} layout
 * @param {string} name
 * @param {Command} command
 * @param {CommandOptions} [options]
 * @returns {Promise<CommandOutcome>}
 */
export async function runCommand(layout, name, command, { signal, expiry, echo } = {}) {
  if (signal?.aborted) throw new Interrupted();
  // Helpers such as npm rename themselves, so only their start time identifies them.
  const running = launch(layout, { name, role: 'helper', mark: '', ...command });
  const unfollow = echo === undefined ? () => {} : follow(running.logFile, echo);
  const stop = () => void stopProcess(running.record);
  for (const ending of [signal, expiry]) ending?.addEventListener('abort', stop, { once: true });
  try {
    const { code, signal: endedBy } = await running.ended;
    if (signal?.aborted) throw new Interrupted();
    return { code, endedBy, expired: expiry?.aborted ?? false, logFile: running.logFile };
  } finally {
    unfollow();
    for (const ending of [signal, expiry]) ending?.removeEventListener('abort', stop);
    forgetRecord(layout, name);
  }
}

/**
 * As `runCommand`, but anything other than exit code 0 is a fault that shows the last lines.
 * @param {import('./layout.mjs').Layout} layout
 * @param {string} name
 * @param {Command} command
 * @param {CommandOptions & { remedy?: string }} [options]
 */
export async function mustRun(layout, name, command, options = {}) {
  const outcome = await runCommand(layout, name, command, options);
  if (outcome.code === 0) return outcome;
  const how = outcome.expired ? 'took too long' : `ended with ${outcome.code ?? outcome.endedBy}`;
  const { logFile } = outcome;
  throw faultOfLog(`${name} ${how}`, logFile, lastLines(logFile, 20), options.remedy);
}

/**
 * A short question to a program that answers at once.
 * @param {string} program
 * @param {string[]} args
 * @param {{ env?: NodeJS.ProcessEnv, cwd?: string, uid?: number, gid?: number }} [options]
 * @returns {{ ok: boolean, output: string }}
 */
export function ask(program, args, options = {}) {
  const { status, stdout } = spawnSync(program, args, {
    encoding: 'utf8',
    timeout: 10_000,
    stdio: ['ignore', 'pipe', 'ignore'],
    ...options,
  });
  return { ok: status === 0, output: (stdout ?? '').trim() };
}

/**
 * Forwards what is appended to a file. Unlike a pipe, a grandchild cannot keep it open.
 * @param {string} file
 * @param {(text: string) => void} echo
 * @returns {() => void} stops, after passing on the rest
 */
function follow(file, echo) {
  const descriptor = openSync(file, 'r');
  const buffer = Buffer.alloc(64 * 1024);
  const decoder = new StringDecoder('utf8');
  const passOn = () => {
    for (;;) {
      const length = readSync(descriptor, buffer);
      if (length === 0) return;
      echo(decoder.write(buffer.subarray(0, length)));
    }
  };
  const timer = setInterval(passOn, 150);
  return () => {
    clearInterval(timer);
    passOn();
    closeSync(descriptor);
  };
}
