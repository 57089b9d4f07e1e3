/** Identity forms over HTTP: decodes the sign-up form and renders its page. */
import assert from 'node:assert/strict';
import { service } from '../runner/define.js';
import { type HttpRow, type HttpSide, type Load, type LoadRequest } from '../runner/types.js';
import { body, schema, traits } from './sign-up-form.js';

const ADMIN_KEY = 'bench-admin-key-0123456789abcdef';
const AUTHORIZATION = { authorization: `Bearer ${ADMIN_KEY}` };

const urlencoded = decodeRequest('application/x-www-form-urlencoded', body);

export const decodeOverHttp = decodes(urlencoded);

export const httpRows: HttpRow[] = [
  {
    kind: 'http',
    name: 'over HTTP, 23 fields',
    limit:
      'the decoder takes 11 µs. The rest is that of any request: the HTTP server (the floor), the ' +
      'count of bytes under way, the headers of every response, and metrics.',
    aim: { ratio: 0.75, cpuRatio: 0.8 },
    subject: decodeOverHttp,
    floor: {
      name: 'bare Fastify',
      script: 'dist/bench/decode/http-floor.js',
      ready: '/ready',
      env: ({ sample }) => ({ NODE_ENV: 'production', ANSWER: sample?.body ?? '' }),
      prepare: (_server, { sample }) => ({
        requests: [urlencoded],
        check: (response) => assert.equal(response.body, sample?.body),
      }),
    },
  },
  {
    kind: 'http',
    name: 'page of the form',
    aim: { ratePerSecond: 2_000 },
    unit: 'pages',
    subject: identityForms(() =>
      page('/v1/schemas/sign-up/form', { ...AUTHORIZATION, accept: 'text/html' }),
    ),
  },
  {
    kind: 'http',
    name: 'page of a flow',
    unit: 'pages',
    subject: identityForms(async (url) => {
      const json = { kind: 'sign-up', schema_id: 'sign-up' };
      const flow = (await (await post(`${url}/v1/flows`, json)).json()) as { url: string };
      return page(new URL(flow.url).pathname, { accept: 'text/html' });
    }),
  },
];

export function decodeRequest(type: string, form: string): LoadRequest {
  const headers = { ...AUTHORIZATION, 'content-type': type };
  return { method: 'POST', path: '/v1/schemas/sign-up/decode', headers, body: form };
}

/** The service, with a form that it decodes to `traits`. */
export function decodes(request: LoadRequest): HttpSide {
  return identityForms(() => ({
    requests: [request],
    check: (response) => {
      assert.equal(response.status, 200, response.body);
      assert.deepEqual(JSON.parse(response.body), { traits, ignored: [] });
    },
  }));
}

function identityForms(load: (url: string) => Load | Promise<Load>): HttpSide {
  return service('identity-forms', {
    env: () => ({ ADMIN_API_KEYS: ADMIN_KEY }),
    prepare: async ({ url }) => {
      const registered = await post(`${url}/v1/schemas`, { id: 'sign-up', schema });
      assert.ok([201, 409].includes(registered.status), await registered.text());
      return load(url);
    },
  });
}

function post(url: string, json: object): Promise<Response> {
  const headers = { ...AUTHORIZATION, 'content-type': 'application/json' };
  return fetch(url, { method: 'POST', headers, body: JSON.stringify(json) });
}

function page(path: string, headers: Record<string, string>): Load {
  return {
    requests: [{ method: 'GET', path, headers }],
    check: (response) => {
      assert.equal(response.status, 200, response.body);
      assert.match(response.body, /name="traits\.address\.city"/);
      assert.match(response.body, /<\/html>\s*$/);
    },
  };
}
