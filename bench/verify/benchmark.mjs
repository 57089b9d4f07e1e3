// @ts-check
import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { keyService, post, verifications } from './sides.mjs';

const CACHED = 100_000;
const FEW = { keys: 1_000, secrets: 100 };
const MANY = { keys: CACHED, secrets: CACHED };
const BATCH = 100;

/** @param {import('./sides.mjs').Filled} filled */
const secretsOf = ({ keys }) => keys.map(({ secret }) => secret);

/** @type {import('../../tools/bench/types.mjs').Load | undefined} */
let load;

/** @type {import('../../tools/bench/types.mjs').Benchmark} */
export const benchmark = {
  title: 'Verify keys from memory, against a bare Fastify route that answers the same bytes',
  build: ['key-service'],
  postgres: true,
  redis: true,
  rows: [
    {
      kind: 'http',
      name: 'verify, cached',
      aim: { ratio: 0.85 },
      subject: keyService(FEW, (_server, filled) => (load = verifications(secretsOf(filled)))),
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
    {
      kind: 'http',
      name: 'verify of a derived JWT, repeated',
      aim: { ratio: 0.8 },
      subject: keyService(
        FEW,
        async (server, filled) => {
          const tokens = [];
          for (const credential of secretsOf(filled)) {
            const { token } = await post(server, '/v2alpha1/admin/apiKeys:derive', { credential });
            tokens.push(token.token);
          }
          return verifications(tokens);
        },
        { name: 'derived JWTs' },
      ),
      floor: keyService(FEW, (_server, filled) => verifications(secretsOf(filled)), {
        name: 'keys, cached',
      }),
    },
    {
      kind: 'measure',
      name: 'memory of 100,000 cached keys',
      unit: 'MB above idle',
      aim: { atMost: 120 },
      measure: async (context, { startServer, rssBytes }) => {
        /** @type {string[]} */
        let secrets = [];
        const side = keyService(
          MANY,
          (_server, filled) => {
            secrets = secretsOf(filled);
            return { requests: [], check: () => {} };
          },
          { env: { CACHE_TTL: '1h' } },
        );
        const server = await startServer(side);
        await side.prepare(server, context);
        const idleBytes = rssBytes(server.pid);
        for (let from = 0; from < CACHED; from += BATCH) {
          const requests = secrets.slice(from, from + BATCH).map((credential) => ({ credential }));
          const path = '/v2alpha1/admin/apiKeys:batchVerify';
          const { results } = await post(server, path, { requests });
          assert.ok(results.every((/** @type {any} */ result) => result.is_valid));
        }
        await delay(2_000);
        const bytes = rssBytes(server.pid) - idleBytes;
        await server.stop();
        return bytes / 1e6;
      },
    },
  ],
};
