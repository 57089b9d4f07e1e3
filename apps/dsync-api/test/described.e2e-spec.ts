/**
 * What the service answers is what /openapi.json says: each operation is called, and its answer is
 * held against the schema of its status. Nothing may be in an answer that is not described.
 */
import * as testing from '@gatehouse/testing';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { type Answer, API_KEY, type Json, openStand, send, type Stand, user } from './stand.js';

const MANAGEMENT = '/api/v1/dsync';
const SCIM = '/api/scim/v2.0/{directoryId}';

let stand: Stand;
let api: testing.ServiceProcess;
let receiver: testing.WebhookReceiver;
let document: Json;
const called = new Set<string>();

beforeAll(async () => {
  stand = await openStand();
  api = await stand.start('dsync-api');
  receiver = await testing.startWebhookReceiver();
  ({ body: document } = await send(`${api.url}/openapi.json`, 'GET'));
});

afterAll(async () => {
  await receiver.close();
  await stand.close();
});

const ajv = new Ajv({ strict: false, allErrors: true });
addFormats.default(ajv);

/** The schema of a body, with the components that it may refer to. */
function validatorOf(schema: object): ValidateFunction {
  return ajv.compile({ ...closed(schema), components: closed(document.components) });
}

/** The same description, in which an object has no members but those described. */
function closed(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const copy = Object.fromEntries(
    Object.entries(schema as object).map(([name, value]) => [name, closed(value)]),
  );
  const isClosed = copy.type === 'object' && copy.properties && !('additionalProperties' in copy);
  return isClosed ? { ...copy, additionalProperties: false } : copy;
}

interface Request {
  path?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
  headers?: Record<string, string>;
  secret?: string;
}

/** Calls an operation, and holds its answer against its description. */
async function call(
  method: string,
  template: string,
  { path = {}, query = {}, body, headers = {}, secret }: Request = {},
): Promise<Answer> {
  const operation = document.paths[template]?.[method.toLowerCase()];
  expect([template, method, operation === undefined]).toEqual([template, method, false]);
  const address = template.replace(/\{(\w+)\}/g, (_, name: string) => path[name] ?? '');
  const search = Object.keys(query).length > 0 ? `?${new URLSearchParams(query).toString()}` : '';
  const answer = await send(api.url + address + search, method, body, {
    authorization: secret === undefined ? `Api-Key ${API_KEY}` : `Bearer ${secret}`,
    ...headers,
  });
  const { status } = answer;
  const described = operation.responses[status] ?? operation.responses.default;
  expect([template, method, status, described === undefined]).toEqual([
    template,
    method,
    status,
    false,
  ]);
  if (status < 400) called.add(`${method} ${template}`);
  if (described.content === undefined) {
    if (template.startsWith('/api/')) expect(answer.body).toBeUndefined();
    return answer;
  }
  const [[mediaType, { schema }]] = Object.entries(described.content) as [[string, Json]];
  expect(answer.headers.get('content-type')).toBe(`${mediaType}; charset=utf-8`);
  const validate = validatorOf(schema as object);
  validate(answer.body);
  expect([method, template, status, validate.errors]).toEqual([method, template, status, null]);
  return answer;
}

const succeeds = async (...request: Parameters<typeof call>): Promise<Json> => {
  const answer = await call(...request);
  expect([request[0], request[1], answer.status < 400]).toEqual([request[0], request[1], true]);
  return answer.body;
};

async function newDirectory(more: object = {}): Promise<Json> {
  const body = { tenant: 'acme', product: 'shop', ...more };
  return (await succeeds('POST', MANAGEMENT, { body })).data;
}

it('a member that is not described is noticed', () => {
  const validate = validatorOf({ type: 'object', properties: { data: {} } });
  expect([validate({ data: 1 }), validate({ data: 1, extra: 2 })]).toEqual([true, false]);
});

it('the description is valid by the schema of OpenAPI', async () => {
  expect(await new Validator().validate(document)).toEqual({ valid: true });
});

describe('answers are as described', () => {
  it('of directories', async () => {
    const { id } = await newDirectory({
      webhook_url: `${receiver.url}/hook`,
      attribute_mapping: { rank: 'title' },
    });
    const path = { id };
    await succeeds('GET', MANAGEMENT);
    await succeeds('GET', MANAGEMENT, { query: { tenant: 'acme', product: 'shop' } });
    await succeeds('GET', `${MANAGEMENT}/product`, { query: { product: 'shop' } });
    await succeeds('GET', `${MANAGEMENT}/{id}`, { path });
    await succeeds('PATCH', `${MANAGEMENT}/{id}`, { path, body: { name: 'renamed' } });
    await succeeds('POST', `${MANAGEMENT}/{id}/rotate-secret`, { path, body: { overlap: '1h' } });
    await succeeds('GET', `${MANAGEMENT}/{id}/status`, { path });
    await succeeds('DELETE', `${MANAGEMENT}/{id}`, { path });
  });

  it('of users, groups and events', async () => {
    const directory = await newDirectory({
      webhook_url: `${receiver.url}/hook`,
      attribute_mapping: { rank: 'title' },
    });
    const scim = { path: { directoryId: directory.id }, secret: directory.scim.secret };
    const ann = await succeeds('POST', `${SCIM}/Users`, {
      ...scim,
      body: user('ann', { title: 'Dr' }),
    });
    const devs = await succeeds('POST', `${SCIM}/Groups`, {
      ...scim,
      body: { displayName: 'devs', members: [{ value: ann.id }] },
    });
    await succeeds('PATCH', `${SCIM}/Users/{id}`, {
      ...scim,
      path: { ...scim.path, id: ann.id },
      body: { Operations: [{ op: 'add', path: 'active', value: false }] },
    });
    const query = { directoryId: directory.id as string };
    for (const [template, id] of [
      ['users', undefined],
      ['users/{id}', ann.id],
      ['groups', undefined],
      ['groups/{id}', devs.id],
      ['groups/{id}/members', devs.id],
      ['events', undefined],
    ]) {
      const body = await succeeds('GET', `${MANAGEMENT}/${template}`, { path: { id }, query });
      expect([template, [body.data].flat().length > 0]).toEqual([template, true]);
    }
    const worker = await stand.start('dsync-worker');
    await receiver.waitFor(4);
    await worker.stop();
    const { data: log } = await succeeds('GET', `${MANAGEMENT}/events`, { query });
    const path = { id: log[0].id as string };
    const { data: event } = await succeeds('GET', `${MANAGEMENT}/events/{id}`, { path });
    expect([event.state, event.attempts.length]).toEqual(['delivered', 1]);
    await succeeds('POST', `${MANAGEMENT}/events/{id}/resend`, { path });
    await succeeds('POST', `${MANAGEMENT}/cron/process-events`);
  });

  it('of SCIM', async () => {
    const directory = await newDirectory();
    const scim = { path: { directoryId: directory.id as string }, secret: directory.scim.secret };
    const search = { filter: 'meta.created pr', count: 1 };
    for (const [endpoint, body, change] of [
      ['Users', user('ann', { emails: [{ value: 'ann@x.example' }] }), 'title'],
      ['Groups', { displayName: 'devs' }, 'externalId'],
    ] as const) {
      const made = await succeeds('POST', `${SCIM}/${endpoint}`, { ...scim, body });
      const one = { ...scim, path: { ...scim.path, id: made.id as string } };
      const template = `${SCIM}/${endpoint}/{id}`;
      const operations = { Operations: [{ op: 'add', path: change, value: 'x' }] };
      await succeeds('GET', `${SCIM}/${endpoint}`, { ...scim, query: { cursor: '', count: '1' } });
      await succeeds('POST', `${SCIM}/${endpoint}/.search`, { ...scim, body: search });
      await succeeds('GET', template, { ...one, query: { attributes: 'meta' } });
      await succeeds('GET', template, { ...one, headers: { 'if-none-match': 'W/"1"' } });
      await succeeds('PATCH', template, { ...one, body: operations });
      const minimal = { prefer: 'return=minimal' };
      await succeeds('PATCH', template, { ...one, body: operations, headers: minimal });
      await succeeds('PUT', template, { ...one, body });
      await succeeds('DELETE', template, one);
    }
    await succeeds('POST', `${SCIM}/Bulk`, {
      ...scim,
      body: {
        Operations: [
          { method: 'POST', path: '/Users', bulkId: 'u', data: user('bob') },
          { method: 'DELETE', path: '/Users/nobody' },
        ],
      },
    });
    await succeeds('GET', SCIM, scim);
    await succeeds('POST', `${SCIM}/.search`, { ...scim, body: search });
    await succeeds('GET', `${SCIM}/ServiceProviderConfig`, scim);
    for (const document of ['ResourceTypes', 'Schemas']) {
      const { Resources } = await succeeds('GET', `${SCIM}/${document}`, scim);
      const path = { ...scim.path, id: Resources[0].id as string };
      await succeeds('GET', `${SCIM}/${document}/{id}`, { ...scim, path });
    }
  });

  it('of what is refused', async () => {
    const directory = await newDirectory();
    const scim = { path: { directoryId: directory.id as string }, secret: directory.scim.secret };
    const nobody = { id: crypto.randomUUID(), directoryId: directory.id as string };
    const statuses: number[] = [];
    const requests: Parameters<typeof call>[] = [
      ['POST', MANAGEMENT, { body: {} }],
      ['POST', MANAGEMENT, { body: JSON.stringify({ name: 'x'.repeat(1024 * 1024) }) }],
      ['POST', MANAGEMENT, { body: 'x', headers: { 'content-type': 'text/plain' } }],
      ['GET', `${MANAGEMENT}/{id}`, { path: nobody }],
      ['GET', `${MANAGEMENT}/{id}`, { path: nobody, headers: { authorization: '' } }],
      ['GET', `${MANAGEMENT}/users`, {}],
      ['GET', `${MANAGEMENT}/events`, {}],
      ['GET', `${SCIM}/Users`, { ...scim, secret: 'wrong' }],
      ['GET', `${SCIM}/Users`, { ...scim, query: { filter: 'a' } }],
      ['GET', `${SCIM}/Groups/{id}`, { ...scim, path: nobody }],
      ['POST', `${SCIM}/Users`, { ...scim, body: 'x', headers: { 'content-type': 'text/plain' } }],
    ];
    for (const request of requests) statuses.push((await call(...request)).status);
    expect(statuses).toEqual([400, 413, 415, 404, 401, 400, 400, 401, 400, 404, 415]);
  });

  it('and there is no operation that was not called', async () => {
    for (const template of ['/version', '/health/alive', '/health/ready']) {
      await succeeds('GET', template);
    }
    const described = Object.entries<object>(document.paths).flatMap(([template, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${template}`),
    );
    expect(described.filter((each) => !called.has(each))).toEqual([]);
  });
});
