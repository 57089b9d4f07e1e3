/** The settings that each service requires, beside those of the stores. */
const KEY = Buffer.alloc(32, 'k').toString('base64');

export const SETTINGS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'key-service': { ADMIN_API_KEYS: KEY, ENCRYPTION_KEYS: KEY, HMAC_SECRETS: KEY },
  'dsync-api': { API_KEYS: KEY, ENCRYPTION_KEYS: KEY, EXTERNAL_URL: 'http://127.0.0.1' },
  'dsync-worker': { ADMIN_API_KEYS: KEY, ENCRYPTION_KEYS: KEY },
  'identity-forms': { ADMIN_API_KEYS: KEY, ENCRYPTION_KEYS: KEY, PUBLIC_URL: 'http://127.0.0.1' },
};
