/** examples/guarded-api and examples/mcp-server on the packed client. */
import { type Gatehouse, createGatehouse } from '@gatehouse/client';
import { createTestDatabase, freePort, type TestDatabase } from '@gatehouse/testing';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ExampleProgram } from './example-program.js';
import { ADMIN_KEY, openSmall, type SmallGate } from './gate.js';

let database: TestDatabase;
let gate: SmallGate;
let gatehouse: Gatehouse;
let environment: Record<string, string>;
let example: ExampleProgram;
beforeAll(async () => {
  database = await createTestDatabase();
  gate = await openSmall(database);
  environment = { GATEHOUSE_URL: gate.process.adminUrl, GATEHOUSE_KEY: ADMIN_KEY };
  gatehouse = createGatehouse({ url: gate.process.adminUrl, key: ADMIN_KEY });
});
afterAll(async () => {
  await gate.close();
  await database.drop();
});
afterEach(() => example.remove());

describe('examples/guarded-api', () => {
  beforeEach(async () => {
    example = ExampleProgram.fromFolder('guarded-api');
    await example.start(environment);
  });

  const get = (path: string, key = '') =>
    fetch(example.url + path, { headers: { 'x-api-key': key }, redirect: 'manual' });

  const issue = async (user: string): Promise<string> => {
    const headers = { 'x-user': user };
    const answer = await fetch(`${example.url}/keys`, { method: 'POST', headers });
    return ((await answer.json()) as { secret: string }).secret;
  };

  it('serves the holder of a key with the scope, and refuses others', async () => {
    const key = await issue('alice');
    const served = await get('/orders', key);
    expect(served.status).toBe(200);
    expect(await served.json()).toEqual({ orders: [{ id: 1, customer: 'alice' }] });
    expect(served.headers.get('ratelimit')).toBeTruthy();

    const refused = await get('/orders');
    expect(refused.status).toBe(401);
    expect(refused.headers.get('www-authenticate')).toMatch(/^Bearer/);
    const { secret } = await gatehouse.keys.issue({ name: 'Other', actor_id: 'bob', scopes: [] });
    expect((await get('/orders', secret)).status).toBe(403);
  });

  it('lets two exports of a limit of twenty through, ten each', async () => {
    const key = await issue('carol');
    const statuses = [];
    for (let n = 0; n < 3; n += 1) statuses.push((await get('/orders/export', key)).status);
    expect(statuses).toEqual([200, 200, 429]);
    expect((await get('/orders/export', key)).headers.get('retry-after')).toMatch(/^\d+$/);
    expect((await get('/orders', key)).status).toBe(200);
  });

  it('sends a user to the pages of the own keys', async () => {
    const headers = { 'x-user': 'alice' };
    const answer = await fetch(`${example.url}/keys`, { headers, redirect: 'manual' });
    expect(answer.status).toBe(303);
    expect(answer.headers.get('location')).toMatch(/^https:\/\/gate\.example\.com\/portal/);
  });

  it('refuses everything while Gatehouse is away', async () => {
    const key = await issue('dora');
    await example.stop();
    await example.start({ ...environment, GATEHOUSE_URL: `http://127.0.0.1:${await freePort()}` });
    const answer = await get('/orders', key);
    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
  });
});

describe('examples/mcp-server', () => {
  beforeEach(async () => {
    example = ExampleProgram.fromFolder('mcp-server');
    await example.start(environment);
  });

  it('answers a client of the caller with the notes of that caller', async () => {
    const { secret } = await gatehouse.keys.issue({
      name: 'Assistant',
      actor_id: 'alice',
      scopes: ['notes:read'],
    });
    const client = new Client({ name: 'test', version: '1.0.0' });
    const requestInit = { headers: { authorization: `Bearer ${secret}` } };
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${example.url}/mcp`), { requestInit }),
    );
    const found = await client.callTool({ name: 'search', arguments: { text: 'MILK' } });
    expect(found.content).toEqual([{ type: 'text', text: 'Buy milk' }]);
    const foreign = await client.callTool({ name: 'search', arguments: { text: 'bank' } });
    expect(foreign.content).toEqual([]);
    await client.close();
  });

  it('names its metadata to a client without a credential', async () => {
    const refused = await fetch(`${example.url}/mcp`, { method: 'POST' });
    expect(refused.status).toBe(401);
    const [, address = ''] =
      /resource_metadata="([^"]+)"/.exec(refused.headers.get('www-authenticate') ?? '') ?? [];
    expect(await (await fetch(address)).json()).toMatchObject({ resource: `${example.url}/mcp` });
  });
});
