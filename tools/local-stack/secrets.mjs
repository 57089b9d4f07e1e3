// @ts-check
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { StackFault, reasonOf } from './fault.mjs';

/** A password or token of 256 bits that needs no escaping anywhere. */
const token = () => randomBytes(32).toString('base64url');
/** A key for AES-256-GCM, as ENCRYPTION_KEYS takes it. */
const encryptionKey = () => randomBytes(32).toString('base64');

/** The private key of the key service's verdicts, as VERDICT_SIGNING_KEY takes it. */
function verdictSigningKey() {
  const { privateKey } = generateKeyPairSync('ed25519');
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

/** The secrets of a stack, and how each is generated. */
const MAKERS = {
  postgresPassword: token,
  redisPassword: token,
  keyServiceDatabasePassword: token,
  dsyncDatabasePassword: token,
  identityFormsDatabasePassword: token,
  deliveryWorkerDatabasePassword: token,
  consoleDatabasePassword: token,
  keyServiceEncryptionKey: encryptionKey,
  keyServiceHmacSecret: token,
  dsyncEncryptionKey: encryptionKey,
  formsEncryptionKey: encryptionKey,
  consoleEncryptionKey: encryptionKey,
  adminApiKey: () => `local_admin_${token()}`,
  keysAdminApiKey: () => `local_keys_${token()}`,
  formsAdminApiKey: () => `local_forms_${token()}`,
  dsyncApiKey: () => `local_dsync_${token()}`,
  workerAdminApiKey: () => `local_worker_${token()}`,
  consoleAdminKey: () => `local_console_${token()}`,
  messageKey: token,
  verdictSigningKey,
};

/** @typedef {Record<keyof typeof MAKERS, string>} Secrets */

/**
 * The secrets of a stack: created once, readable by the owner only, the same after a restart because
 * stored data is encrypted with them. Secrets that a newer version needs are added.
 * @param {string} file
 * @returns {Secrets}
 */
export function stackSecrets(file) {
  const known = existsSync(file) ? readSecrets(file) : {};
  const secrets = /** @type {Secrets} */ (
    Object.fromEntries(Object.entries(MAKERS).map(([name, make]) => [name, known[name] ?? make()]))
  );
  save(file, { ...known, ...secrets });
  return secrets;
}

/**
 * Records that these secrets decrypt data on an external server, which a reset does not delete.
 * @param {string} file
 */
export function noteOutsideData(file) {
  save(file, { ...readSecrets(file), hasOutsideData: 'true' });
}

/**
 * @param {string} file
 * @returns {boolean}
 */
export function opensOutsideData(file) {
  try {
    return existsSync(file) && readSecrets(file)['hasOutsideData'] === 'true';
  } catch {
    // Unreadable secrets open nothing.
    return false;
  }
}

/**
 * @param {string} file
 * @param {Record<string, string>} secrets
 */
function save(file, secrets) {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
  renameSync(draft, file);
}

/**
 * @param {string} file
 * @returns {Record<string, string>}
 */
function readSecrets(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new StackFault(
      `Cannot read the secrets of this stack in ${file}: ${reasonOf(error)}`,
      'Put the file back, or begin anew without the data: npm run reset',
    );
  }
}
