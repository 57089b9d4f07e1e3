// @ts-check
import { spawnSync } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { descendantsOf, startTimeOf } from './process-table.mjs';
import { forgetRecord, isAlive, readRecords } from './processes.mjs';

/** Together under ten seconds, with room for the kills between them. */
const graceMs = { helper: 1_500, application: 5_500, store: 2_500 };
/** @type {import('./processes.mjs').ProcessRole[]} */
const order = ['helper', 'application', 'store'];
const pollMs = 40;

/**
 * Ends every recorded process of a stack, applications before stores, and forgets the records.
 * One that does not go in time is killed.
 * @param {import('./layout.mjs').Layout} layout
 * @param {{ hurry?: AbortSignal }} [options] `hurry` cuts every grace short
 * @returns {Promise<string[]>} the names of those that were alive
 */
export async function stopRecorded(layout, { hurry } = {}) {
  const records = readRecords(layout);
  const alive = records.filter(isAlive).map(({ name }) => name);
  for (const role of order) {
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
  // Helpers (npm, nx, jest) start programs of their own, not always in their own session.
  const offspring = record.role === 'helper' ? withStartTimes(descendantsOf(record.pid)) : [];
  if (isAlive(record)) {
    signal(record.pid, record.stopSignal);
    for (const { pid } of offspring) signal(pid, 'SIGTERM');
    await untilGone(record, graceMs[record.role], hurry);
  }
  if (record.container !== undefined) {
    spawnSync('docker', ['rm', '--force', record.container], { stdio: 'ignore', timeout: 8_000 });
  }
  for (const { pid, startedAt } of offspring) {
    if (startTimeOf(pid) === startedAt) signal(pid, 'SIGKILL');
  }
  const number = startTimeOf(record.pid);
  // While any member of the group lives its number is not given to another process; a live
  // process with that number and another start time is a stranger, and so is its group.
  if (number === undefined || isAlive(record)) {
    signal(-record.pid, 'SIGKILL');
    await untilGone(record, 1_000);
  }
}

/**
 * @param {import('./processes.mjs').ProcessRecord} record
 * @param {number} milliseconds
 * @param {AbortSignal} [hurry]
 */
async function untilGone(record, milliseconds, hurry) {
  const deadline = performance.now() + milliseconds;
  while (isAlive(record) && performance.now() < deadline && !hurry?.aborted) await delay(pollMs);
}

/** @param {number[]} pids */
function withStartTimes(pids) {
  return pids.map((pid) => ({ pid, startedAt: startTimeOf(pid) }));
}

/**
 * @param {number} pid
 * @param {NodeJS.Signals} name
 */
function signal(pid, name) {
  try {
    process.kill(pid, name);
  } catch {
    // It has gone already.
  }
}
