// @ts-check
import { randomBytes } from 'node:crypto';
import { stackLayout, workspace } from '../../local-stack/layout.mjs';
import { migrateApp } from '../../local-stack/migrations.mjs';
import { freePort, loopback } from '../../local-stack/ports.mjs';
import { withDatabase } from '../../local-stack/postgres.mjs';
import { launch } from '../../local-stack/processes.mjs';
import { untilServing } from '../../local-stack/applications.mjs';
import { readStackRecord } from '../../local-stack/state.mjs';
import { inOwnFolder } from '../../test-run/own-folder.mjs';
import { startTestStores } from '../../test-run/test-stores.mjs';

/**
 * The service that HTTP cases are sent to.
 *
 * @typedef {{ url: string, apiKey: string, origin: string }} Service
 */

/**
 * Runs the cases against the local stack when one is up, else against a dsync-api of their own
 * that ends with the run: built code, a fresh database, the stores of TEST_DATABASE_URL and
 * TEST_REDIS_URL or new ones.
 *
 * @template T
 * @param {(service: Service) => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withService(work) {
  const record = readStackRecord(stackLayout());
  const url = record?.services['dsync-api']?.url;
  if (record !== undefined && url !== undefined && (await answers(url))) {
    return work({
      url,
      apiKey: record.credentials.dsyncApiKey,
      origin: `the running stack, ${url}`,
    });
  }
  return inOwnFolder(async ({ layout, signal }) => {
    const stores = await startTestStores(layout, { signal, note: () => {} });
    const database = `conformance_${randomBytes(6).toString('hex')}`;
    const inStore = (/** @type {string} */ sql) =>
      withDatabase(stores.databaseUrl, (client) => client.query(sql));
    await inStore(`CREATE DATABASE ${database}`);
    try {
      return await work(await startService(layout, { ...stores, database, signal }));
    } finally {
      await inStore(`DROP DATABASE ${database} WITH (FORCE)`);
    }
  });
}

/** @param {string} url */
async function answers(url) {
  try {
    return (await fetch(`${url}/health/ready`)).ok;
  } catch {
    return false;
  }
}

/**
 * @param {import('../../local-stack/layout.mjs').Layout} layout
 * @param {{ databaseUrl: string, redisUrl: string, database: string, signal: AbortSignal }} stores
 * @returns {Promise<Service>}
 */
async function startService(layout, { databaseUrl, redisUrl, database, signal }) {
  const own = new URL(databaseUrl);
  own.pathname = `/${database}`;
  await migrateApp('dsync-api', own.href, 'up');
  const port = await freePort();
  const apiKey = `conformance-${randomBytes(18).toString('hex')}`;
  const url = `http://${loopback}:${port}`;
  const application = launch(layout, {
    name: 'dsync-api',
    role: 'application',
    program: process.execPath,
    args: ['--enable-source-maps', 'dist/apps/dsync-api/src/main.js'],
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
      EXTERNAL_URL: url,
      API_KEYS: apiKey,
      ENCRYPTION_KEYS: randomBytes(32).toString('base64'),
      HMAC_SECRETS: randomBytes(32).toString('base64'),
      LOG_LEVEL: 'warn',
      WEBHOOK_ALLOW_PRIVATE: 'true',
    },
  });
  await untilServing(application, port, signal);
  return { url, apiKey, origin: `a service of its own, ${url}` };
}
