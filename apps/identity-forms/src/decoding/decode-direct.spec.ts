// Requests that the direct route accepts. The end-to-end tests compare its answers.
import { AdminAuth } from '@gatehouse/nest-kit/admin';
import { type DirectRoute, type DirectRoutes } from '@gatehouse/nest-kit/http';
import { type IncomingMessage } from 'node:http';
import { IdentityFormsConfig } from '../config.js';
import { SchemaCatalog } from '../schemas/schema-catalog.js';
import { type SchemasRepository } from '../schemas/schemas.repository.js';
import { DecodeDirect } from './decode-direct.js';
import { DecodingService } from './decoding.service.js';

const KEY = 'a-key-of-some-length-0123456789';
const URLENCODED = 'application/x-www-form-urlencoded';
const schema = {
  properties: { traits: { type: 'object', properties: { age: { type: 'integer' } } } },
};

let route: DirectRoute;

beforeAll(async () => {
  const config = new IdentityFormsConfig();
  const stored = { id: 's', version: 1, currentVersion: 1, isPublic: false };
  const repository = {
    find: () => Promise.resolve({ ...stored, document: JSON.stringify(schema) }),
  };
  const catalog = new SchemaCatalog(repository as unknown as SchemasRepository);
  const auth = new AdminAuth({
    staticKeys: [KEY],
    mode: 'key',
    schemes: ['bearer'],
    scopes: [],
  } as never);
  const directRoutes = { add: (added: DirectRoute) => (route = added) } as unknown as DirectRoutes;
  const decoding = new DecodingService(undefined as never, config);
  new DecodeDirect(directRoutes, auth, catalog, decoding).onModuleInit();
  await catalog.get('s');
});

const request = (headers: Record<string, string> = {}) =>
  ({
    headers: { authorization: `Bearer ${KEY}`, 'content-type': URLENCODED, ...headers },
  }) as unknown as IncomingMessage;
const answer = (body: string | Buffer, type = URLENCODED, schemaId = 's') => {
  try {
    const head = request({ 'content-type': type });
    const answered = route.answer(head, Buffer.from(body), schemaId, 'id');
    return answered && 'body' in answered ? answered.body : undefined;
  } catch {
    return undefined;
  }
};

it.each([
  URLENCODED,
  `${URLENCODED};charset=UTF-8`,
  `${URLENCODED}; charset=utf-8`,
  'application/json',
  'application/json; charset=utf-8',
])('accepts %s', (type) => {
  expect(route.accepts(request({ 'content-type': type }))).toBe(true);
});

it.each([
  'multipart/form-data; boundary=B',
  `${URLENCODED}; charset=latin1`,
  `${URLENCODED}; charset="utf-8"`,
  `${URLENCODED}; charset`,
  'text/plain',
  '',
])('leaves %j to the Fastify route', (type) => {
  expect(route.accepts(request({ 'content-type': type }))).toBe(false);
});

it('leaves unknown callers to the Fastify route', () => {
  for (const authorization of ['Bearer other', '']) {
    const head = request({ authorization });
    expect(route.answer(head, Buffer.from('traits.age=7'), 's', 'id')).toBeUndefined();
  }
});

it('answers valid forms', () => {
  expect(answer('traits.age=7&x=1')).toBe('{"traits":{"age":7},"ignored":["x"]}');
  expect(answer('{"traits":{"age":7}}', 'application/json')).toBe(
    '{"traits":{"age":7},"ignored":[]}',
  );
});

it('leaves invalid forms and uncached schemas to the Fastify route', () => {
  expect(answer('traits.age=x')).toBeUndefined();
  expect(answer(Buffer.from([0xff]))).toBeUndefined();
  expect(answer('{', 'application/json')).toBeUndefined();
  expect(answer('traits.age=7', URLENCODED, 'other')).toBeUndefined();
});
