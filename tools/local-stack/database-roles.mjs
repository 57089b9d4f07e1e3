// @ts-check
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { reasonOf } from './fault.mjs';
import { workspace } from './layout.mjs';
import { withDatabase } from './postgres.mjs';

const provisionFile = join(workspace, 'deploy', 'postgres', 'provision.sql');
const DATABASE = 'gatehouse';

/**
 * Where each service finds its own schema, and the worker the webhooks of the others.
 * @typedef {Record<'key-service' | 'dsync' | 'identity-forms' | 'delivery-worker' | 'console',
 *   string>} ServiceDatabases
 */

/**
 * Makes the database of the stack's own PostgreSQL, with a role and a schema per service.
 * @param {string} superuserUrl
 * @param {import('./secrets.mjs').Secrets} secrets
 * @returns {Promise<{ url: string, services: ServiceDatabases }>} `url` is the superuser's
 */
export async function provisionOwnDatabase(superuserUrl, secrets) {
  await withDatabase(superuserUrl, async (client) => {
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [
      DATABASE,
    ]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE}`);
  });
  const url = new URL(superuserUrl);
  url.pathname = `/${DATABASE}`;
  await provision(url.href, secrets);
  return { url: url.href, services: roleUrls(url.href, secrets) };
}

/**
 * The same in the database of DATABASE_URL. Where its role may not create roles, or roles of these
 * names belong to another installation, every service uses that one role.
 * @param {string} url
 * @param {import('./secrets.mjs').Secrets} secrets
 * @returns {Promise<{ url: string, services: ServiceDatabases, oneRoleBecause?: string }>}
 */
export async function provisionOutsideDatabase(url, secrets) {
  const services = roleUrls(url, secrets);
  const oneRole = {
    url,
    services: {
      'key-service': url,
      dsync: url,
      'identity-forms': url,
      'delivery-worker': url,
      console: url,
    },
  };
  if (!(await rolesAreFreeOrOurs(url, services))) {
    return {
      ...oneRole,
      oneRoleBecause: 'its service roles have passwords that this stack does not know',
    };
  }
  try {
    await provision(url, secrets);
    await Promise.all(Object.values(services).map((each) => withDatabase(each, async () => {})));
    return { url, services };
  } catch (error) {
    return { ...oneRole, oneRoleBecause: reasonOf(error) };
  }
}

/**
 * @param {string} url
 * @param {import('./secrets.mjs').Secrets} secrets
 */
function provision(url, secrets) {
  return withDatabase(url, async (client) => {
    await client.query('BEGIN');
    await client.query(
      `SELECT set_config('gatehouse.key_service_password', $1, true),
              set_config('gatehouse.dsync_password', $2, true),
              set_config('gatehouse.identity_forms_password', $3, true),
              set_config('gatehouse.delivery_worker_password', $4, true),
              set_config('gatehouse.console_password', $5, true)`,
      [
        secrets.keyServiceDatabasePassword,
        secrets.dsyncDatabasePassword,
        secrets.identityFormsDatabasePassword,
        secrets.deliveryWorkerDatabasePassword,
        secrets.consoleDatabasePassword,
      ],
    );
    await client.query(readFileSync(provisionFile, 'utf8'));
    await client.query('COMMIT');
  });
}

/**
 * @param {string} url
 * @param {ServiceDatabases} services
 */
async function rolesAreFreeOrOurs(url, services) {
  const taken = await withDatabase(url, async (client) => {
    const names = Object.values(services).map((each) => new URL(each).username);
    const { rows } = await client.query('SELECT rolname FROM pg_roles WHERE rolname = ANY ($1)', [
      names,
    ]);
    return new Set(rows.map(({ rolname }) => rolname));
  });
  const logins = Object.values(services)
    .filter((each) => taken.has(new URL(each).username))
    .map((each) => withDatabase(each, async () => {}));
  return (await Promise.allSettled(logins)).every(({ status }) => status === 'fulfilled');
}

/**
 * @param {string} url
 * @param {import('./secrets.mjs').Secrets} secrets
 * @returns {ServiceDatabases}
 */
function roleUrls(url, secrets) {
  return {
    'key-service': withLogin(url, 'key_service', secrets.keyServiceDatabasePassword),
    dsync: withLogin(url, 'dsync', secrets.dsyncDatabasePassword),
    'identity-forms': withLogin(url, 'identity_forms', secrets.identityFormsDatabasePassword),
    'delivery-worker': withLogin(url, 'delivery_worker', secrets.deliveryWorkerDatabasePassword),
    console: withLogin(url, 'console', secrets.consoleDatabasePassword),
  };
}

/**
 * @param {string} url
 * @param {string} user
 * @param {string} password
 */
function withLogin(url, user, password) {
  const changed = new URL(url);
  changed.username = user;
  changed.password = password;
  return changed.href;
}
