// @ts-check
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { applicationEnvironment, inheritedEnvironment } from './applications.mjs';
import { StackFault } from './fault.mjs';
import { workspace } from './layout.mjs';
import { APP_NAMES } from './ports.mjs';

/** Stands for the stores, which may not run yet: the settings are only validated. */
const PLACEHOLDER = { database: 'postgres://localhost/none', redis: 'redis://localhost' };

/**
 * Validates the settings of all applications as each of them does, so that an invalid one is
 * reported before the stores are ready.
 * @param {Pick<import('./applications.mjs').StackSettings, 'plan' | 'secrets'>} stack
 */
export async function checkSettings({ plan, secrets }) {
  const { loadConfig, ConfigError } = await import(
    built('libs', 'kit', 'src', 'settings', 'index.js')
  );
  const { database, redis: redisUrl } = PLACEHOLDER;
  const databases = {
    'key-service': database,
    dsync: database,
    'identity-forms': database,
    'delivery-worker': database,
    console: database,
  };
  for (const name of APP_NAMES) {
    const module = await import(built('apps', name, 'src', 'config.js'));
    const Config = Object.entries(module).find(([each]) => each.endsWith('Config'))?.[1];
    const settings = { plan, secrets, databases, redisUrl, redisNamespace: '' };
    const own = applicationEnvironment(name, { ...settings, hasGateway: true });
    try {
      loadConfig(Config, { ...inheritedEnvironment(process.env), ...own });
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      const { faults } = /** @type {{ faults: string[] }} */ (/** @type {unknown} */ (error));
      throw new StackFault(
        `A setting of ${name} is not valid:\n  ${faults.join('\n  ')}`,
        'Correct it, or unset it.',
      );
    }
  }
}

/** @param {string[]} path */
function built(...path) {
  return pathToFileURL(join(workspace, 'dist', ...path)).href;
}
