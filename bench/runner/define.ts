import { CONTROL_PLANE } from '@gatehouse/testing';
import { type BenchContext, type HttpSide } from './types.js';

type App = 'key-service' | 'dsync-api' | 'dsync-worker' | 'identity-forms';

/**
 * One of our services as a side of an HTTP row, as it runs in production: the built app, a migrated
 * database, the Redis of the run. LOG_LEVEL is `warn` (the floors log nothing); set it in `env` to
 * measure the cost of logging. A DATABASE_URL in `env` must be migrated already.
 */
export function service(
  app: App,
  { name = app, env, prepare }: Pick<HttpSide, 'env' | 'prepare'> & { name?: string },
): HttpSide {
  return {
    name,
    script: `dist/bundles/${app}/main.js`,
    ready: '/health/ready',
    prepare,
    env: async (context) => {
      const own = (await env?.(context)) ?? {};
      return {
        NODE_ENV: 'production',
        ...CONTROL_PLANE,
        LOG_LEVEL: 'warn',
        REDIS_URL: context.redisUrl,
        REDIS_NAMESPACE: context.redisNamespace,
        ...own,
        DATABASE_URL: own['DATABASE_URL'] ?? (await migratedDatabase(app, context)),
      };
    },
  };
}

async function migratedDatabase(app: App, context: BenchContext): Promise<string> {
  const url = await context.databaseUrl(app);
  await context.migrate(app === 'dsync-worker' ? 'dsync-api' : app, url);
  return url;
}

/** Runs `make` for the first row of a run that needs it; later rows share the result. */
export function once<T>(make: (context: BenchContext) => Promise<T>) {
  const made = new WeakMap<BenchContext, Promise<T>>();
  return (context: BenchContext) => {
    const known = made.get(context) ?? make(context);
    made.set(context, known);
    return known;
  };
}
