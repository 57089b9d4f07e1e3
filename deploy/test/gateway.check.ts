/**
 * Runs the gateway in a real nginx in front of stand-ins: each surface reaches the operations that
 * belong to it and no others, errors are never pages of nginx, and forwarding headers of clients are
 * dropped. NGINX_PATH names an nginx that is not on PATH.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '#local-stack/until.mjs';
import { startTestGateway, type TestGateway } from './test-gateway.js';
import { operationsOf } from './gateway-surfaces.js';
import { exchange, type Send, sender, type StandIn, startStandIn } from './stand-in.js';

const SERVICES = ['key-service', 'dsync-api', 'identity-forms'];
const runDir = mkdtempSync(join(tmpdir(), 'gateway-check-'));
const standIns: StandIn[] = [];
let gateway: TestGateway;
let send: Send;
let sendAsAdmin: Send;
let port: number;

const portOf = (url: string) => Number(new URL(url).port);

beforeAll(async () => {
  standIns.push(
    await startStandIn('key-service'),
    await startStandIn('dsync-api'),
    await startStandIn('identity-forms'),
    await startStandIn('console'),
  );
  const [keyService = '', dsyncApi = '', identityForms = '', console = ''] = standIns.map(
    (standIn) => `127.0.0.1:${standIn.port}`,
  );
  gateway = await startTestGateway(runDir, {
    KEY_SERVICE: keyService,
    DSYNC_API: dsyncApi,
    IDENTITY_FORMS: identityForms,
    CONSOLE: console,
  });
  port = portOf(gateway.url);
  send = sender(port);
  sendAsAdmin = sender(portOf(gateway.adminUrl));
});

afterAll(async () => {
  await gateway.close();
  for (const { close } of standIns) close();
  rmSync(runDir, { recursive: true, force: true });
});

describe('the public surface', () => {
  it('reaches exactly the operations that need no credential of an administrator', async () => {
    for (const { service, method, path, prefix, isPublic } of operationsOf(SERVICES)) {
      const { status, body } = await send(prefix + path, { method });
      const expected = isPublic ? [200, service, path] : [404, undefined, undefined];
      assert.deepEqual([status, body.service, body.url], expected, `${method} ${path}`);
    }
  });

  it.each([
    ['/api/scim/oauth/callback?code=a&state=b', 'dsync-api'],
    ['/api/scim/workspace/notifications/1?validationToken=a', 'dsync-api'],
    ['/api/scim/v2.0/1/Users?filter=userName%20eq%20%22a%22', 'dsync-api'],
    ['/assets/page.css', 'identity-forms'],
    ['/setup/provider', 'dsync-api'],
    ['/portal/keys', 'key-service'],
  ])('%s, which no description has, reaches %s', async (path, service) => {
    const { body } = await send(path);
    assert.deepEqual([body.service, body.url], [service, path]);
  });

  it.each([
    '/',
    '/_bad_request',
    '/health/ready',
    '/metrics',
    '/stub_status',
    '/version',
    '/docs',
    '/openapi.json',
    '/events/catalogue.json',
    '/admin/queues',
    '/_authorize',
    '/docs/reference.js',
    '/llms.txt',
    ...SERVICES.flatMap((name) => [`/${name}/health/ready`, `/${name}/version`]),
    '/v2alpha1/',
    '/v2alpha1/admin',
    '/v2alpha1/derivedKeys/',
    '/api/v1/dsync',
    '/v1/schemas',
    '/sign-up/',
    '/flows',
    '/setup',
    '/portal',
    '/console',
    '/console/sign-in',
    '/api/scim',
    '//flows/a',
    '/FLOWS/a',
    '/sign-up;a',
  ])('%s is 404 and reaches no service', async (path) => {
    const { status, body } = await send(path);
    assert.deepEqual([status, body.service], [404, undefined]);
  });
});

describe('the admin surface', () => {
  it('reaches every operation of every service', async () => {
    for (const { service, method, path, prefix } of operationsOf(SERVICES)) {
      const { status, body } = await sendAsAdmin(prefix + path, { method });
      assert.deepEqual([status, body.service, body.url], [200, service, path], path);
    }
  });

  it.each([
    ['/api/v1/directory-sync/users', 'dsync-api', '/api/v1/directory-sync/users'],
    ...SERVICES.map((name) => [`/${name}/openapi.json`, name, '/openapi.json']),
    ['/docs', 'key-service', '/docs'],
    ['/docs/reference/a.md', 'key-service', '/docs/reference/a.md'],
    ['/openapi.json', 'key-service', '/docs/openapi.json'],
    ['/llms.txt', 'key-service', '/docs/llms.txt'],
    ['/console', 'console', '/console'],
    ['/console/keys/a?q=b', 'console', '/console/keys/a?q=b'],
  ])('%s reaches %s', async (path, service, arrivesAs) => {
    const { body } = await sendAsAdmin(path);
    assert.deepEqual([body.service, body.url], [service, arrivesAs]);
  });

  it.each([
    '/metrics',
    '/key-service/metrics',
    '/dsync-worker/version',
    '/admin/queues',
    '/docs.md',
    '/key-service/docs',
    '/v1',
    '/v2alpha1/admin',
    '/assets',
    '/console.css',
  ])('%s is 404 and reaches no service', async (path) => {
    const { status, body } = await sendAsAdmin(path);
    assert.deepEqual([status, body.service], [404, undefined]);
  });

  it.each(SERVICES)('sends %s its own prefix, never that of a client', async (service) => {
    const headers = { 'x-forwarded-prefix': '/evil' };
    const asked = await sendAsAdmin(`/${service}/openapi.json`, { headers });
    assert.equal(asked.body.headers['x-forwarded-prefix'], `/${service}`);
    const other = await sendAsAdmin('/v1/schemas', { headers });
    assert.equal(other.body.headers['x-forwarded-prefix'], undefined);
  });

  it('lists addresses that exist', async () => {
    const { docs, openapi, services } = (await sendAsAdmin('/')).body;
    for (const path of [docs, openapi]) {
      assert.equal((await sendAsAdmin(path)).body.service, 'key-service', path);
    }
    for (const [service, addresses] of Object.entries<Record<string, string>>(services)) {
      for (const path of Object.values(addresses)) {
        assert.equal((await sendAsAdmin(path)).body.service, service, path);
      }
    }
  });
});

it('each surface reports the health of the gateway', async () => {
  for (const ask of [send, sendAsAdmin]) {
    for (const path of ['/health', '/health/alive']) {
      assert.deepEqual((await ask(path)).body, { status: 'ok' });
    }
  }
});

it('counts connections and requests on a port of its own', async () => {
  const page = await (await fetch(`${gateway.metricsUrl}/stub_status`)).text();
  assert.match(page, /^Active connections: \d+/);
});

it.each([
  '/v2alpha1/admin/apiKeys:verify',
  '/api/v1/dsync',
  '/api/v1/directory-sync/users',
  '/v1/schemas',
])('the public surface says of %s where it is', async (path) => {
  const { body } = await send(path);
  assert.match(JSON.stringify(body), /admin surface of the gateway: ADMIN_LISTEN, port 8089/);
  const { body: other } = await send('/v2alpha1/other');
  assert.match(JSON.stringify(other), /There is nothing at this address/);
});

describe('errors of the gateway', () => {
  it.each([
    ['/v2alpha1/a', 'application/json', { error: { code: 404, status: 'NOT_FOUND' } }],
    ['/api/v1/dsync/a', 'application/json', { data: null, error: { code: 404 } }],
    ['/a', 'application/problem+json', { status: 404, title: 'Not Found' }],
  ])('of %s have the format of its API', async (path, type, expected) => {
    const { headers, body } = await send(path);
    assert.equal(headers['content-type'], type);
    expect(body).toMatchObject(expected);
    assert.ok(headers['x-request-id']);
  });

  it.each([
    ['a-1', 'a-1'],
    ['a"b', /^[0-9a-f]{32}$/],
    ['a\\b', /^[0-9a-f]{32}$/],
  ])('problems name the request %j', async (id, expected) => {
    const { body } = await send('/a', { headers: { 'x-request-id': id } });
    assert.match(body.request_id, new RegExp(expected));
  });

  it.each([
    ['TRACE', '/health', 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS'],
    ['DELETE', '/health/alive', 'GET, HEAD'],
    ['POST', '/', 'GET, HEAD'],
  ])('a 405 to %s %s says which methods are allowed', async (method, path, allowed) => {
    const request = `${method} ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
    const answer = await exchange(portOf(gateway.adminUrl), request);
    assert.match(answer, /^HTTP\/1.1 405 /);
    assert.ok(answer.includes(`\r\nAllow: ${allowed}\r\n`), answer);
  });

  const malformed: [string, number][] = [
    ['GET /%zz HTTP/1.1\r\nHost: x', 400],
    ['GET /%00 HTTP/1.1\r\nHost: x', 400],
    ['GET /flows/% HTTP/1.1\r\nHost: x', 400],
    ['GET * HTTP/1.1\r\nHost: x', 400],
    ['GET / HTTP/1.1\r\nHost: x\r\nHost: y', 400],
    ['GET / HTTP/9.1\r\nHost: x', 400],
    [`GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: x`, 414],
    [`GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'a'.repeat(20_000)}`, 431],
    ['POST /v1/schemas HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip', 400],
    ['TRACE / HTTP/1.1\r\nHost: x', 405],
    ['PRI * HTTP/2.0\r\n\r\nSM', 400],
    ['\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400],
  ];
  it.each(malformed.map(([head, status]) => [head.slice(0, 60), status, head] as const))(
    '%j is %d with problem details',
    async (_, status, head) => {
      const received = await exchange(port, `${head}\r\nConnection: close\r\n\r\n`);
      const [answer = '', body = ''] = received.split('\r\n\r\n');
      assert.match(answer, new RegExp(`^HTTP/1.1 ${status} `));
      assert.match(answer, /^content-type: application\/problem\+json\r?$/im);
      assert.equal(JSON.parse(body).status, status);
    },
  );

  it.each([
    '/flows/../v1/schemas',
    '/flows/./a',
    '/flows/a/..',
    '/flows/%2e%2e/v1',
    '/flows/a%2Fb',
    '/flows/a%5cb',
    '/flows/a\\b',
    '/flows/%252e',
    '/flows/%0d%0a',
    '/flows/%7F',
    '/flows/a#b',
    '/v2alpha1/admin/issuedApiKeys/..%2f..%2f..%2fv2alpha1%2fderivedKeys%2fjwks.json',
    '/v2alpha1/admin/../derivedKeys/jwks.json',
  ])('%s, which a service may read differently, is 400', async (path) => {
    for (const at of [port, portOf(gateway.adminUrl)]) {
      const request = `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
      assert.match(await exchange(at, request), /^HTTP\/1.1 400 [^]*"[^]*400/);
    }
  });

  it.each(['/flows/a?b=../%2f%5c', '/api/scim/v2.0/1/Users/.search', '/flows/urn%3Aa%40b'])(
    '%s passes as it is',
    async (path) => assert.equal((await send(path)).body.url, path),
  );
});

it('what a client says about proxies is dropped, and our own is always set', async () => {
  const { body } = await sendAsAdmin('/v2alpha1/admin/issuedApiKeys', {
    headers: {
      host: 'keys.example.com',
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'https',
      'x-forwarded-port': '443',
      'x-forwarded-prefix': '/evil',
      'x-real-ip': '10.0.0.1',
      forwarded: 'for=127.0.0.1',
      connection: 'x-forwarded-for, x-real-ip',
    },
  });
  assert.equal(body.headers['x-forwarded-for'], '127.0.0.1');
  assert.equal(body.headers['x-real-ip'], '127.0.0.1');
  assert.equal(body.headers['x-forwarded-host'], 'keys.example.com');
  assert.equal(body.headers['x-forwarded-proto'], 'http');
  assert.equal(body.headers.host, 'keys.example.com');
  for (const name of ['x-forwarded-prefix', 'x-forwarded-port', 'forwarded']) {
    assert.equal(body.headers[name], undefined);
  }
});

it('a usable request id is passed on and echoed once; another is replaced', async () => {
  const given = await send('/flows/a', { headers: { 'x-request-id': 'abc-123' } });
  assert.equal(given.body.headers['x-request-id'], 'abc-123');
  assert.equal(given.headers['x-request-id'], 'abc-123');
  for (const bad of ['a b', 'x'.repeat(129)]) {
    const { headers, body } = await send('/flows/a', { headers: { 'x-request-id': bad } });
    assert.match(String(headers['x-request-id']), /^[0-9a-f]{32}$/);
    assert.equal(body.headers['x-request-id'], headers['x-request-id']);
  }
  const own = await send('/nowhere', { headers: { 'x-request-id': 'abc-123' } });
  assert.equal(own.headers['x-request-id'], 'abc-123');
});

it('a body over a service’s own limit still reaches it, a far larger one does not', async () => {
  const cases: [string, number, number][] = [
    ['/v2alpha1/admin/importedApiKeys:batchCreate', 4.5, 200],
    ['/v2alpha1/admin/importedApiKeys:batchCreate', 6, 413],
    ['/api/scim/v2.0/1/Bulk', 2.5, 200],
    ['/api/scim/v2.0/1/Bulk', 4, 413],
    ['/flows/1', 1.5, 200],
    ['/flows/1', 3, 413],
  ];
  for (const [path, mebibytes, expected] of cases) {
    const body = 'x'.repeat(mebibytes * 1024 * 1024);
    assert.equal((await sendAsAdmin(path, { method: 'POST', body })).status, expected, path);
  }
});

// The last tests, because they end services.
it('a service that does not answer is 503 with Retry-After, in the format of its API', async () => {
  standIns[1]?.close();
  const { status, headers, body } = await send('/api/scim/v2.0/1/Users');
  assert.equal(status, 503);
  assert.equal(headers['retry-after'], '5');
  assert.equal(headers['content-type'], 'application/scim+json');
  assert.equal(body.status, '503');
  assert.deepEqual(body.schemas, ['urn:ietf:params:scim:api:messages:2.0:Error']);
});

it('the address of a flow is in no log, whatever goes wrong', async () => {
  standIns[2]?.close();
  assert.equal((await send('/flows/secret-address')).status, 503);
  // As written in an e-mail, or by a proxy that kept its prefix.
  for (const path of [
    '//setup/secret-address',
    '/x/setup/secret-address',
    '//portal/secret-address',
    '/x/portal/secret-address',
    '//flows/secret-address',
  ]) {
    assert.equal((await send(path)).status, 404);
  }
  assert.equal((await sendAsAdmin('/v1/schemas')).status, 503);
  const accessLog = () => readFileSync(join(runDir, 'access.log'), 'utf8');
  assert.ok(await until(() => accessLog().includes('/v1/schemas'), { timeoutMs: 5_000 }));
  assert.ok(!(gateway.log() + accessLog()).includes('secret-address'));
});

it('each line of the access log is JSON', () => {
  const lines = readFileSync(join(runDir, 'access.log'), 'utf8').trim().split('\n');
  for (const line of lines) {
    expect(JSON.parse(line)).toMatchObject({ status: expect.any(String) });
  }
});
