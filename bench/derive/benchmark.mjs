// @ts-check
import assert from 'node:assert/strict';
import { JSON_HEADERS, keyService } from '../verify/sides.mjs';

const FEW = { keys: 1_000, secrets: 100 };

/** @type {import('../../tools/bench/types.mjs').Load | undefined} */
let load;

/** @type {import('../../tools/bench/types.mjs').Benchmark} */
export const benchmark = {
  title: 'Derive a JWT from a known key, against a bare Fastify route that signs with jose',
  build: ['key-service'],
  postgres: true,
  redis: true,
  rows: [
    {
      kind: 'http',
      name: 'derive, EdDSA',
      aim: { ratio: 0.8 },
      // A derivation waits for its audit event to be on the disk: enough of them to fill that wait.
      connections: 128,
      subject: keyService(
        FEW,
        (_server, { keys }) =>
          (load = {
            requests: keys.map(({ secret }) => ({
              method: 'POST',
              path: '/v2alpha1/admin/apiKeys:derive',
              headers: JSON_HEADERS,
              body: JSON.stringify({ credential: secret }),
            })),
            check: ({ status, body }) => {
              assert.equal(status, 200);
              const { token } = JSON.parse(body);
              assert.equal(token.token.split('.').length, 3);
              assert.deepEqual(token.claims.scp, ['orders:read', 'orders:write']);
            },
          }),
      ),
      floor: {
        name: 'bare Fastify and jose SignJWT',
        script: 'bench/derive/floor.mjs',
        ready: '/ready',
        env: ({ sample }) => ({ NODE_ENV: 'production', ANSWER: sample?.body ?? '' }),
        prepare: (_server, { sample }) => {
          assert.ok(load);
          const { requests, check } = load;
          return {
            requests,
            check: (answer) => {
              check(answer);
              assert.equal(answer.body.length, sample?.body.length);
            },
          };
        },
      },
    },
  ],
};
