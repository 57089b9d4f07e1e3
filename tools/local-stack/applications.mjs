// @ts-check
import { createHash, createPublicKey } from 'node:crypto';
import { join } from 'node:path';
import { workspace } from './layout.mjs';
import { LOOPBACK } from './ports.mjs';
import { launch } from './processes.mjs';
import { probeHttp, waitUntilReady } from './readiness.mjs';

/**
 * The settings that the applications of a stack share.
 * @typedef {object} StackSettings
 * @property {import('./ports.mjs').PortPlan} plan
 * @property {import('./secrets.mjs').Secrets} secrets
 * @property {import('./database-roles.mjs').ServiceDatabases} databases
 * @property {string} redisUrl
 * @property {string} redisNamespace
 * @property {boolean} hasGateway
 */

/**
 * @param {import('./layout.mjs').Layout} layout
 * @param {StackSettings} settings
 * @param {import('./ports.mjs').Replica} replica
 * @param {string} [folder] of its bundle
 */
export function startApplication(layout, settings, replica, folder) {
  const { app, name, port, metricsPort } = replica;
  const entry = join(folder ?? join('dist', 'bundles', app), 'main.js');
  return launch(layout, {
    name,
    role: 'application',
    program: process.execPath,
    args: [entry],
    mark: entry,
    cwd: workspace,
    env: {
      ...providerSettings(process.env, settings.plan),
      ...returnUrlSettings(process.env, app),
      ...inheritedEnvironment(process.env),
      ...applicationEnvironment(app, settings),
      PORT: String(port),
      METRICS_PORT: String(metricsPort),
    },
  });
}

/**
 * @param {import('./processes.mjs').RunningProcess} running
 * @param {number} port
 * @param {AbortSignal} signal
 */
export async function untilServing(running, port, signal) {
  const probe = () => probeHttp(`http://${LOOPBACK}:${port}/health/ready`);
  await waitUntilReady(running, probe, { signal });
}

/**
 * @param {import('./ports.mjs').AppName} name
 * @param {StackSettings} settings
 * @returns {Record<string, string>}
 */
export function applicationEnvironment(name, settings) {
  const { plan, secrets, databases, redisUrl, redisNamespace, hasGateway } = settings;
  /** @type {Record<string, string>} */
  const clientAddress = hasGateway
    ? { CLIENT_IP_SOURCE: 'x-real-ip', TRUSTED_PROXIES: `${LOOPBACK}/32` }
    : {};
  /** @type {Record<import('./ports.mjs').AppName, Record<string, string>>} */
  const own = {
    'key-service': {
      DATABASE_URL: databases['key-service'],
      ADMIN_API_KEYS: `${secrets.keysAdminApiKey},${secrets.adminApiKey}`,
      MESSAGE_KEYS: secrets.messageKey,
      VERDICT_SIGNING_KEY: secrets.verdictSigningKey,
      CONSOLE_ADMIN_KEY: secrets.consoleAdminKey,
      ENCRYPTION_KEYS: secrets.keyServiceEncryptionKey,
      HMAC_SECRETS: secrets.keyServiceHmacSecret,
      EXTERNAL_URL: `http://${LOOPBACK}:${hasGateway ? plan.gateway : plan.apps['key-service']}`,
      ...clientAddress,
      // The receivers of a local stack are local too.
      WEBHOOK_ALLOW_PRIVATE: 'true',
    },
    'dsync-api': {
      DATABASE_URL: databases.dsync,
      API_KEYS: `${secrets.dsyncApiKey},${secrets.adminApiKey}`,
      MESSAGE_KEYS: secrets.messageKey,
      VERDICT_PUBLIC_KEYS: verdictPublicKey(secrets),
      EXTERNAL_URL: `http://${LOOPBACK}:${hasGateway ? plan.gateway : plan.apps['dsync-api']}`,
      ENCRYPTION_KEYS: secrets.dsyncEncryptionKey,
      ...clientAddress,
      WEBHOOK_ALLOW_PRIVATE: 'true',
    },
    'dsync-worker': {
      DATABASE_URL: databases.dsync,
      ADMIN_API_KEYS: secrets.workerAdminApiKey,
      ENCRYPTION_KEYS: secrets.dsyncEncryptionKey,
      MESSAGE_KEYS: secrets.messageKey,
      KEYS_DATABASE_URL: databases['delivery-worker'],
      KEYS_ENCRYPTION_KEYS: secrets.keyServiceEncryptionKey,
      FORMS_DATABASE_URL: databases['delivery-worker'],
      FORMS_ENCRYPTION_KEYS: secrets.formsEncryptionKey,
      WEBHOOK_ALLOW_PRIVATE: 'true',
    },
    'identity-forms': {
      DATABASE_URL: databases['identity-forms'],
      ADMIN_API_KEYS: `${secrets.formsAdminApiKey},${secrets.adminApiKey}`,
      MESSAGE_KEYS: secrets.messageKey,
      VERDICT_PUBLIC_KEYS: verdictPublicKey(secrets),
      PUBLIC_URL: `http://${LOOPBACK}:${hasGateway ? plan.gateway : plan.apps['identity-forms']}`,
      EXAMPLE_SCHEMA: 'true',
      ENCRYPTION_KEYS: secrets.formsEncryptionKey,
      ...clientAddress,
      WEBHOOK_ALLOW_PRIVATE: 'true',
    },
    console: {
      DATABASE_URL: databases.console,
      GATEHOUSE_URL: `http://${LOOPBACK}:${plan.gatewayAdmin}`,
      CONSOLE_ADMIN_KEY: secrets.consoleAdminKey,
      CONSOLE_ENCRYPTION_KEYS: secrets.consoleEncryptionKey,
      ...clientAddress,
    },
  };
  return {
    NODE_ENV: 'production',
    HOST: LOOPBACK,
    PORT: String(plan.apps[name]),
    METRICS_PORT: String(plan.metrics[name]),
    REDIS_URL: redisUrl,
    REDIS_NAMESPACE: redisNamespace,
    DRAIN_TIME: '0',
    SHUTDOWN_TIMEOUT: '5s',
    ...own[name],
  };
}

/** @param {import('./secrets.mjs').Secrets} secrets */
function verdictPublicKey({ verdictSigningKey }) {
  const publicKey = createPublicKey(verdictSigningKey);
  return publicKey.export({ type: 'spki', format: 'pem' }).toString();
}

/**
 * Workspace directories are read from the fake provider of the demo, unless the settings name another
 * OAuth client.
 * @param {NodeJS.ProcessEnv} environment
 * @param {import('./ports.mjs').PortPlan} plan
 * @returns {Record<string, string>}
 */
function providerSettings(environment, { demoProvider }) {
  if (environment['WORKSPACE_CLIENT_ID'] !== undefined) return {};
  const url = `http://${LOOPBACK}:${demoProvider}`;
  return {
    WORKSPACE_CLIENT_ID: 'fake-client.apps.googleusercontent.com',
    WORKSPACE_CLIENT_SECRET: 'GOCSPX-fake-client-secret',
    WORKSPACE_AUTH_URL: `${url}/o/oauth2/v2/auth`,
    WORKSPACE_TOKEN_URL: `${url}/token`,
    WORKSPACE_API_URL: url,
  };
}

/**
 * Pages lead back to any port of this machine, unless the settings say otherwise. Those that lead to
 * any https address by default still do.
 * @param {NodeJS.ProcessEnv} environment
 * @param {import('./ports.mjs').AppName} app
 * @returns {Record<string, string>}
 */
export function returnUrlSettings(environment, app) {
  const isGiven = environment['ALLOWED_RETURN_URLS'] || environment['ALLOWED_RETURN_URLS_FILE'];
  if (isGiven || app === 'dsync-worker' || app === 'console') return {};
  const here = ['http://localhost:*', `http://${LOOPBACK}:*`];
  const all = app === 'identity-forms' ? here : [...here, 'https://*:*'];
  return { ALLOWED_RETURN_URLS: all.join(',') };
}

/** Settings that the stack decides. Neither they nor their `_FILE` variants are inherited. */
const STACK_SETTINGS = [
  'HOST',
  'PORT',
  'METRICS_PORT',
  'DATABASE_URL',
  'REDIS_URL',
  'REDIS_NAMESPACE',
  'EXTERNAL_URL',
  'PUBLIC_URL',
  'ADMIN_API_KEYS',
  'ADMIN_AUTH',
  'API_KEYS',
  'ENCRYPTION_KEYS',
  'HMAC_SECRETS',
  'MESSAGE_KEYS',
  'VERDICT_SIGNING_KEY',
  'VERDICT_PUBLIC_KEYS',
  'GATEHOUSE_URL',
  'CONSOLE_ADMIN_KEY',
  'CONSOLE_ENCRYPTION_KEYS',
];

/**
 * Any other setting of a service may be given to `npm start` and reaches it (LOG_LEVEL=debug).
 * @param {NodeJS.ProcessEnv} environment
 * @returns {NodeJS.ProcessEnv}
 */
export function inheritedEnvironment(environment) {
  const dropped = new Set(STACK_SETTINGS.flatMap((name) => [name, `${name}_FILE`]));
  return Object.fromEntries(
    Object.entries(environment).filter(
      ([name]) => !dropped.has(name) && !name.startsWith('npm_') && name !== 'NODE_OPTIONS',
    ),
  );
}

/**
 * Keeps stacks apart that were given one Redis by REDIS_URL.
 * @param {string} root folder of the stack
 */
export function namespaceOf(root) {
  return `gatehouse-${createHash('sha256').update(root).digest('hex').slice(0, 12)}`;
}
