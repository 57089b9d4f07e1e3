/** Every service on a PostgreSQL and a Redis of their own, and the requests that each is there for. */
import { openTestStack, orClose } from '@gatehouse/testing';
import { newDirectory, user } from '../sync-stack.js';
import { type FaultStack, openFaultStack } from './fault-stack.js';
import { ownPgBouncer, ownPostgres, ownRedis, type OwnStore } from './own-stores.js';
import { type Kind, SERVED } from './watch.js';

export const ADMIN_KEY = 'admin-key-of-the-outages-0123456789';
export const SETTINGS = {
  ADMIN_API_KEYS: ADMIN_KEY,
  HMAC_SECRETS: 'hmac-secret-of-the-outages-0123456789',
  ENCRYPTION_KEYS: 'encryption-key-of-the-outages-0123456789',
  EXAMPLE_SCHEMA: 'true',
  RATE_LIMIT_ON_ERROR: 'open',
  // Longer than any outage of the tests.
  CACHE_TTL: '1h',
};

export interface AllServices {
  postgres: OwnStore;
  redis: OwnStore;
  faults: FaultStack;
  kinds: Record<KindName, Kind>;
  close(): Promise<void>;
}

export type KindName =
  'verify' | 'verify with a limit' | 'issue' | 'decode' | 'read users' | 'write users' | 'liveness';

/** @param isPooled puts PgBouncer between the services and PostgreSQL */
export async function openAllServices(isPooled = false): Promise<AllServices> {
  const closers: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const each of closers.splice(0).reverse()) await each();
  };
  return orClose(close, async () => {
    const postgres = await ownPostgres();
    closers.push(() => postgres.remove());
    const pooler = isPooled ? await ownPgBouncer(postgres.url) : undefined;
    if (pooler) closers.push(() => pooler.remove());
    const stores = { databaseServerUrl: postgres.url, databasePoolerUrl: pooler?.url };
    const redis = await ownRedis();
    closers.push(() => redis.remove());
    const settings = { ...SETTINGS, REDIS_URL: redis.url };
    const open = async (app: 'key-service' | 'identity-forms') => {
      const stack = await openTestStack(app, { ...stores, settings });
      closers.push(() => stack.close());
      return stack.start(app);
    };
    const [keys, forms] = [await open('key-service'), await open('identity-forms')];
    const faults = await openFaultStack({ ...stores, settings: { REDIS_URL: redis.url } });
    closers.push(() => faults.close());
    const kinds = await kindsOf({ keys: keys.url, forms: forms.url, faults });
    return { postgres, redis, faults, kinds, close };
  });
}

interface Addresses {
  keys: string;
  forms: string;
  faults: FaultStack;
}

async function kindsOf({ keys, forms, faults }: Addresses): Promise<AllServices['kinds']> {
  const { api } = faults;
  const directory = await newDirectory(api);
  const send = (url: string, type: string, content: string, signal: AbortSignal, key = ADMIN_KEY) =>
    fetch(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': type },
      body: content,
      signal,
    });
  const toKeys = (path: string, content: object, signal: AbortSignal) =>
    send(`${keys}/v2alpha1/admin${path}`, 'application/json', JSON.stringify(content), signal);
  const newKey = async (fields: object) => {
    const answer = await toKeys('/issuedApiKeys', fields, AbortSignal.timeout(10_000));
    return ((await answer.json()) as { secret: string }).secret;
  };
  const plain = await newKey({ name: 'plain', actor_id: 'a' });
  const limited = await newKey({
    name: 'limited',
    actor_id: 'a',
    rate_limit_policy: { quota: 1_000_000, window: '1h' },
  });
  const verify =
    (credential: string): Kind =>
    async (signal) => {
      const answer = await toKeys('/apiKeys:verify', { credential }, signal);
      const body = (await answer.json()) as { is_valid?: boolean; error_code?: string };
      return body.is_valid ? SERVED : `${answer.status} ${body.error_code}`;
    };
  let users = 0;
  return {
    verify: verify(plain),
    'verify with a limit': verify(limited),
    issue: async (signal) =>
      outcomeOf(await toKeys('/issuedApiKeys', { name: 'x', actor_id: 'a' }, signal)),
    decode: async (signal) =>
      outcomeOf(
        await send(
          `${forms}/v1/schemas/example/decode`,
          'application/x-www-form-urlencoded',
          'traits.name=Ada&traits.email=ada%40example.com',
          signal,
        ),
      ),
    'read users': async (signal) =>
      outcomeOf(
        await fetch(`${api.url}${directory.path}/Users?count=1`, {
          headers: { authorization: `Bearer ${directory.secret}` },
          signal,
        }),
      ),
    'write users': async (signal) =>
      outcomeOf(
        await send(
          `${api.url}${directory.path}/Users`,
          'application/scim+json',
          JSON.stringify(user(`watched-${users++}`)),
          signal,
          directory.secret,
        ),
      ),
    liveness: async (signal) => {
      for (const url of [keys, forms, api.url]) {
        const outcome = await outcomeOf(await fetch(`${url}/health/alive`, { signal }));
        if (outcome !== SERVED) return outcome;
      }
      return SERVED;
    },
  };
}

async function outcomeOf(answer: Response): Promise<string> {
  await answer.text();
  return answer.ok ? SERVED : String(answer.status);
}
