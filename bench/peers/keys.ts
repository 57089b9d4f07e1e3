/** Verification of keys: the service beside better-auth, over HTTP and in process. */
import assert from 'node:assert/strict';
import { once } from '../runner/define.js';
import { type BenchContext, type HttpRow, type HttpSide, type Load } from '../runner/types.js';
import { newDatabase } from '../scim/databases.js';
import { uncached } from '../verify-uncached/benchmark.js';
import { keyService, verifications } from '../verify/sides.js';
import {
  type BetterAuthOptions,
  createKeys,
  openBetterAuth,
  type VerifiedKey,
} from './better-auth.js';

const KEYS = { keys: 1_000, secrets: 100 };

interface Filled extends BetterAuthOptions {
  keys: string[];
}

const inPostgres = once((context) => fill(context, 'better_auth'));
const inRedis = once((context) => fill(context, 'better_auth_redis', context.redisUrl));

const service = keyService(KEYS, (_server, { secrets }) => verifications(secrets));

export const besideBetterAuth: HttpRow[] = [
  {
    kind: 'http',
    name: 'verify, from PostgreSQL',
    subject: keyService(KEYS, (_server, database) => uncached(database), {
      name: 'key-service, no-store',
    }),
    floor: server('better-auth on PostgreSQL', inPostgres),
  },
  {
    kind: 'http',
    name: 'verify, from a cache',
    subject: service,
    floor: server('better-auth on Redis', inRedis),
  },
  {
    kind: 'http',
    name: 'verify over HTTP, beside a call in process',
    subject: service,
    floor: {
      name: 'better-auth in process',
      script: 'dist/bench/peers/better-auth-in-process.js',
      options: inPostgres,
    },
  },
];

/** As many keys as the service has, of which as many are verified. */
async function fill(context: BenchContext, name: string, redisUrl?: string): Promise<Filled> {
  const options = { databaseUrl: await newDatabase(context, name), redisUrl };
  const { api, close } = await openBetterAuth(context.peersDir, options);
  const keys = await createKeys(api, KEYS.keys);
  await close();
  return { ...options, keys: keys.slice(0, KEYS.secrets) };
}

function server(name: string, filled: (context: BenchContext) => Promise<Filled>): HttpSide {
  return {
    name,
    script: 'dist/bench/peers/better-auth-server.js',
    ready: '/ready',
    env: async (context) => {
      const { databaseUrl, redisUrl } = await filled(context);
      return {
        NODE_ENV: 'production',
        PEERS_DIR: context.peersDir,
        DATABASE_URL: databaseUrl,
        ...(redisUrl && { REDIS_URL: redisUrl }),
      };
    },
    prepare: async (_server, context) => load(await filled(context)),
  };
}

function load({ keys }: Filled): Load {
  return {
    requests: keys.map((credential) => ({
      method: 'POST',
      path: '/verify',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ credential }),
    })),
    check: ({ status, body }) => {
      assert.equal(status, 200);
      const { valid, key } = JSON.parse(body) as VerifiedKey;
      assert.equal(valid, true);
      assert.deepEqual(key?.permissions, { orders: ['read', 'write'] });
    },
  };
}
