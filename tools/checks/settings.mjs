// @ts-check
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../', import.meta.url));

/** Libraries whose settings classes an app builds on. */
const SETTINGS_OF = new Map([
  ['key-service', ['libs/service-kit']],
  ['identity-forms', ['libs/service-kit']],
  ['dsync-api', ['libs/service-kit', 'libs/directory-sync']],
  ['dsync-worker', ['libs/service-kit', 'libs/directory-sync']],
]);

export const appNames = [...SETTINGS_OF.keys()];

/**
 * The environment variables that an app reads, from its `@Env('NAME')` and those of its libraries.
 *
 * @param {string} app
 * @returns {Set<string>} each with its `_FILE` twin
 */
export function settingsOf(app) {
  const folders = [`apps/${app}/src`, ...(SETTINGS_OF.get(app) ?? []).map((lib) => `${lib}/src`)];
  const names = folders.flatMap((folder) =>
    sourcesIn(join(root, folder)).flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/@Env\('([A-Z][A-Z0-9_]*)'/g)].map(
        ([, name]) => name,
      ),
    ),
  );
  return new Set(names.flatMap((name) => (name ? [name, `${name}_FILE`] : [])));
}

/**
 * @param {string} folder
 * @returns {string[]}
 */
function sourcesIn(folder) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('spec.ts'))
    .map((name) => join(folder, name));
}
