// @ts-check
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Interrupted, StackFault, reasonOf } from './fault.mjs';
import { workspace } from './layout.mjs';
import { APP_NAMES } from './ports.mjs';

const run = promisify(execFile);

/** @typedef {Exclude<import('./ports.mjs').AppName, 'dsync-worker'>} MigratingApp */

/** The applications that have tables; dsync-worker uses those of dsync-api. */
export const MIGRATING_APPS = /** @type {MigratingApp[]} */ (
  APP_NAMES.filter((name) => name !== 'dsync-worker')
);

/**
 * @param {MigratingApp} app
 * @param {import('./database-roles.mjs').ServiceDatabases} databases
 * @returns {string} the URL with the role that owns the app's schema
 */
export function databaseUrlOf(app, databases) {
  return databases[app === 'dsync-api' ? 'dsync' : app];
}

/**
 * Runs the built `migrate.js` of an application.
 * @param {MigratingApp} app
 * @param {string | undefined} databaseUrl undefined: DATABASE_URL or DATABASE_URL_FILE as they are
 * @param {'up' | 'down'} direction
 * @param {{ to?: string, signal?: AbortSignal }} [options] `to`: the migration that stays the newest
 * @returns {Promise<string>} what it printed, such as `key-service: nothing to do`
 */
export async function migrateApp(app, databaseUrl, direction, { to, signal } = {}) {
  const program = join(workspace, 'dist', 'bundles', app, 'migrate.js');
  if (!existsSync(program)) {
    throw new StackFault(`There is no ${program}`, 'Build first: npm run build');
  }
  const given =
    databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl, DATABASE_URL_FILE: '' };
  try {
    const env = { ...process.env, ...given };
    const confirmed = direction === 'down' ? ['--yes'] : [];
    const end = to === undefined ? [] : ['--to', to];
    const args = [program, direction, ...end, ...confirmed];
    const { stdout } = await run(process.execPath, args, { env, signal });
    return stdout.trim();
  } catch (error) {
    if (signal?.aborted) throw new Interrupted();
    const { stderr = '' } = /** @type {{ stderr?: string }} */ (error);
    throw new StackFault(stderr.trim() || `${app}: the migrations failed: ${reasonOf(error)}`);
  }
}
