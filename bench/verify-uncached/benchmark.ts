import assert from 'node:assert/strict';
import { type Benchmark, type Load } from '../runner/types.js';
import { filledDatabase, type FilledDatabase, keyService, verifications } from '../verify/sides.js';

const THOUSAND = { keys: 1_000, secrets: 500 };
const MILLION = { keys: 1_000_000, secrets: 500 };

export const benchmark: Benchmark = {
  title: 'Verify keys from PostgreSQL, nothing from memory and nothing kept',
  postgres: true,
  redis: true,
  rows: [
    {
      kind: 'http',
      name: 'verify, no-store',
      aim: { ratio: 0.75 },
      subject: keyService(THOUSAND, (_server, database) => uncached(database)),
      floor: {
        name: 'bare Fastify and one SELECT by primary key',
        script: 'dist/bench/verify-uncached/floor.js',
        ready: '/ready',
        env: async (context) => {
          const { url, secrets, keyIds } = await filledDatabase(context, THOUSAND);
          const idBySecret = secrets.map((secret, index) => [secret, keyIds[index]]);
          return {
            NODE_ENV: 'production',
            DATABASE_URL: url,
            ANSWER: context.sample?.body ?? '',
            KEY_IDS: JSON.stringify(Object.fromEntries(idBySecret)),
          };
        },
        prepare: async (_server, context) => {
          const { requests } = uncached(await filledDatabase(context, THOUSAND));
          let responses = 0;
          return {
            requests,
            // The sample is the response to the first request.
            check: ({ body }) => {
              if (responses === 0) assert.equal(body, context.sample?.body);
              responses = (responses + 1) % requests.length;
            },
          };
        },
      },
    },
    {
      kind: 'http',
      name: 'verify, no-store, of 1,000,000 keys',
      aim: { ratio: 0.9 },
      subject: keyService(MILLION, (_server, database) => uncached(database), {
        name: '1,000,000',
      }),
      floor: keyService(THOUSAND, (_server, database) => uncached(database), { name: '1,000' }),
    },
  ],
};

export function uncached({ secrets }: FilledDatabase): Load {
  return verifications(secrets, { 'cache-control': 'no-store' });
}
