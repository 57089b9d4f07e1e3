// @ts-check

/**
 * One of our services as a side of an HTTP row, as it runs in production: the built app, its own
 * fresh and migrated database, the run's Redis. LOG_LEVEL is `warn` (the floors log nothing);
 * set it in `env` to measure the cost of logging.
 *
 * @param {'key-service' | 'dsync-api' | 'dsync-worker' | 'identity-forms'} app
 * @param {object} side
 * @param {import('./types.mjs').HttpSide['prepare']} side.prepare
 * @param {import('./types.mjs').HttpSide['env']} [side.env] a DATABASE_URL in it is used as it is
 * @param {string} [side.name]
 * @param {string} [side.database] sides that name the same database share it; default: the app's name
 * @param {string[]} [side.nodeArgs]
 * @returns {import('./types.mjs').HttpSide}
 */
export function service(app, side) {
  return {
    name: side.name ?? app,
    script: `dist/apps/${app}/src/main.js`,
    nodeArgs: side.nodeArgs ?? [],
    ready: '/health/ready',
    prepare: side.prepare,
    env: async (context) => {
      const own = (await side.env?.(context)) ?? {};
      let databaseUrl = own['DATABASE_URL'];
      if (databaseUrl === undefined) {
        databaseUrl = await context.databaseUrl(side.database ?? app);
        await context.migrate(app === 'dsync-worker' ? 'dsync-api' : app, databaseUrl);
      }
      return {
        NODE_ENV: 'production',
        LOG_LEVEL: 'warn',
        REDIS_URL: context.redisUrl,
        REDIS_NAMESPACE: context.redisNamespace,
        ...own,
        DATABASE_URL: databaseUrl,
      };
    },
  };
}
