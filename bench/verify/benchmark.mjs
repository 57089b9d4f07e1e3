// @ts-check
import assert from 'node:assert/strict';
import { service } from '../../tools/bench/define.mjs';

const ADMIN_KEY = 'bench-admin-key-0123456789abcdef';
const VERIFY = '/v2alpha1/admin/apiKeys:verify';
const JSON_HEADERS = { 'content-type': 'application/json', authorization: `Bearer ${ADMIN_KEY}` };

/** @type {import('../../tools/bench/types.mjs').Load | undefined} */
let load;

/** @type {import('../../tools/bench/types.mjs').Benchmark} */
export const benchmark = {
  title: 'Verify a cached key, against a bare Fastify route that answers the same bytes',
  build: ['key-service'],
  postgres: true,
  redis: true,
  rows: [
    {
      kind: 'http',
      name: 'verify, cached',
      aim: { ratio: 0.85 },
      subject: service('key-service', {
        env: () => ({
          ADMIN_API_KEYS: ADMIN_KEY,
          ENCRYPTION_KEYS: Buffer.alloc(32, 'e').toString('base64'),
          HMAC_SECRETS: 'bench-hmac-secret-0123456789abcdef',
        }),
        prepare: async ({ url }) => {
          const issued = await fetch(`${url}/v2alpha1/admin/issuedApiKeys`, {
            method: 'POST',
            headers: JSON_HEADERS,
            body: JSON.stringify({
              name: 'Bench',
              actor_id: 'bench',
              scopes: ['orders:read', 'orders:write'],
              metadata: { plan: 'standard' },
              ttl: '24h',
            }),
          });
          assert.equal(issued.status, 201, await issued.clone().text());
          const { secret } = /** @type {{ secret: string }} */ (await issued.json());
          load = {
            requests: [
              {
                method: 'POST',
                path: VERIFY,
                headers: JSON_HEADERS,
                body: JSON.stringify({ credential: secret }),
              },
            ],
            check: ({ status, body }) => {
              assert.equal(status, 200);
              const result = JSON.parse(body);
              assert.equal(result.is_valid, true);
              assert.equal(result.actor_id, 'bench');
              assert.deepEqual(result.scopes, ['orders:read', 'orders:write']);
            },
          };
          return load;
        },
      }),
      floor: {
        name: 'bare Fastify',
        script: 'bench/verify/floor.mjs',
        ready: '/ready',
        env: ({ sample }) => ({ NODE_ENV: 'production', ANSWER: sample?.body ?? '' }),
        prepare: (_server, { sample }) => {
          assert.ok(load);
          const { requests } = load;
          return { requests, check: ({ body }) => assert.equal(body, sample?.body) };
        },
      },
    },
  ],
};
