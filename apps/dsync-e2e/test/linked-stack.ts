/** Directory sync and two replicas of the key service, in one stack: directories that stop keys. */
import {
  type Answer,
  eventually,
  orClose,
  runMigrations,
  type TestStack,
} from '@gatehouse/testing';
import {
  manage,
  newDirectory,
  openSyncStack,
  type Service,
  type TestDirectory,
} from './sync-stack.js';

export const KEYS_ADMIN = 'admin-key-of-the-linked-stack-0123456789';

export interface LinkedStack extends Pick<TestStack, 'database' | 'redis' | 'start' | 'close'> {
  readonly api: Service;
  readonly worker: Service;
  readonly keys: readonly Service[];
  /** A directory whose user names, with a prefix of its own, are the actors of keys. */
  linkedDirectory(policy?: object, input?: object): Promise<LinkedDirectory>;
  /** Calls the admin API of the key service. */
  admin(method: string, path: string, json?: object, replica?: number): Promise<Answer>;
  issue(actorId: string): Promise<{ id: string; secret: string }>;
  /** Why each replica refuses a credential; undefined if it does not. */
  errorsOf(credential: string): Promise<(string | undefined)[]>;
  isRefused(credential: string, error?: string): Promise<void>;
  works(credential: string): Promise<void>;
}

export interface LinkedDirectory extends TestDirectory {
  readonly tenant: string;
  /** The actor of a user name. */
  actor(userName: string): string;
  putLink(policy: object): Promise<void>;
}

export const PAUSED = 'VERIFICATION_ERROR_PAUSED';
export const REVOKED = 'VERIFICATION_ERROR_REVOKED';
const PRODUCT = 'product';

let tenants = 0;

/** @param settings of all processes */
export async function openLinkedStack(settings: Record<string, string> = {}): Promise<LinkedStack> {
  const stack = await openSyncStack({
    undescribed: /./,
    settings: {
      ADMIN_API_KEYS: KEYS_ADMIN,
      HMAC_SECRETS: 'hmac-secret-of-the-linked-stack-0123456789',
      DSYNC_SWEEP_INTERVAL: '1',
      ...settings,
    },
  });
  return orClose(stack.close, async () => {
    await runMigrations('key-service', stack.database.url);
    const [api, worker, ...keys] = await Promise.all([
      stack.start('dsync-api'),
      stack.start('dsync-worker'),
      stack.start('key-service'),
      stack.start('key-service'),
    ]);
    const admin: LinkedStack['admin'] = (method, path, json, replica = 0) => {
      const { http } = keys[replica] as Service;
      const headers = { authorization: `Bearer ${KEYS_ADMIN}` };
      return http.send(method, `/v2alpha1/admin${path}`, { headers, json });
    };
    const errorsOf: LinkedStack['errorsOf'] = (credential) =>
      Promise.all(
        keys.map(async (_, replica) => {
          const { body } = await admin('POST', '/apiKeys:verify', { credential }, replica);
          return body.error_code as string | undefined;
        }),
      );
    const areEventually = (credential: string, error: string | undefined) =>
      eventually(async () => expect(await errorsOf(credential)).toEqual([error, error]));
    const linkedDirectory: LinkedStack['linkedDirectory'] = async (
      policy = { on_deactivate: 'pause', on_delete: 'revoke' },
      input = {},
    ) => {
      const tenant = `tenant-${(tenants += 1)}`;
      const directory = await newDirectory(api, { tenant, product: PRODUCT, ...input });
      const link = { tenant, product: PRODUCT, attribute: 'userName', actor_prefix: `${tenant}:` };
      const putLink = async (changed: object) => {
        const { status, text } = await manage(api, 'PUT', '/key-links', { ...link, ...changed });
        if (status !== 200) throw new Error(text);
      };
      await putLink(policy);
      return { ...directory, tenant, putLink, actor: (userName) => `${tenant}:${userName}` };
    };
    return {
      database: stack.database,
      redis: stack.redis,
      start: stack.start,
      close: () => stack.close(),
      api,
      worker,
      keys,
      linkedDirectory,
      admin,
      issue: async (actorId) => {
        const fields = { name: 'Test', actor_id: actorId };
        const { body } = await admin('POST', '/issuedApiKeys', fields);
        return { id: body.issued_api_key.key_id as string, secret: body.secret as string };
      },
      errorsOf,
      isRefused: (credential, error = PAUSED) => areEventually(credential, error),
      works: (credential) => areEventually(credential, undefined),
    };
  });
}

export const setActive = (active: boolean) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
  Operations: [{ op: 'replace', path: 'active', value: active }],
});
