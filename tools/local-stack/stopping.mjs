// @ts-check
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { layoutAt } from './layout.mjs';
import { descendantsOf, startTimeOf } from './process-table.mjs';
import { forgetRecord, isAlive, readRecords } from './processes.mjs';
import { until } from './until.mjs';

/** Together under ten seconds, including the kills. */
const GRACE_MS = { helper: 1_500, application: 5_500, store: 2_500 };
/** @type {import('./processes.mjs').ProcessRole[]} */
const ORDER = ['helper', 'application', 'store'];

/**
 * Ends every recorded process of a stack, applications before stores, and forgets the records.
 * A process that does not exit in time is killed.
 * @param {import('./layout.mjs').Layout} layout
 * @param {{ hurry?: AbortSignal }} [options] `hurry` cuts every grace short
 * @returns {Promise<string[]>} the names of those that were alive
 */
export async function stopRecorded(layout, { hurry } = {}) {
  if (existsSync(layout.stacks)) {
    const stacks = readdirSync(layout.stacks).map((name) => layoutAt(join(layout.stacks, name)));
    await Promise.all(stacks.map((stack) => stopRecorded(stack, { hurry })));
  }
  const records = readRecords(layout);
  const alive = records.filter(isAlive).map(({ name }) => name);
  for (const role of ORDER) {
    await Promise.all(
      records
        .filter((record) => record.role === role)
        .map(async (record) => {
          await stopProcess(record, hurry);
          forgetRecord(layout, record.name);
        }),
    );
  }
  return alive;
}

/**
 * @param {import('./processes.mjs').ProcessRecord} record
 * @param {AbortSignal} [hurry]
 */
export async function stopProcess(record, hurry) {
  const offspring = descendantsOf(record.pid).map((pid) => ({ pid, startedAt: startTimeOf(pid) }));
  if (isAlive(record)) {
    signal(record.pid, record.stopSignal);
    // Helpers (npm, nx, jest) start programs, and do not always pass a signal on to them.
    if (record.role === 'helper') for (const { pid } of offspring) signal(pid, 'SIGTERM');
    await until(() => !isAlive(record), { timeoutMs: GRACE_MS[record.role], signal: hurry });
  }
  const left = () => offspring.filter(({ pid, startedAt }) => startTimeOf(pid) === startedAt);
  for (const { pid } of left()) signal(pid, 'SIGKILL');
  const number = startTimeOf(record.pid);
  // While any member of the group lives its number is not given to another process; a live
  // process with that number and another start time is unrelated, and so is its group.
  if (number === undefined || isAlive(record)) signal(-record.pid, 'SIGKILL');
  await until(() => !isAlive(record) && left().length === 0, { timeoutMs: 1_000 });
}

/**
 * @param {number} pid
 * @param {NodeJS.Signals} name
 */
function signal(pid, name) {
  try {
    process.kill(pid, name);
  } catch {
    // The process has exited already.
  }
}
