// @ts-check
import { randomBytes } from 'node:crypto';
import { untilServing } from '../local-stack/applications.mjs';
import { workspace } from '../local-stack/layout.mjs';
import { migrateApp } from '../local-stack/migrations.mjs';
import { freePort, loopback } from '../local-stack/ports.mjs';
import { withDatabase } from '../local-stack/postgres.mjs';
import { launch } from '../local-stack/processes.mjs';
import { inOwnFolder } from '../local-stack/own-folder.mjs';
import { startTestStores } from '../local-stack/test-stores.mjs';

/**
 * Runs the work against a service of its own that ends with it: built code, a fresh database, the
 * stores of TEST_DATABASE_URL and TEST_REDIS_URL or new ones.
 *
 * @template T
 * @param {'dsync-api' | 'identity-forms'} app
 * @param {(url: string) => Record<string, string>} settingsAt beside ports and stores, by its address
 * @param {(url: string) => Promise<T>} work
 * @returns {Promise<T>}
 */
export function withOwnService(app, settingsAt, work) {
  return inOwnFolder(async ({ layout, signal }) => {
    const { databaseUrl, redisUrl } = await startTestStores(layout, { signal, note: () => {} });
    const database = `conformance_${randomBytes(6).toString('hex')}`;
    const inStore = (/** @type {string} */ sql) =>
      withDatabase(databaseUrl, (client) => client.query(sql));
    await inStore(`CREATE DATABASE ${database}`);
    try {
      const own = new URL(databaseUrl);
      own.pathname = `/${database}`;
      await migrateApp(app, own.href, 'up');
      const port = await freePort();
      const url = `http://${loopback}:${port}`;
      const application = launch(layout, {
        name: app,
        role: 'application',
        program: process.execPath,
        args: ['--enable-source-maps', `dist/apps/${app}/src/main.js`],
        cwd: workspace,
        env: {
          PATH: process.env['PATH'],
          NODE_ENV: 'production',
          HOST: loopback,
          PORT: String(port),
          METRICS_PORT: String(await freePort()),
          DATABASE_URL: own.href,
          REDIS_URL: redisUrl,
          REDIS_NAMESPACE: database,
          LOG_LEVEL: 'warn',
          ...settingsAt(url),
        },
      });
      await untilServing(application, port, signal);
      return await work(url);
    } finally {
      await inStore(`DROP DATABASE ${database} WITH (FORCE)`);
    }
  });
}
