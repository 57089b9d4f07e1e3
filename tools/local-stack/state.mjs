// @ts-check
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isAlive, readRecords } from './processes.mjs';

/**
 * The state of a started stack that later commands need.
 * @typedef {object} StackState
 * @property {boolean} detached
 * @property {number} portBase
 * @property {string} startedAt
 * @property {import('./database-roles.mjs').ServiceDatabases} [databases]
 */

/**
 * @param {import('./layout.mjs').Layout} layout
 * @param {StackState} state
 */
export function writeState(layout, state) {
  writeFileSync(layout.state, JSON.stringify(state), { mode: 0o600 });
}

/**
 * @param {import('./layout.mjs').Layout} layout
 * @returns {StackState | undefined}
 */
export function readState(layout) {
  return readJson(layout.state);
}

/**
 * The address book for scripts: `.local/stack.json`, there while the stack runs.
 * @typedef {object} StackRecord
 * @property {{ gateway: { url: string, admin: string } | null } & Record<string, { url: string, admin?: string, metrics?: string } | null>} services
 * @property {{ adminApiKey: string, keysAdminApiKey: string, formsAdminApiKey: string,
 *   dsyncApiKey: string, workerAdminApiKey: string }} credentials
 * @property {string} databaseUrl
 * @property {string} redisUrl
 */

/**
 * @param {import('./layout.mjs').Layout} layout
 * @param {StackRecord} record
 */
export function writeStackRecord(layout, record) {
  writeFileSync(layout.stackRecord, `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600 });
}

/**
 * @param {import('./layout.mjs').Layout} layout
 * @returns {StackRecord | undefined}
 */
export function readStackRecord(layout) {
  return readJson(layout.stackRecord);
}

/**
 * @param {string} file
 * @returns {any} undefined when there is none, or half of one
 * @throws when it belongs to another user
 */
function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'EACCES') throw error;
    return undefined;
  }
}

/** @param {import('./layout.mjs').Layout} layout */
export function forgetStack(layout) {
  rmSync(layout.state, { force: true });
  rmSync(layout.stackRecord, { force: true });
}

/**
 * @param {import('./layout.mjs').Layout} layout
 * @returns {boolean} whether a detached stack has processes that live
 */
export function runsDetached(layout) {
  return readState(layout)?.detached === true && readRecords(layout).some(isAlive);
}
