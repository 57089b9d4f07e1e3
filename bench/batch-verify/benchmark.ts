import assert from 'node:assert/strict';
import { type Benchmark } from '../runner/types.js';
import { JSON_HEADERS, keyService, VERIFY_BATCH } from '../verify/sides.js';

const BATCH = 100;

export const benchmark: Benchmark = {
  title: 'Verify 100 known keys in one request',
  postgres: true,
  redis: true,
  rows: [
    {
      kind: 'http',
      name: 'batchVerify of 100, cached',
      aim: { ratePerSecond: 150_000 },
      perRequest: BATCH,
      unit: 'credentials',
      subject: keyService({ keys: 10_000, secrets: 2_000 }, (_server, { secrets }) => ({
        requests: Array.from({ length: secrets.length / BATCH }, (_, index) => ({
          method: 'POST',
          path: VERIFY_BATCH,
          headers: JSON_HEADERS,
          body: JSON.stringify({
            requests: secrets
              .slice(index * BATCH, (index + 1) * BATCH)
              .map((credential) => ({ credential })),
          }),
        })),
        check: ({ status, body }) => {
          assert.equal(status, 200);
          const { results } = JSON.parse(body) as { results: { is_valid: boolean }[] };
          assert.equal(results.length, BATCH);
          assert.ok(results.every((result) => result.is_valid));
        },
      })),
    },
  ],
};
