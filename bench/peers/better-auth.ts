/** better-auth with its plugin for API keys, on PostgreSQL, or with the keys in Redis. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { Pool } from 'pg';

export interface BetterAuthOptions {
  databaseUrl: string;
  /** Where the keys are; by default in the database. */
  redisUrl?: string;
}

/** As much of the packages as is used here. */
interface BetterAuth {
  api: {
    signUpEmail: (call: { body: object }) => Promise<{ user: { id: string } }>;
    createApiKey: (call: { body: object }) => Promise<{ key: string }>;
    verifyApiKey: (call: { body: { key: string } }) => Promise<VerifiedKey>;
  };
}

export interface VerifiedKey {
  valid: boolean;
  key: { permissions: Record<string, string[]> } | null;
}

/** Migrates the database if it is new. */
export async function openBetterAuth(
  peersDir: string,
  { databaseUrl, redisUrl }: BetterAuthOptions,
) {
  const require = createRequire(join(peersDir, 'package.json'));
  const { betterAuth } = require('better-auth') as { betterAuth: (options: object) => BetterAuth };
  const { apiKey } = require('@better-auth/api-key') as { apiKey: (options: object) => object };
  const { getMigrations } = require('better-auth/db/migration') as {
    getMigrations: (options: object) => Promise<{ runMigrations: () => Promise<void> }>;
  };
  // The service has as many connections.
  const pool = new Pool({ connectionString: databaseUrl, max: 10 });
  const redis = redisUrl === undefined ? undefined : new Redis(redisUrl);
  const options = {
    baseURL: 'http://127.0.0.1',
    secret: 'bench-better-auth-secret-0123456789abcdef',
    telemetry: { enabled: false },
    database: pool,
    secondaryStorage: redis && {
      get: (key: string) => redis.get(key),
      set: (key: string, value: string, ttl?: number) =>
        ttl ? redis.set(key, value, 'EX', ttl) : redis.set(key, value),
      delete: (key: string) => redis.del(key),
    },
    emailAndPassword: { enabled: true },
    plugins: [
      apiKey({
        enableMetadata: true,
        rateLimit: { enabled: false },
        storage: redis ? 'secondary-storage' : 'database',
      }),
    ],
  };
  const { runMigrations } = await getMigrations(options);
  await runMigrations();
  const { api } = betterAuth(options);
  const close = async () => {
    redis?.disconnect();
    await pool.end();
  };
  return { api, close };
}

/** Creates keys of one user, with the scopes and the metadata of Gatehouse's. */
export async function createKeys(
  { signUpEmail, createApiKey }: BetterAuth['api'],
  count: number,
): Promise<string[]> {
  const person = { name: 'Bench', email: 'person@bench.example', password: 'bench-password-0123' };
  const { user } = await signUpEmail({ body: person });
  const keys: string[] = [];
  while (keys.length < count) {
    const { key } = await createApiKey({
      body: {
        userId: user.id,
        name: 'Bench',
        permissions: { orders: ['read', 'write'] },
        metadata: { plan: 'standard' },
        expiresIn: 86_400,
      },
    });
    keys.push(key);
  }
  return keys;
}
