/** The three services with an admin surface on shared stores, each with a static key of its own. */
import {
  type HttpClient,
  type Json,
  openTestStack,
  orClose,
  runMigrations,
  type ServiceProcess,
  type TestStack,
} from '@gatehouse/testing';
import { bearer, HMAC_SECRET } from './key-stack.js';

export type Service = ServiceProcess & { http: HttpClient };
export type GuardedApp = 'key-service' | 'dsync-api' | 'identity-forms';

export const STATIC_KEYS: Readonly<Record<GuardedApp, string>> = {
  'key-service': 'static-key-of-the-key-service-01',
  'dsync-api': 'static-key-of-directory-sync-01',
  'identity-forms': 'static-key-of-identity-forms-01',
};
export const GUARDED_APPS = Object.keys(STATIC_KEYS) as GuardedApp[];
/** The services that ask the key service. */
export const REMOTE_APPS = ['dsync-api', 'identity-forms'] as const;

/** The prefix of a service's control scopes, and its schema in PostgreSQL. */
export const PREFIXES: Readonly<Record<GuardedApp, string>> = {
  'key-service': 'keys',
  'dsync-api': 'dsync',
  'identity-forms': 'forms',
};

/** A route that only reads. */
export const READ_PATHS: Readonly<Record<GuardedApp, string>> = {
  'key-service': '/v2alpha1/admin/issuedApiKeys',
  'dsync-api': '/api/v1/dsync?tenant=t&product=p',
  'identity-forms': '/v1/identities',
};

/** The actor of every key: a person, who must not be seen on Redis. */
export const ACTOR = 'actor-with-a-name@example.com';

const ENCRYPTION_KEYS = 'encryption-key-of-the-tests-0123456789';

export interface GuardedServices extends Pick<TestStack, 'database' | 'redis' | 'close'> {
  /** The running processes; a test may stop the key service and start it again. */
  readonly services: Record<GuardedApp, Service>;
  startKeyService(): Promise<Service>;
  /** Calls the key service as its static administrator; throws for an error. */
  keysAdmin(method: string, path: string, json?: object): Promise<Json>;
  issue(scopes: string[], more?: object): Promise<{ id: string; secret: string }>;
}

/** @param settings of all three services */
export async function openGuardedServices(
  settings: Record<string, string> = {},
): Promise<GuardedServices> {
  const stack = await openTestStack('key-service', { undescribed: /./, settings });
  const startKeyService = () =>
    stack.start('key-service', {
      ADMIN_API_KEYS: STATIC_KEYS['key-service'],
      ENCRYPTION_KEYS,
      HMAC_SECRETS: HMAC_SECRET,
    });
  const [keys, dsync, forms] = await orClose(stack.close, async () => {
    await Promise.all(REMOTE_APPS.map((app) => runMigrations(app, stack.database.url)));
    return Promise.all([
      startKeyService(),
      stack.start('dsync-api', {
        API_KEYS: STATIC_KEYS['dsync-api'],
        ENCRYPTION_KEYS,
        EXTERNAL_URL: 'https://sync.example.com',
      }),
      stack.start('identity-forms', { ADMIN_API_KEYS: STATIC_KEYS['identity-forms'] }),
    ]);
  });
  const services = { 'key-service': keys, 'dsync-api': dsync, 'identity-forms': forms };

  const keysAdmin: GuardedServices['keysAdmin'] = async (method, path, json) => {
    const { http } = services['key-service'];
    const headers = bearer(STATIC_KEYS['key-service']);
    const answer = await http.send(method, `/v2alpha1/admin${path}`, { headers, json });
    if (answer.status >= 300) throw new Error(answer.text);
    return answer.body;
  };
  return {
    database: stack.database,
    redis: stack.redis,
    close: () => stack.close(),
    services,
    startKeyService,
    keysAdmin,
    issue: async (scopes, more) => {
      const fields = { name: 'Guard', actor_id: ACTOR, scopes, ...more };
      const { issued_api_key: key, secret } = await keysAdmin('POST', '/issuedApiKeys', fields);
      return { id: key.key_id, secret };
    },
  };
}
