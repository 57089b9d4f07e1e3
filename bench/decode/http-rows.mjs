// @ts-check
// Identity forms over HTTP: decoding the sign-up form of 23 fields, and rendering its page.
import assert from 'node:assert/strict';
import { service } from '../../dist/tools/bench/define.js';
import { body, schema, traits } from './sign-up-form.mjs';

const ADMIN_KEY = 'bench-admin-key-0123456789abcdef';
const AUTHORIZATION = { authorization: `Bearer ${ADMIN_KEY}` };

/** @type {import('../../tools/bench/types.mjs').LoadRequest} */
const decode = {
  method: 'POST',
  path: '/v1/schemas/sign-up/decode',
  headers: { ...AUTHORIZATION, 'content-type': 'application/x-www-form-urlencoded' },
  body,
};

/** @type {import('../../tools/bench/types.mjs').HttpRow[]} */
export const httpRows = [
  {
    kind: 'http',
    name: 'over HTTP, 23 fields',
    aim: { ratio: 0.75 },
    subject: identityForms(() => ({
      requests: [decode],
      check: ({ status, body: answer }) => {
        assert.equal(status, 200, answer);
        assert.deepEqual(JSON.parse(answer), { traits, ignored: [] });
      },
    })),
    floor: {
      name: 'bare Fastify',
      script: 'bench/decode/http-floor.mjs',
      ready: '/ready',
      env: ({ sample }) => ({ NODE_ENV: 'production', ANSWER: sample?.body ?? '' }),
      prepare: (_server, { sample }) => ({
        requests: [decode],
        check: ({ body: answer }) => assert.equal(answer, sample?.body),
      }),
    },
  },
  {
    kind: 'http',
    name: 'page of the form',
    aim: { ratePerSecond: 2_000 },
    unit: 'pages',
    subject: identityForms(() => ({
      requests: [
        {
          method: 'GET',
          path: '/v1/schemas/sign-up/form',
          headers: { ...AUTHORIZATION, accept: 'text/html' },
        },
      ],
      check: isPage,
    })),
  },
  {
    kind: 'http',
    name: 'page of a flow',
    unit: 'pages',
    subject: identityForms(async (url) => {
      const started = await fetch(`${url}/v1/flows`, {
        method: 'POST',
        headers: { ...AUTHORIZATION, 'content-type': 'application/json' },
        body: JSON.stringify({ kind: 'sign-up', schema_id: 'sign-up' }),
      });
      const { id } = /** @type {{ id: string }} */ (await started.json());
      const headers = { accept: 'text/html' };
      return { requests: [{ method: 'GET', path: `/flows/${id}`, headers }], check: isPage };
    }),
  },
];

/**
 * @param {(url: string) => import('../../tools/bench/types.mjs').Load | Promise<import('../../tools/bench/types.mjs').Load>} load
 */
function identityForms(load) {
  return service('identity-forms', {
    env: () => ({ ADMIN_API_KEYS: ADMIN_KEY }),
    prepare: async ({ url }) => {
      const registered = await fetch(`${url}/v1/schemas`, {
        method: 'POST',
        headers: { ...AUTHORIZATION, 'content-type': 'application/json' },
        body: JSON.stringify({ id: 'sign-up', schema }),
      });
      assert.ok([201, 409].includes(registered.status), await registered.text());
      return load(url);
    },
  });
}

/** @param {import('../../tools/bench/types.mjs').Answer} answer */
function isPage({ status, body: page }) {
  assert.equal(status, 200, page);
  assert.match(page, /name="traits\.address\.city"/);
  assert.match(page, /<\/html>\s*$/);
}
