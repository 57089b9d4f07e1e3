// @ts-check
import assert from 'node:assert/strict';
import { JSON_HEADERS, keyService } from '../verify/sides.mjs';

const BATCH = 100;
const KEYS = { keys: 10_000, secrets: 2_000 };

/** @type {import('../../tools/bench/types.mjs').Benchmark} */
export const benchmark = {
  title: 'Verify 100 known keys in one request',
  build: ['key-service'],
  postgres: true,
  redis: true,
  rows: [
    {
      kind: 'http',
      name: 'batchVerify of 100, cached',
      aim: { ratePerSecond: 150_000 },
      perRequest: BATCH,
      unit: 'credentials',
      subject: keyService(KEYS, (_server, { keys }) => ({
        requests: Array.from({ length: keys.length / BATCH }, (_, index) => ({
          method: 'POST',
          path: '/v2alpha1/admin/apiKeys:batchVerify',
          headers: JSON_HEADERS,
          body: JSON.stringify({
            requests: keys
              .slice(index * BATCH, (index + 1) * BATCH)
              .map(({ secret }) => ({ credential: secret })),
          }),
        })),
        check: ({ status, body }) => {
          assert.equal(status, 200);
          const { results } = JSON.parse(body);
          assert.equal(results.length, BATCH);
          assert.ok(results.every((/** @type {any} */ result) => result.is_valid === true));
        },
      })),
    },
  ],
};
