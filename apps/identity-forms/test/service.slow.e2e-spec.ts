import { spawn } from 'node:child_process';
import { eventually, tcpProxy } from '@gatehouse/testing';
import { FORM, type FormsClient, schemaOf } from './forms-client.js';
import { type FormsStack, openFormsStack } from './forms-stack.js';

describe('the service', () => {
  let stack: FormsStack;
  let shared: FormsClient | undefined;

  beforeAll(async () => {
    stack = await openFormsStack();
  });

  afterAll(() => stack.close());

  it('serves its health, version and API description, and counts its requests', async () => {
    const service = await stack.start({ EXAMPLE_SCHEMA: 'true' });
    const { client } = service;
    expect((await client.send('GET', '/health/alive')).body).toEqual({ status: 'ok' });
    await eventually(async () => {
      expect((await client.send('GET', '/health/ready')).body).toEqual({ status: 'ok' });
    });
    const { version, revision } = (await client.send('GET', '/version')).body;
    expect(version).toMatch(/^\d+\.\d+\.\d+/);
    expect(revision).toBe('development');

    const { body } = await client.send('GET', '/openapi.json');
    const operations = Object.entries(body.paths as Record<string, object>).flatMap(
      ([path, item]) => Object.keys(item).map((method) => `${method} ${path}`),
    );
    expect(operations).toEqual(
      expect.arrayContaining([
        'post /v1/schemas',
        'get /v1/schemas',
        'put /v1/schemas/{id}',
        'get /v1/schemas/{id}',
        'get /v1/schemas/{id}/form',
        'post /v1/schemas/{id}/decode',
        'get /v1/schemas/{id}/decode',
        'post /v1/flows',
        'get /v1/identities',
        'patch /v1/identities/{id}',
        'delete /v1/identities/{id}',
        'get /sign-up',
        'get /flows/{id}',
        'post /flows/{id}',
      ]),
    );

    await client.decode('example', 'traits.name=Ada&traits.email=a@b.c');
    const metrics = await service.metrics();
    expect(metrics).toContain('/v1/schemas/:id/decode');
    expect(metrics).toContain(
      `gatehouse_build_info{service="identity-forms",version="${version}",revision="development",node="${process.versions.node}"} 1`,
    );
  });

  it('shows the empty form of a schema as JSON or as a page, by Accept', async () => {
    const { client } = await stack.start({ EXAMPLE_SCHEMA: 'true' });
    const path = '/v1/schemas/example/form';
    const model = await client.admin('GET', path);
    expect(model.body).toMatchObject({ schema_id: 'example', schema_version: 1, language: 'en' });
    expect(model.body.nodes.length).toBeGreaterThan(5);
    const page = await client.admin('GET', path, undefined, {
      accept: 'text/html',
      'accept-language': 'de',
    });
    expect(page.text).toContain('<html lang="de"');
    expect(page.text).toContain('Konto anlegen');
    expect((await client.send('GET', path)).status).toBe(401);
  });

  it('answers 401 before it checks the body', async () => {
    shared ??= (await stack.start()).client;
    for (const path of ['/v1/schemas', '/v1/flows', '/v1/schemas/x/decode']) {
      for (const [body, type] of [
        ['{', 'application/json'],
        ['x'.repeat(5 * 1024 * 1024), 'application/json'],
        ['<x/>', 'application/xml'],
      ] as const) {
        const headers = { 'content-type': type };
        const { status } = await shared.send('POST', path, { headers, body });
        expect([path, type, status]).toEqual([path, type, 401]);
      }
    }
  });

  it.each(['%00', '%ZZ', '%E9', '..%2f', 'x'.repeat(600), '%F0%9F%99%82', "';--"])(
    'answers 4xx for %s in every place of a name',
    async (name) => {
      shared ??= (await stack.start()).client;
      const client = shared;
      const asked = [
        client.admin('GET', `/v1/schemas/${name}`),
        client.admin('PUT', `/v1/schemas/${name}`, { schema: schemaOf({}) }),
        client.admin('GET', `/v1/schemas/${name}/form`),
        client.decode(name, 'a=b'),
        client.admin('GET', `/v1/identities/${name}`),
        client.admin('GET', `/v1/identities?schema_id=${name}`),
        client.admin('GET', `/v1/identities?page_token=${name}`),
        client.send('GET', `/sign-up?schema=${name}`),
        client.send('GET', `/flows/${name}`),
        client.send('POST', `/flows/${name}`, { headers: FORM, body: 'a=b' }),
        client.send('GET', `/flows/${name}/done`),
      ];
      for (const { status } of await Promise.all(asked)) expect(String(status)).toMatch(/^4\d\d$/);
    },
  );

  it('protected mode serves loopback without a key, and refuses requests through a proxy', async () => {
    const { client } = await stack.start({ ADMIN_API_KEYS: '' });
    const schema = JSON.stringify({ id: 'local', schema: schemaOf({}) });
    const json = { 'content-type': 'application/json' };
    const made = await client.send('POST', '/v1/schemas', { headers: json, body: schema });
    expect(made.status).toBe(201);
    for (const header of ['x-forwarded-for', 'forwarded']) {
      const proxied = { [header]: 'for=127.0.0.1' };
      const asked = [
        client.send('POST', '/v1/schemas/local/decode', {
          headers: { ...FORM, ...proxied },
          body: 'a=b',
        }),
        client.send('POST', '/v1/schemas', { headers: { ...json, ...proxied }, body: schema }),
        client.send('GET', '/v1/identities', { headers: proxied }),
      ];
      for (const { status, body } of await Promise.all(asked)) {
        expect(status).toBe(403);
        expect(body.detail).toContain('ADMIN_API_KEYS');
      }
    }
    expect((await client.send('GET', '/sign-up?schema=local')).status).toBe(404);
  });

  it('ADMIN_AUTH=none requires no key, because a proxy authenticates', async () => {
    const { client } = await stack.start({ ADMIN_API_KEYS: '', ADMIN_AUTH: 'none' });
    const forwarded = { 'x-forwarded-for': '203.0.113.9' };
    expect((await client.send('GET', '/v1/identities', { headers: forwarded })).status).toBe(200);
    const decoded = { headers: { ...FORM, ...forwarded }, body: 'a=b' };
    const answer = await client.send('POST', '/v1/schemas/unknown/decode', decoded);
    expect(answer.status).toBe(404);
  });

  it('reports all invalid settings together and exits with 78', async () => {
    const environment = {
      PATH: process.env.PATH,
      DATABASE_URL: 'mysql://x',
      REDIS_URL: stack.redis.url,
      PUBLIC_URL: 'ftp://example.com',
      ALLOWED_RETURN_URLS: 'https://ok.example,nonsense',
      FLOW_TTL: '1 hour',
      TIME_ZONE: 'Mars/Olympus',
    };
    const child = spawn(process.execPath, ['dist/bundles/identity-forms/main.js'], {
      env: environment,
    });
    let printed = '';
    child.stderr.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    const code = await new Promise((resolve) => child.once('exit', resolve));
    expect(code).toBe(78);
    for (const name of [
      'DATABASE_URL',
      'PUBLIC_URL',
      'ALLOWED_RETURN_URLS',
      'FLOW_TTL',
      'TIME_ZONE',
    ]) {
      expect(printed).toContain(name);
    }
  });

  it('works without Redis, reports it as degraded, and stops in time', async () => {
    const service = await stack.start({ REDIS_URL: 'redis://127.0.0.1:1', EXAMPLE_SCHEMA: 'true' });
    const { client } = service;
    const ready = await client.send('GET', '/health/ready');
    expect({ status: ready.status, body: ready.body }).toMatchObject({
      status: 200,
      body: { status: 'degraded' },
    });
    expect((await client.decode('example', 'traits.name=Ada&traits.email=a@b.c')).status).toBe(200);
    const flow = await client.openNew({ kind: 'sign-up', schema_id: 'example' });
    const fields = { 'traits.name': 'Ada', 'traits.email': 'without-redis@example.com' };
    expect((await client.submit(flow, fields)).status).toBe(303);
    const startedAt = performance.now();
    expect(await service.stop()).toBe(0);
    expect(performance.now() - startedAt).toBeLessThan(10_000);
  });

  it('without PostgreSQL decodes cached schemas, answers 503 to the rest, and recovers', async () => {
    const proxy = await tcpProxy(stack.database.serviceUrl);
    const service = await stack.start({
      DATABASE_URL: proxy.url,
      EXAMPLE_SCHEMA: 'true',
    });
    const { client } = service;
    const form = 'traits.name=Ada&traits.email=a@b.c';
    const flow = await client.openNew({ kind: 'sign-up', schema_id: 'example' });
    const fields = { 'traits.name': 'Ada', 'traits.email': 'without-postgres@example.com' };
    try {
      expect((await client.decode('example', form)).status).toBe(200);
      await proxy.cut();
      await eventually(async () => {
        expect((await client.send('GET', '/health/ready')).status).toBe(503);
      });
      expect((await client.decode('example', form)).status).toBe(200);
      expect((await client.decode('another', form)).status).toBe(503);
      const list = await client.admin('GET', '/v1/identities');
      expect({ status: list.status, detail: list.body.detail }).toEqual({ status: 503 });
      const page = await client.submit(flow, fields);
      expect(page.status).toBe(503);
      expect(page.text).toContain('Your answers were not saved');

      await proxy.mend();
      await eventually(async () => {
        expect((await client.send('GET', '/health/ready')).status).toBe(200);
      });
      expect((await client.submit(flow, fields)).status).toBe(303);
    } finally {
      await proxy.close();
      await service.stop();
    }
    expect(service.logs()).toContain('request failed');
    for (const secret of ['without-postgres@', flow.path.slice('/flows/'.length), flow.token]) {
      expect(service.logs()).not.toContain(secret);
    }
  });
});
