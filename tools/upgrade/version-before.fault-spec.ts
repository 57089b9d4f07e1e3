/** The version before, while the migrations of this one run and on the tables that they leave. */
import {
  CONTROL_PLANE,
  createTestDatabase,
  eventually,
  runMigrations,
  type ServiceProcess,
  startService,
  testRedis,
} from '@gatehouse/testing';
import { buildCommit, versionBefore } from './version-before.js';

const CLIENTS = 4;
/** Each is several requests. */
const ROUNDS = 50;
const KEY = 'a-key-of-the-tests-of-the-version-before';

const SCHEMAS = { 'key-service': 'keys', 'dsync-api': 'dsync', 'identity-forms': 'forms' };

type Send = (
  method: string,
  path: string,
  options?: { json?: object; authorization?: string },
) => Promise<unknown>;

/** Prepares the use of a service, and returns a function that writes to it and reads from it. */
type Use = () => Promise<void>;
type Prepare = (send: Send) => Use | Promise<Use>;

const useKeys: Prepare = (send) => {
  const admin = { authorization: `Bearer ${KEY}` };
  const path = '/v2alpha1/admin';
  return async () => {
    const json = { name: 'x', actor_id: 'a', scopes: ['read'] };
    const issued = await send('POST', `${path}/issuedApiKeys`, { ...admin, json });
    const { issued_api_key: key, secret } = issued as {
      issued_api_key: { key_id: string };
      secret: string;
    };
    await send('POST', `${path}/apiKeys:verify`, { ...admin, json: { credential: secret } });
    await send('GET', `${path}/issuedApiKeys?page_size=10`, admin);
    await send('POST', `${path}/issuedApiKeys/${key.key_id}:rotate`, { ...admin, json: {} });
  };
};

const useDirectory: Prepare = async (send) => {
  const created = await send('POST', '/api/v1/dsync', {
    authorization: `Api-Key ${KEY}`,
    json: { tenant: 'tenant', product: 'product' },
  });
  const { scim } = (created as { data: { scim: { secret: string; path: string } } }).data;
  const provider = { authorization: `Bearer ${scim.secret}` };
  const users = `${scim.path}/Users`;
  let count = 0;
  return async () => {
    const json = {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      userName: `user-${(count += 1)}`,
      active: true,
    };
    const { id } = (await send('POST', users, { ...provider, json })) as { id: string };
    await send('PUT', `${users}/${id}`, { ...provider, json: { ...json, active: false } });
    await send('GET', `${users}?filter=userName+eq+%22${json.userName}%22`, provider);
    await send('DELETE', `${users}/${id}`, provider);
  };
};

const useForms: Prepare = (send) => {
  const admin = { authorization: `Bearer ${KEY}` };
  let count = 0;
  return async () => {
    const id = `schema-${(count += 1)}`;
    const traits = { type: 'object', properties: { name: { type: 'string' } } };
    const schema = { type: 'object', properties: { traits } };
    await send('POST', '/v1/schemas', { ...admin, json: { id, schema } });
    await send('GET', `/v1/schemas/${id}`, admin);
    const flow = { kind: 'sign-up', schema_id: id };
    const { id: flowId } = (await send('POST', '/v1/flows', { ...admin, json: flow })) as {
      id: string;
    };
    await send('GET', `/v1/flows/${flowId}`, admin);
    await send('GET', '/v1/identities', admin);
  };
};

describe.each([
  ['key-service', 'apps/key-service/src/migrations', useKeys],
  ['dsync-api', 'libs/directory-sync/src/migrations', useDirectory],
  ['identity-forms', 'apps/identity-forms/src/migrations', useForms],
] as const)('%s of the version before', (app, migrations, prepare) => {
  const before = versionBefore(migrations);
  if ('missing' in before) {
    it.skip(`works on the tables of this one (not run: ${before.missing})`, () => undefined);
    return;
  }

  it('answers every request while the tables change, and starts on the new ones', async () => {
    const { folder, remove } = buildCommit(before.commit);
    const [database, redis] = [await createTestDatabase(), testRedis()];
    const services: ServiceProcess[] = [];
    const start = async () => {
      const settings = {
        DATABASE_URL: database.url,
        REDIS_URL: redis.url,
        REDIS_NAMESPACE: redis.namespace,
        ADMIN_API_KEYS: KEY,
        API_KEYS: KEY,
        EXTERNAL_URL: 'https://sync.example.com',
        HMAC_SECRETS: `hmac-${KEY}`,
        ENCRYPTION_KEYS: `encryption-${KEY}`,
        ...CONTROL_PLANE,
      };
      services.push(await startService(app, settings, folder));
    };
    const load = { rounds: 0, failures: [] as string[], isOver: false };
    let clients: Promise<void>[] = [];
    const more = () => {
      const goal = load.rounds + ROUNDS;
      return eventually(() => expect(load.rounds).toBeGreaterThan(goal), { timeoutMs: 60_000 });
    };
    try {
      await runMigrations(app, database.url, folder);
      const [{ count: olds = 0 } = {}] = await appliedIn(database, app);
      await start();
      const use = await prepare((...request) => send(services, ...request));
      clients = Array.from({ length: CLIENTS }, async () => {
        while (!load.isOver) {
          await use().catch((error: unknown) => load.failures.push(String(error)));
          load.rounds += 1;
        }
      });
      await more();
      await runMigrations(app, database.url);
      const [{ count: all = 0 } = {}] = await appliedIn(database, app);
      expect(all).toBeGreaterThan(olds);
      await more();
      await start();
      await more();
    } finally {
      load.isOver = true;
      await Promise.all(clients);
      await Promise.all(services.map((service) => service.stop()));
      await redis.cleanup();
      await database.drop();
      remove();
    }
    expect(load.failures).toEqual([]);
  }, 240_000);
});

function appliedIn(
  database: Awaited<ReturnType<typeof createTestDatabase>>,
  app: keyof typeof SCHEMAS,
): Promise<{ count: number }[]> {
  return database.query(`SELECT count(*)::int AS count FROM ${SCHEMAS[app]}.migrations`);
}

let turn = 0;

/** Sends a request to the services in turn. Throws unless it succeeds. */
async function send(
  services: readonly ServiceProcess[],
  ...[method, path, { json, authorization = '' } = {}]: Parameters<Send>
): ReturnType<Send> {
  const url = services[(turn += 1) % services.length]?.url ?? '';
  const headers = { authorization, 'content-type': 'application/json' };
  const response = await fetch(url + path, {
    method,
    headers: json === undefined ? { authorization } : headers,
    body: json === undefined ? undefined : JSON.stringify(json),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}
