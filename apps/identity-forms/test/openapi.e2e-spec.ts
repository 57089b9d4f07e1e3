/** The API description is complete, committed, and true. */
import { readFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import { answersToOddRequests, type Json, prefilledPosts } from '@gatehouse/testing';
import { ADMIN_KEY, FORM, type FormsClient, schemaOf } from './forms-client.js';
import { type FormsStack, openFormsStack } from './forms-stack.js';

const FILE = 'apps/identity-forms/src/identity-forms.openapi.json';
const JSON_TYPE = { 'content-type': 'application/json' };
const MANY = {
  required: ['email', 'terms'],
  properties: {
    email: { type: 'string', format: 'email', 'x-identifier': true, description: 'Hint' },
    terms: { const: true },
    kind: { enum: ['a', 'b'], title: 'Kind' },
    about: { type: 'string', maxLength: 500 },
    address: { type: 'object', properties: { city: { type: 'string' } } },
    tags: { type: 'array', items: { type: 'string' } },
    marks: { type: 'array', items: { enum: ['x', 'y'] } },
    phones: {
      type: 'array',
      items: { type: 'object', properties: { number: { type: 'string' } } },
    },
  },
};

describe('/openapi.json', () => {
  let stack: FormsStack;
  let forms: FormsClient;
  let document: Json;
  const seen = new Set<string>();

  beforeAll(async () => {
    stack = await openFormsStack();
    forms = (await stack.start()).client;
    document = (await forms.send('GET', '/openapi.json')).body;
  });

  afterAll(() => stack.close());

  it('is the committed document, which the test of the code writes', () => {
    expect(JSON.parse(readFileSync(FILE, 'utf8'))).toEqual(document);
  });

  it('is valid OpenAPI', async () => {
    expect(await new Validator().validate(structuredClone(document))).toEqual({
      valid: true,
    });
  });

  it('describes exactly the methods of each path, with unique operation ids', async () => {
    const names: string[] = [];
    for (const [path, item] of Object.entries(document.paths as Record<string, object>)) {
      const other = await forms.admin('OPTIONS', path.replace('{id}', 'x'));
      const allowed = (other.headers.get('allow') ?? '').split(', ').filter((m) => m !== 'HEAD');
      const described = Object.keys(item).map((method) => method.toUpperCase());
      expect([path, described.sort()]).toEqual([path, allowed.sort()]);
      for (const { operationId } of Object.values(item) as { operationId: string }[]) {
        names.push(operationId);
      }
    }
    expect(names.length).toBeGreaterThan(15);
    expect(new Set(names).size).toBe(names.length);
    expect(names.every((name) => /^[a-z][A-Za-z]+$/.test(name))).toBe(true);
  });

  it('describes what every operation answers to a wrong body and to too large a head', async () => {
    const headers = () => ({ authorization: `Bearer ${ADMIN_KEY}` });
    const { statuses, undescribed } = await answersToOddRequests(forms.url, { headers });
    expect(undescribed).toEqual([]);
    expect([...statuses]).toEqual(expect.arrayContaining([400, 413, 415, 431]));
  });

  it('has examples that are requests that succeed', async () => {
    const requests = prefilledPosts(document as never);
    expect(requests.map(({ operationId }) => operationId)).toEqual(
      expect.arrayContaining(['registerSchema', 'createIdentity', 'startFlow', 'decodeForm']),
    );
    const refused: unknown[] = [];
    for (const { operationId, path, body } of requests) {
      const answer = await forms.admin('POST', path, body as object);
      if (answer.status >= 300) refused.push([operationId, answer.text]);
    }
    expect(refused).toEqual([]);
  });

  it('describes every kind of answer (the client checks each)', async () => {
    const version = { schema: schemaOf(MANY), public: true };
    const many = { id: 'many', ...version };
    const call = async (
      method: string,
      path: string,
      { id = '', query = '', body, headers = {} }: Call = {},
    ) => {
      const url = path.replace('{id}', id) + query;
      expect(document.paths[path]).toHaveProperty(method.toLowerCase());
      const answer = await forms.admin(method, url, body, headers);
      seen.add(`${method} ${path} ${answer.status}`);
      return answer;
    };
    for (const path of ['/health/alive', '/health/ready', '/version']) await call('GET', path);

    await call('POST', '/v1/schemas', { body: many });
    for (const body of [many, {}, { id: 'bad', schema: { type: 'x' } }]) {
      await call('POST', '/v1/schemas', { body });
    }
    await call('POST', '/v1/schemas', { body: '<a/>', headers: { 'content-type': 'text/xml' } });
    await call('POST', '/v1/schemas', { body: 'x'.repeat(2 ** 20 + 1), headers: JSON_TYPE });
    await call('GET', '/v1/schemas');
    await call('GET', '/v1/schemas', { query: '?page_token=x' });
    await call('PUT', '/v1/schemas/{id}', { id: 'many', body: version });
    await call('PUT', '/v1/schemas/{id}', { id: 'none', body: version });
    await call('PUT', '/v1/schemas/{id}', { id: 'many', body: many });
    const { headers } = await call('GET', '/v1/schemas/{id}', { id: 'many' });
    const known = { 'if-none-match': headers.get('etag') ?? '' };
    await call('GET', '/v1/schemas/{id}', { id: 'many', headers: known });
    await call('GET', '/v1/schemas/{id}', { id: 'none' });
    await call('GET', '/v1/schemas/{id}/form', { id: 'many' });
    await call('GET', '/v1/schemas/{id}/form', { id: 'many', headers: { accept: 'text/html' } });
    await call('GET', '/v1/schemas/{id}/form', { id: 'none' });
    await call('POST', '/v1/schema-preview', { body: { schema: schemaOf(MANY) } });
    await call('POST', '/v1/schema-preview', { body: { schema: { type: 'x' } } });

    const decode = '/v1/schemas/{id}/decode';
    for (const [body, query] of [
      ['traits.email=a@b&traits.terms=on&x=1', ''],
      ['traits.email=a&traits.tags.9999999999=1', ''],
      ['traits=1', '?validate=false'],
      ['a=1', '?version=x'],
      [`a=${'x'.repeat(70_000)}`, ''],
    ] as const) {
      await call('POST', decode, { id: 'many', body, query, headers: FORM });
    }
    await call('GET', decode, { id: 'many', query: '?traits.email=a' });
    await call('PUT', decode, { id: 'none', body: 'a=1', headers: FORM });
    await call('PATCH', decode, { id: 'many', body: '', headers: { 'content-type': 'a/b' } });

    await call('POST', '/v1/flows', { body: { kind: 'x' } });
    await call('POST', '/v1/flows', { body: { kind: 'profile', identity_id: 'x' } });
    const started = await call('POST', '/v1/flows', {
      body: { kind: 'sign-up', schema_id: 'many' },
    });
    const id = new URL(started.body.url as string).pathname.slice('/flows/'.length);
    await call('GET', '/v1/flows/{id}', { id: started.body.id as string });
    await call('GET', '/v1/flows/{id}', { id });
    const accept = { accept: 'application/json' };
    const opened = await call('GET', '/flows/{id}', { id, headers: accept });
    const cookie = opened.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    await call('GET', '/flows/{id}', { id, headers: { accept: 'text/html' } });
    const send = (traits: object, more = {}) =>
      call('POST', '/flows/{id}', {
        id,
        body: { csrf_token: opened.body.csrf_token, traits, ...more },
        headers: { ...accept, cookie },
      });
    await send({}, { csrf_token: 'x' });
    await send({ email: 'x', kind: 'c' });
    const made = await send({ email: 'a@b', terms: true });
    await send({ email: 'c@d', terms: true });
    await call('GET', '/flows/{id}', { id, headers: accept });
    await call('GET', '/flows/{id}', { id: 'x' });
    await call('GET', '/flows/{id}/done', { id });
    await call('GET', '/flows/{id}/done', { id: 'x' });
    await call('GET', '/sign-up', { query: '?schema=many' });
    await call('GET', '/sign-up', { query: '?schema=none' });
    await call('GET', '/sign-up', { query: '?schema=many&return_to=https://evil.example' });

    const identity = { id: made.body.id as string };
    await call('GET', '/v1/identities');
    for (const body of [
      { schema_id: 'many', traits: { email: 'e@f', terms: true } },
      { schema_id: 'many', traits: {} },
      { schema_id: 'none', traits: {} },
      {},
    ]) {
      await call('POST', '/v1/identities', { body });
    }
    await call('GET', '/v1/identities', { query: '?page_size=x' });
    await call('GET', '/v1/search', { query: '?query=many' });
    await call('GET', '/v1/search');
    await call('GET', '/v1/identities/{id}', identity);
    await call('PATCH', '/v1/identities/{id}', { ...identity, body: { traits: { kind: 'a' } } });
    await call('PATCH', '/v1/identities/{id}', { ...identity, body: { traits: { kind: 'c' } } });
    await call('PATCH', '/v1/identities/{id}', { ...identity, body: {} });
    await call('DELETE', '/v1/identities/{id}', identity);
    await call('DELETE', '/v1/identities/{id}', identity);

    for (const path of [
      '/v1/schemas',
      '/v1/identities',
      '/v1/search',
      '/v1/schemas/{id}/form',
      decode,
    ]) {
      const { status } = await forms.send('GET', path.replace('{id}', 'many'));
      seen.add(`GET ${path} ${status}`);
    }
    expect(seen.size).toBeGreaterThanOrEqual(50);
  });
});

interface Call {
  id?: string;
  query?: string;
  body?: object | string;
  headers?: Record<string, string>;
}
