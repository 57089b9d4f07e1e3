import assert from 'node:assert/strict';
import { type Benchmark, type Load } from '../runner/types.js';
import { JSON_HEADERS, keyService } from '../verify/sides.js';

let load: Load | undefined;

export const benchmark: Benchmark = {
  title: 'Derive a JWT from a known key, against a bare Fastify route that signs with jose',
  postgres: true,
  redis: true,
  rows: [
    {
      kind: 'http',
      name: 'derive, EdDSA',
      aim: { ratio: 0.8 },
      // Each derivation waits until its audit event is on disk: enough requests to fill that wait.
      connections: 128,
      subject: keyService(
        { keys: 1_000, secrets: 100 },
        (_server, { secrets }) => (load = derivations(secrets)),
      ),
      floor: {
        name: 'bare Fastify and jose SignJWT',
        script: 'dist/bench/derive/floor.js',
        ready: '/ready',
        env: ({ sample }) => ({ NODE_ENV: 'production', ANSWER: sample?.body ?? '' }),
        prepare: (_server, { sample }) => {
          assert.ok(load);
          const { requests, check } = load;
          return {
            requests,
            check: (response) => {
              check(response);
              assert.equal(response.body.length, sample?.body.length);
            },
          };
        },
      },
    },
  ],
};

function derivations(secrets: readonly string[]): Load {
  return {
    requests: secrets.map((credential) => ({
      method: 'POST',
      path: '/v2alpha1/admin/apiKeys:derive',
      headers: JSON_HEADERS,
      body: JSON.stringify({ credential }),
    })),
    check: ({ status, body }) => {
      assert.equal(status, 200);
      const { token } = JSON.parse(body) as { token: { token: string; claims: { scp: string[] } } };
      assert.equal(token.token.split('.').length, 3);
      assert.deepEqual(token.claims.scp, ['orders:read', 'orders:write']);
    },
  };
}
