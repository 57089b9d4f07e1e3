// @ts-check
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { StackFault, reasonOf } from './fault.mjs';
import { workspace } from './layout.mjs';

/** The applications with tables, and the variable that names the database of each. */
export const migratingApps = /** @type {const} */ ({
  'key-service': 'KEY_SERVICE_DATABASE_URL',
  'dsync-api': 'DSYNC_DATABASE_URL',
  'identity-forms': 'IDENTITY_FORMS_DATABASE_URL',
});

/** @typedef {keyof typeof migratingApps} MigratingApp */

/**
 * @param {import('./database-roles.mjs').ServiceDatabases} databases
 * @returns {Record<string, string>} the environment by which `tools/migrate.mjs` gets them
 */
export function migrationEnvironment(databases) {
  return {
    [migratingApps['key-service']]: databases['key-service'],
    [migratingApps['dsync-api']]: databases.dsync,
    [migratingApps['identity-forms']]: databases['identity-forms'],
  };
}

/**
 * @param {MigratingApp} app
 * @param {NodeJS.ProcessEnv} environment
 * @returns {string | undefined} from the application's own variable, else from DATABASE_URL; each
 *   also as …_FILE
 */
export function databaseUrlOf(app, environment) {
  for (const variable of [migratingApps[app], 'DATABASE_URL']) {
    const direct = environment[variable];
    if (direct) return direct;
    const file = environment[`${variable}_FILE`];
    if (file) return readSetting(variable, file);
  }
  return undefined;
}

/**
 * Runs the migrations of one application from its built code.
 * @param {MigratingApp} app
 * @param {string} databaseUrl
 * @param {'up' | 'down'} direction
 * @returns {Promise<string[]>} the names of those that ran
 */
export async function migrateApp(app, databaseUrl, direction) {
  const { migrate } = await importBuilt('libs/service-kit/src/index.js');
  const { createDataSource } = await importBuilt(`apps/${app}/src/data-source.js`);
  return await migrate(createDataSource(databaseUrl), direction);
}

/** @param {string} path inside dist/ */
async function importBuilt(path) {
  try {
    return await import(pathToFileURL(join(workspace, 'dist', path)).href);
  } catch (error) {
    throw new StackFault(
      `Cannot load dist/${path}: ${reasonOf(error)}`,
      'Build first: npm run build',
    );
  }
}

/**
 * @param {string} variable
 * @param {string} file
 */
function readSetting(variable, file) {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    throw new StackFault(`${variable}_FILE names a file that cannot be read: ${file}`);
  }
}
