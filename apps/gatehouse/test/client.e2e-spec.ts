/** The client library at a gate: what it sends, what it returns, and what it throws. */
import { type Gatehouse, GatehouseError, createGatehouse } from '@gatehouse/client';
import { createTestDatabase, freePort, type TestDatabase } from '@gatehouse/testing';
import { ADMIN_KEY, openSmall, type SmallGate } from './gate.js';

const RETURN_URL = 'http://localhost:3000/welcome';
const SCHEMA = {
  type: 'object',
  properties: {
    traits: {
      type: 'object',
      properties: { email: { type: 'string', format: 'email' }, age: { type: 'integer' } },
      required: ['email'],
    },
  },
};

let database: TestDatabase;
let gate: SmallGate;
let gatehouse: Gatehouse;
beforeAll(async () => {
  database = await createTestDatabase();
  gate = await openSmall(database, { ALLOWED_RETURN_URLS: RETURN_URL });
  gatehouse = createGatehouse({ url: gate.process.adminUrl, key: ADMIN_KEY });
});
afterAll(async () => {
  await gate.close();
  await database.drop();
});

async function collected<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

async function thrownBy(call: Promise<unknown>): Promise<GatehouseError> {
  const error: unknown = await call.then(
    () => undefined,
    (thrown) => thrown,
  );
  if (error instanceof GatehouseError) return error;
  throw new Error('no GatehouseError was thrown', { cause: error });
}

it('issues, changes, verifies and revokes a key', async () => {
  const { secret, issued_api_key: issued } = await gatehouse.keys.issue({
    name: 'CI',
    actor_id: 'alice',
    scopes: ['orders:read'],
  });
  const key_id = issued?.key_id ?? '';
  await gatehouse.keys.update({ key_id, update_mask: 'name', name: 'Deploy' });
  expect(await gatehouse.keys.get({ key_id })).toMatchObject({ name: 'Deploy', actor_id: 'alice' });
  expect(await gatehouse.keys.verify({ credential: secret })).toMatchObject({ is_valid: true });
  await gatehouse.keys.pause({ key_id });
  expect(await gatehouse.keys.verify({ credential: secret })).toMatchObject({ is_valid: false });
  await gatehouse.keys.resume({ key_id });
  await gatehouse.keys.revoke({ key_id });
  expect(await gatehouse.keys.verify({ credential: secret })).toMatchObject({ is_valid: false });
});

it('iterates the keys of all pages, each once', async () => {
  const names = Array.from({ length: 7 }, (_, number) => `key ${number}`);
  for (const name of names) await gatehouse.keys.issue({ name, actor_id: 'paul' });
  const input = { filter: 'actor_id="paul"', page_size: 2 };
  expect((await gatehouse.keys.list(input)).issued_api_keys).toHaveLength(2);
  const keys = await collected(gatehouse.keys.list.all(input));
  expect(keys.map(({ name }) => name)).toEqual(names.reverse());
});

it('returns the data of directory sync, and iterates pages by offset and by id', async () => {
  const product = 'pages';
  const created = [];
  for (const tenant of ['a', 'b', 'c', 'd', 'e']) {
    created.push(await gatehouse.directories.create({ tenant, product }));
  }
  const directories = await collected(
    gatehouse.directories.listOfProduct.all({ product, pageLimit: 2 }),
  );
  expect(directories.map(({ id }) => id).sort()).toEqual(created.map(({ id }) => id).sort());

  const [directory] = created;
  const { id: directoryId = '', scim } = directory ?? {};
  const scimClient = createGatehouse({ url: gate.process.adminUrl, key: scim?.secret });
  const people = ['ada', 'bob', 'cleo'];
  for (const userName of people) await scimClient.scim.users.create({ directoryId, userName });
  const events = await collected(gatehouse.directories.events.list.all({ directoryId, limit: 1 }));
  expect(events.map(({ data }) => data['raw'])).toEqual(
    people.map((userName) => expect.objectContaining({ userName })),
  );
});

it('decodes a form, and finds the person who returns from a page', async () => {
  await gatehouse.schemas.register({ id: 'customer', schema: SCHEMA, public: true });
  const body = new URLSearchParams({ 'traits.email': 'ada@example.com', 'traits.age': '36' });
  expect(await gatehouse.forms.decode({ id: 'customer', body })).toMatchObject({
    traits: { email: 'ada@example.com', age: 36 },
  });

  const flow = await gatehouse.forms.start({
    kind: 'sign-up',
    schema_id: 'customer',
    return_to: RETURN_URL,
  });
  const finish = () => gatehouse.forms.finish({ flow: flow.id, started: flow.id });
  expect(await finish()).toBeUndefined();
  await submit(flow.url, body);
  expect(await finish()).toMatchObject({ traits: { email: 'ada@example.com' } });
  for (const form of [
    { flow: flow.id, started: 'another' },
    { flow: 'gone', started: 'gone' },
  ]) {
    expect(await gatehouse.forms.finish(form)).toBeUndefined();
  }
});

/** Fills the form in as a program does. */
async function submit(url: string, fields: URLSearchParams): Promise<void> {
  const address = gate.process.url + new URL(url).pathname;
  const headers = { accept: 'application/json' };
  const opened = await fetch(address, { headers });
  const { csrf_token: token } = (await opened.json()) as { csrf_token: string };
  const cookie = opened.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ');
  const answer = await fetch(address, {
    method: 'POST',
    headers: { ...headers, cookie },
    body: new URLSearchParams([...fields, ['csrf_token', token]]),
  });
  if (!answer.ok) throw new Error(await answer.text());
}

it.each<[string, () => Promise<unknown>, object]>([
  [
    'the key service',
    () => gatehouse.keys.get({ key_id: 'none' }),
    { status: 404, code: 'API_KEY_NOT_FOUND' },
  ],
  ['directory sync', () => gatehouse.directories.get({ id: 'none' }), { status: 404 }],
  [
    'identity forms',
    () => gatehouse.schemas.get({ id: 'none' }),
    { status: 404, code: 'SCHEMA_NOT_FOUND' },
  ],
])('throws the status, the code and the request id of %s', async (_service, call, expected) => {
  const error = await thrownBy(call());
  expect(error).toMatchObject({ ...expected, requestId: expect.any(String) });
  expect(error.message).not.toBe('');
});

it('throws 401 for a wrong key, which the error does not show', async () => {
  const key = 'a-wrong-key-of-the-tests-0123456789';
  const error = await thrownBy(createGatehouse({ url: gate.process.adminUrl, key }).keys.list());
  expect(error.status).toBe(401);
  expect(JSON.stringify({ ...error, message: error.message })).not.toContain(key);
});

it('throws 503 when Gatehouse does not answer', async () => {
  const url = `http://127.0.0.1:${await freePort()}`;
  expect(await thrownBy(createGatehouse({ url, key: ADMIN_KEY }).keys.list())).toMatchObject({
    status: 503,
    message: expect.stringContaining(url),
  });
});

it('refuses an operation without a parameter of its path before it sends anything', async () => {
  await expect(gatehouse.keys.get({ key_id: '' })).rejects.toThrow('key_id is missing');
});
