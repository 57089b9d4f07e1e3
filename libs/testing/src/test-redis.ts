import { randomBytes } from 'node:crypto';
import { Redis } from 'ioredis';
import { requiredVariable } from './required-variable.js';

export interface TestRedis {
  url: string;
  /** The same Redis for a service, as its own user if TEST_REDIS_USERS is the password of all. */
  urlOf(service: string): string;
  /** For REDIS_NAMESPACE: separates this test from others on the same server. */
  namespace: string;
  client: Redis;
  /** Deletes every key of the namespace and closes the connection. */
  cleanup(): Promise<void>;
}

/** A namespace on the Redis server of TEST_REDIS_URL. */
export function testRedis(): TestRedis {
  const url = requiredVariable('TEST_REDIS_URL');
  const namespace = `test-${randomBytes(8).toString('hex')}.`;
  const client = new Redis(url);
  return {
    url,
    urlOf: (service) => {
      const password = process.env.TEST_REDIS_USERS;
      if (!password) return url;
      return Object.assign(new URL(url), { username: service, password }).href;
    },
    namespace,
    client,
    cleanup: async () => {
      for await (const keys of client.scanStream({ match: `${namespace}*`, count: 1000 })) {
        if ((keys as string[]).length > 0) await client.unlink(...(keys as string[]));
      }
      await client.quit();
    },
  };
}
