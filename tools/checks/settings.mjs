// @ts-check
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../', import.meta.url));

export const appNames = ['key-service', 'identity-forms', 'dsync-api', 'dsync-worker'];

/**
 * The environment variables that an app reads: the `@Env('NAME')` of its settings class, and of
 * those of the kit that it extends.
 *
 * @param {string} app
 * @returns {Set<string>} each with its `_FILE` twin
 */
export function settingsOf(app) {
  const own = readFileSync(join(root, 'apps', app, 'src', 'config.ts'), 'utf8');
  const kit = readFileSync(join(root, 'libs/service-kit/src/config/service.config.ts'), 'utf8');
  const adminAt = kit.indexOf('class AdminServiceConfig');
  const extended = own.includes('extends AdminServiceConfig') ? kit : kit.slice(0, adminAt);
  const names = [...(own + extended).matchAll(/@Env\('([A-Z][A-Z0-9_]*)'/g)];
  return new Set(names.flatMap(([, name]) => (name ? [name, `${name}_FILE`] : [])));
}
