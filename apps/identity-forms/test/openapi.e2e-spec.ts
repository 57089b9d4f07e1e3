/** The description of the API is complete, is the committed one, and is what the service does. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { type Answer, FORM, type FormsClient, type Json, schemaOf } from './forms-client.js';
import { type FormsStand, formsStand } from './forms-stand.js';

const FILE = 'apps/identity-forms/openapi.snapshot.json';
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

type Operation = { responses: Record<string, { content?: Record<string, { schema?: object }> }> };

describe('/openapi.json', () => {
  let stand: FormsStand;
  let forms: FormsClient;
  let document: Json;
  let validators: Ajv;
  const seen = new Set<string>();

  beforeAll(async () => {
    stand = await formsStand();
    forms = (await stand.start()).client;
    document = (await forms.ask('GET', '/openapi.json')).body;
    validators = new Ajv({ strict: false, allErrors: true });
    addFormats.default(validators);
    validators.addSchema({ $id: 'api', components: closed(document.components) });
  });

  afterAll(() => stand.close());

  /** What an operation says of a status, `default` for those that it does not name. */
  const responseOf = (path: string, method: string, status: number) => {
    const operation = document.paths[path]?.[method.toLowerCase()] as Operation | undefined;
    if (!operation) throw new Error(`${method} ${path} is not described`);
    return operation.responses[status] ?? (status >= 500 ? operation.responses.default : undefined);
  };

  /** That an answer is one of those which its operation describes, down to the members. */
  const expectDescribed = (method: string, path: string, answer: Answer) => {
    const where = `${method} ${path} ${answer.status}`;
    seen.add(where);
    const response = responseOf(path, method, answer.status);
    expect({ where, isDescribed: response !== undefined }).toEqual({ where, isDescribed: true });
    if (answer.text === '') return;
    const [type = ''] = (answer.headers.get('content-type') ?? '').split(';');
    const content = response?.content?.[type];
    expect({ where, types: Object.keys(response?.content ?? {}) }).toEqual({
      where,
      types: expect.arrayContaining([type]) as string[],
    });
    if (type === 'text/html') return;
    const check = compiled(content?.schema ?? {});
    check(answer.body);
    expect({ where, errors: check.errors ?? [] }).toEqual({ where, errors: [] });
  };
  const compiled = (schema: object): ValidateFunction =>
    validators.compile(
      JSON.parse(JSON.stringify(closed(schema)).replaceAll('"#/comp', '"api#/comp')) as object,
    );

  it('is the committed one (UPDATE_SNAPSHOTS=1 writes it anew)', () => {
    const text = `${JSON.stringify(document, null, 2)}\n`;
    if (process.env.UPDATE_SNAPSHOTS === '1' || !existsSync(FILE)) writeFileSync(FILE, text);
    expect(JSON.parse(readFileSync(FILE, 'utf8'))).toEqual(document);
  });

  it('is valid OpenAPI', async () => {
    expect(await new Validator().validate(structuredClone(document))).toEqual({
      valid: true,
    });
  });

  it('describes the methods of each address, and no others, each under a name of its own', async () => {
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

  it('fits what the service answers', async () => {
    const many = { id: 'many', schema: schemaOf(MANY), public: true };
    const call = async (
      method: string,
      path: string,
      { id = '', query = '', body, headers = {} }: Call = {},
    ) => {
      const url = path.replace('{id}', id) + query;
      const answer = await forms.admin(method, url, body, headers);
      expectDescribed(method, path, answer);
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
    await call('PUT', '/v1/schemas/{id}', { id: 'many', body: many });
    await call('PUT', '/v1/schemas/{id}', { id: 'none', body: many });
    const { headers } = await call('GET', '/v1/schemas/{id}', { id: 'many' });
    const known = { 'if-none-match': headers.get('etag') ?? '' };
    await call('GET', '/v1/schemas/{id}', { id: 'many', headers: known });
    await call('GET', '/v1/schemas/{id}', { id: 'none' });
    await call('GET', '/v1/schemas/{id}/form', { id: 'many' });
    await call('GET', '/v1/schemas/{id}/form', { id: 'many', headers: { accept: 'text/html' } });
    await call('GET', '/v1/schemas/{id}/form', { id: 'none' });

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
    const { id } = started.body as { id: string };
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
    await call('GET', '/v1/identities', { query: '?page_size=x' });
    await call('GET', '/v1/identities/{id}', identity);
    await call('PATCH', '/v1/identities/{id}', { ...identity, body: { traits: { kind: 'a' } } });
    await call('PATCH', '/v1/identities/{id}', { ...identity, body: { traits: { kind: 'c' } } });
    await call('PATCH', '/v1/identities/{id}', { ...identity, body: {} });
    await call('DELETE', '/v1/identities/{id}', identity);
    await call('DELETE', '/v1/identities/{id}', identity);

    for (const path of ['/v1/schemas', '/v1/identities', '/v1/schemas/{id}/form', decode]) {
      expectDescribed('GET', path, await forms.ask('GET', path.replace('{id}', 'many')));
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

/** The same schemas, with no members but those that they name: so that none goes undescribed. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const inner = Object.fromEntries(
    Object.entries(schema).map(([name, value]) => [name, closed(value)]),
  );
  const isRecord = inner.type === 'object' && typeof inner.properties === 'object';
  return isRecord ? { additionalProperties: false, ...inner } : inner;
}
