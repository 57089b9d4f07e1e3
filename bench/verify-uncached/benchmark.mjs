// @ts-check
import assert from 'node:assert/strict';
import { filledDatabase, keyService, verifications } from '../verify/sides.mjs';

const NO_STORE = { 'cache-control': 'no-store' };
const THOUSAND = { keys: 1_000, secrets: 500 };
const MILLION = { keys: 1_000_000, secrets: 500 };

/** @param {import('../verify/sides.mjs').Filled} filled */
const uncached = ({ keys }) =>
  verifications(
    keys.map(({ secret }) => secret),
    NO_STORE,
  );

/** @type {import('../../tools/bench/types.mjs').Benchmark} */
export const benchmark = {
  title: 'Verify keys from PostgreSQL, nothing from memory and nothing kept',
  build: ['key-service'],
  postgres: true,
  redis: true,
  rows: [
    {
      kind: 'http',
      name: 'verify, no-store',
      aim: { ratio: 0.75 },
      subject: keyService(THOUSAND, (_server, filled) => uncached(filled)),
      floor: {
        name: 'bare Fastify and one SELECT by primary key',
        script: 'bench/verify-uncached/floor.mjs',
        ready: '/ready',
        env: async (context) => {
          const { url, keys } = await filledDatabase(context, THOUSAND);
          return {
            NODE_ENV: 'production',
            DATABASE_URL: url,
            ANSWER: context.sample?.body ?? '',
            KEY_IDS: JSON.stringify(Object.fromEntries(keys.map((key) => [key.secret, key.keyId]))),
          };
        },
        prepare: async (_server, context) => {
          const { requests } = uncached(await filledDatabase(context, THOUSAND));
          let answers = 0;
          return {
            requests,
            check: ({ body }) => {
              if (answers === 0) assert.equal(body, context.sample?.body);
              answers = (answers + 1) % requests.length;
            },
          };
        },
      },
    },
    {
      kind: 'http',
      name: 'verify, no-store, of 1,000,000 keys',
      aim: { ratio: 0.9 },
      subject: keyService(MILLION, (_server, filled) => uncached(filled), { name: '1,000,000' }),
      floor: keyService(THOUSAND, (_server, filled) => uncached(filled), { name: '1,000' }),
    },
  ],
};
