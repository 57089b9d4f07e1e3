// @ts-check
import { randomBytes } from 'node:crypto';
import { untilServing } from '../../local-stack/applications.mjs';
import { workspace } from '../../local-stack/layout.mjs';
import { migrateApp } from '../../local-stack/migrations.mjs';
import { freePort, loopback } from '../../local-stack/ports.mjs';
import { withDatabase } from '../../local-stack/postgres.mjs';
import { launch } from '../../local-stack/processes.mjs';
import { inOwnFolder } from '../../test-run/own-folder.mjs';
import { startTestStores } from '../../test-run/test-stores.mjs';

/**
 * An identity-forms service; `register` gives the id of a schema, the same for the same schema.
 *
 * @typedef {{ url: string, apiKey: string, register: (schema: any) => Promise<string> }} FormService
 */

/**
 * Runs the work against an identity-forms of its own that ends with it: built code, a fresh
 * database, the stores of TEST_DATABASE_URL and TEST_REDIS_URL or new ones.
 *
 * @template T
 * @param {(service: FormService) => Promise<T>} work
 * @returns {Promise<T>}
 */
export function withFormService(work) {
  return inOwnFolder(async ({ layout, signal }) => {
    const { databaseUrl, redisUrl } = await startTestStores(layout, { signal, note: () => {} });
    const database = `conformance_${randomBytes(6).toString('hex')}`;
    const inStore = (/** @type {string} */ sql) =>
      withDatabase(databaseUrl, (client) => client.query(sql));
    await inStore(`CREATE DATABASE ${database}`);
    try {
      const own = new URL(databaseUrl);
      own.pathname = `/${database}`;
      await migrateApp('identity-forms', own.href, 'up');
      const port = await freePort();
      const apiKey = `conformance-${randomBytes(18).toString('hex')}`;
      const application = launch(layout, {
        name: 'identity-forms',
        role: 'application',
        program: process.execPath,
        args: ['--enable-source-maps', 'dist/apps/identity-forms/src/main.js'],
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
          ADMIN_API_KEYS: apiKey,
          LOG_LEVEL: 'warn',
        },
      });
      await untilServing(application, port, signal);
      const url = `http://${loopback}:${port}`;
      return await work({ url, apiKey, register: registry(url, apiKey) });
    } finally {
      await inStore(`DROP DATABASE ${database} WITH (FORCE)`);
    }
  });
}

/**
 * @param {string} url
 * @param {string} apiKey
 * @returns {FormService['register']}
 */
function registry(url, apiKey) {
  /** @type {Map<string, string>} */
  const known = new Map();
  return async (schema) => {
    const text = JSON.stringify(schema);
    const id = known.get(text) ?? `case-${known.size}`;
    if (known.has(text)) return id;
    const answer = await fetch(`${url}/v1/schemas`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ id, schema }),
    });
    if (answer.status !== 201) throw new Error(`schema not registered: ${await answer.text()}`);
    known.set(text, id);
    return id;
  };
}
