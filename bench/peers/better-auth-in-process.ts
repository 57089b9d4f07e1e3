/** Calls of better-auth in process, the way that it is meant to verify a key. */
import assert from 'node:assert/strict';
import { type ProcessContext, type ProcessWork } from '../runner/types.js';
import { type BetterAuthOptions, openBetterAuth, type VerifiedKey } from './better-auth.js';

export async function prepare({
  options: { keys, ...options },
  peersDir,
}: ProcessContext<BetterAuthOptions & { keys: string[] }>): Promise<ProcessWork<VerifiedKey>> {
  const { api, close } = await openBetterAuth(peersDir, options);
  return {
    run: (n) => api.verifyApiKey({ body: { key: keys[n % keys.length] ?? '' } }),
    check: ({ valid, key }) => {
      assert.equal(valid, true);
      assert.deepEqual(key?.permissions, { orders: ['read', 'write'] });
    },
    close,
  };
}
