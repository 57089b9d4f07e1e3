/** The small layout, and the split layout beside it. */
import { DSYNC_ENV, newDirectory } from '../directory.js';
import { type Settings, type System } from '../lone/sides.js';
import { service } from '../runner/define.js';
import { startServer } from '../runner/servers.js';
import { type BenchContext, type HttpSide } from '../runner/types.js';
import { SETTINGS } from '../start/settings.js';

export const SERVICES = ['key-service', 'dsync-api', 'dsync-worker', 'identity-forms'] as const;

const ENV = { ...DSYNC_ENV, WEBHOOK_ALLOW_PRIVATE: 'true' };
const SMALL_ENV = {
  GATEHOUSE_SECRET: 'bench-gatehouse-secret-0123456789abcdef',
  EXTERNAL_URL: 'http://127.0.0.1',
  PORT: '0',
  REDIS_URL: '',
};
const prepare = () => ({ requests: [], check: () => undefined });

/** The process of the small layout with the settings and the load of a service, which it contains. */
export function small(side: HttpSide): HttpSide {
  return {
    ...side,
    name: 'gatehouse',
    script: 'dist/bundles/gatehouse/main.js',
    portSetting: 'ADMIN_PORT',
    env: async (context) => {
      const env = await side.env?.(context);
      // Both layouts open what is sealed in the database that they share.
      return { ...env, KEYS_ENCRYPTION_KEYS: env?.['ENCRYPTION_KEYS'] ?? '', ...SMALL_ENV };
    },
  };
}

/** The process of the small layout on a database of its own, which need not be migrated. */
export function gatehouse(databaseUrl: string, env: Record<string, string> = {}): HttpSide {
  const settings = { ...SETTINGS['key-service'], ...ENV, DATABASE_URL: databaseUrl, ...env };
  return small(service('dsync-api', { env: () => settings, prepare }));
}

/** The services of the split layout on a migrated database of their own. */
export async function splitServices(context: BenchContext): Promise<HttpSide[]> {
  const url = await context.databaseUrl('split');
  for (const app of ['key-service', 'dsync-api', 'identity-forms'] as const) {
    await context.migrate(app, url);
  }
  const { ENCRYPTION_KEYS } = ENV;
  const stores = {
    DATABASE_URL: url,
    KEYS_DATABASE_URL: url,
    KEYS_ENCRYPTION_KEYS: ENCRYPTION_KEYS,
    FORMS_DATABASE_URL: url,
    FORMS_ENCRYPTION_KEYS: ENCRYPTION_KEYS,
  };
  return SERVICES.map((app) =>
    service(app, { env: () => ({ ...SETTINGS[app], ...ENV, ...stores }), prepare }),
  );
}

/** The small layout as a system that delivers events. */
export async function startSmall(context: BenchContext, settings: Settings): Promise<System> {
  const databaseUrl = await context.databaseUrl(settings.label);
  const side = gatehouse(databaseUrl, { LOG_LEVEL: 'info' });
  const { url, pid, stop } = await startServer(side, context, settings);
  return {
    pids: { 'gatehouse µs': pid },
    databaseUrl,
    add: async (webhookUrl) => {
      const { path, headers } = await newDirectory(url, webhookUrl);
      return { url: `${url}${path}/Users`, headers };
    },
    stop,
  };
}
