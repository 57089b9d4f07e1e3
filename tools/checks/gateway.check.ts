/**
 * Runs the gateway's template in a real nginx in front of stand-ins: every route reaches its service,
 * no other path does, and forwarding headers of clients are dropped. NGINX_PATH names an nginx that is
 * not on PATH.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@gatehouse/testing';
import { workspace } from '#local-stack/layout.mjs';
import { until } from '#local-stack/until.mjs';
import {
  exchange,
  type Send,
  sender,
  type StandIn,
  startStandIn,
  untilAnswers,
} from './stand-in.js';

const folder = join(workspace, 'deploy', 'gateway');
const template = readFileSync(join(folder, 'nginx.conf.template'), 'utf8');
const example = readFileSync(join(folder, 'auth-request.conf.example'), 'utf8');
const program = process.env['NGINX_PATH'] ?? 'nginx';
const PLACEHOLDERS = ['DSYNC_API', 'GATEWAY_PORT', 'IDENTITY_FORMS', 'KEY_SERVICE', 'RUN_DIR'];

it('the template uses the placeholders that it lists, and no other', () => {
  const body = template.replaceAll(/^#.*$/gm, '');
  const used = [...body.matchAll(/\$\{(\w+)\}/g)].map(([, name]) => name);
  assert.deepEqual([...new Set(used)].sort(), PLACEHOLDERS);
});

describe('nginx with the template', () => {
  const runDir = mkdtempSync(join(tmpdir(), 'gateway-check-'));
  const standIns: StandIn[] = [];
  let nginx: ChildProcess | undefined;
  let send: Send;
  let port: number;
  let errorLog = '';

  beforeAll(async () => {
    standIns.push(
      await startStandIn('key-service', authorise),
      await startStandIn('dsync-api'),
      await startStandIn('identity-forms'),
      await startStandIn('orders'),
    );
    const [keyService = '', dsyncApi = '', identityForms = '', orders = ''] = standIns.map(
      ({ port }) => `127.0.0.1:${port}`,
    );
    port = await freePort();
    const config = render({
      GATEWAY_PORT: `127.0.0.1:${port}`,
      RUN_DIR: runDir,
      KEY_SERVICE: keyService,
      DSYNC_API: dsyncApi,
      IDENTITY_FORMS: identityForms,
    })
      .replace('    upstream key_service', `    upstream orders { server ${orders}; }\n$&`)
      .replace('        location / {', `${render({ RUN_DIR: runDir }, example)}\n$&`);
    mkdirSync(join(runDir, 'logs'), { recursive: true });
    const file = join(runDir, 'nginx.conf');
    writeFileSync(file, config);
    writeFileSync(
      join(runDir, 'authorize-admin-key.conf'),
      'proxy_set_header X-Admin-Authorization "Bearer gateway";\n',
    );
    const asRoot = process.getuid?.() === 0 ? ['-g', 'user root;'] : [];
    const args = ['-p', `${runDir}/`, '-e', 'stderr', '-c', file, ...asRoot];
    const { status, stderr } = spawnSync(program, [...args, '-t'], { encoding: 'utf8' });
    assert.equal(status, 0, stderr);
    nginx = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
    nginx.stderr?.setEncoding('utf8').on('data', (text: string) => (errorLog += text));
    send = sender(port);
    await untilAnswers(send);
  });

  afterAll(async () => {
    if (nginx !== undefined) {
      const stopped = once(nginx, 'exit');
      nginx.kill('SIGTERM');
      await stopped;
    }
    for (const { close } of standIns) close();
    rmSync(runDir, { recursive: true, force: true });
  });

  const routes: [string, string, string?][] = [
    ['/v2alpha1/admin/apiKeys:verify', 'key-service'],
    ['/v2alpha1/derivedKeys/jwks.json', 'key-service'],
    ['/api/v1/dsync', 'dsync-api'],
    ['/api/v1/dsync/?tenant=a&product=b', 'dsync-api'],
    ['/api/v1/dsync/cron/process-events?wait=60', 'dsync-api'],
    ['/api/v1/directory-sync/users', 'dsync-api'],
    ['/api/scim/v2.0/1/Users?filter=userName%20eq%20%22a%22', 'dsync-api'],
    ['/api/scim/oauth/callback', 'dsync-api'],
    ['/api/scim/workspace/notifications/1?validationToken=a', 'dsync-api'],
    ['/v1/schemas', 'identity-forms'],
    ['/flows/abc', 'identity-forms'],
    ['/sign-up?schema=customer', 'identity-forms'],
    ['/assets/page.css', 'identity-forms'],
    ...['key-service', 'dsync-api', 'identity-forms'].flatMap((service) =>
      [
        ...['/health/ready', '/health/alive', '/version', '/openapi.json', '/docs', '/docs/a.css'],
        ...['/events/catalogue.json', '/events/asyncapi.json'],
      ].map((path): [string, string, string] => [`/${service}${path}`, service, path]),
    ),
  ];
  for (const [path, service, arrivesAs = path] of routes) {
    it(`${path} goes to ${service}`, async () => {
      const { status, body } = await send(path);
      assert.equal(status, 200);
      assert.equal(body.service, service);
      assert.equal(body.url, arrivesAs);
    });
  }
  for (const path of [
    '/_bad_request',
    '/health/ready',
    '/metrics',
    '/key-service/metrics',
    '/key-service/v2alpha1/admin/apiKeys:verify',
    '/dsync-worker/health/ready',
    '/admin/queues',
    '/dsync-worker/admin/queues',
    '/v2alpha2/x',
    '/api/v2/dsync',
    '/_authorize',
    '/docs',
  ]) {
    it(`${path} is 404 and reaches no service`, async () => {
      const { status, headers, body } = await send(path);
      assert.equal(status, 404);
      assert.equal(headers['content-type'], 'application/problem+json');
      assert.equal(body.service, undefined);
    });
  }
  it('the gateway reports its own health', async () => {
    for (const path of ['/health', '/health/alive']) {
      assert.deepEqual((await send(path)).body, { status: 'ok' });
    }
  });
  it('the root lists addresses that exist', async () => {
    const { services } = (await send('/')).body;
    for (const [service, addresses] of Object.entries<Record<string, string>>(services)) {
      for (const path of Object.values(addresses)) {
        assert.equal((await send(path)).body.service, service, path);
      }
    }
  });
  const malformed: [string, number][] = [
    ['GET /%zz HTTP/1.1\r\nHost: x', 400],
    ['GET /%00 HTTP/1.1\r\nHost: x', 400],
    ['GET /flows/% HTTP/1.1\r\nHost: x', 400],
    ['GET * HTTP/1.1\r\nHost: x', 400],
    ['GET / HTTP/1.1\r\nHost: x\r\nHost: y', 400],
    [`GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: x`, 400],
    ['POST /v1/schemas HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip', 501],
  ];
  for (const [head, status] of malformed) {
    it(`${head.slice(0, 80).replaceAll('\r\n', ', ')} is ${status} with problem details`, async () => {
      const received = await exchange(port, `${head}\r\nConnection: close\r\n\r\n`);
      const [answer = '', body = ''] = received.split('\r\n\r\n');
      assert.match(answer, new RegExp(`^HTTP/1.1 ${status} `));
      assert.match(answer, /^content-type: application\/problem\+json\r?$/im);
      assert.equal(JSON.parse(body).status, status);
    });
  }

  it('what a client says about proxies is dropped, and our own is always set', async () => {
    const { body } = await send('/v2alpha1/admin/issuedApiKeys', {
      headers: {
        host: 'keys.example.com',
        'x-forwarded-for': '127.0.0.1',
        'x-forwarded-host': 'evil.example',
        'x-forwarded-proto': 'gopher',
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
    assert.equal(body.headers['x-forwarded-prefix'], undefined);
    assert.equal(body.headers.forwarded, undefined);
  });
  it('a usable request id is passed on and echoed once; another is replaced', async () => {
    const given = await send('/v1/schemas', { headers: { 'x-request-id': 'abc-123' } });
    assert.equal(given.body.headers['x-request-id'], 'abc-123');
    assert.equal(given.headers['x-request-id'], 'abc-123');
    for (const bad of ['a b', 'x'.repeat(129)]) {
      const { headers, body } = await send('/v1/schemas', { headers: { 'x-request-id': bad } });
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
      assert.equal((await send(path, { method: 'POST', body })).status, expected, path);
    }
  });
  it('headers of more than 16 KiB are refused', async () => {
    const { status } = await send('/v1/schemas', { headers: { 'x-long': 'a'.repeat(20_000) } });
    assert.equal(status, 400);
  });
  it('a service that does not answer is 503 with Retry-After', async () => {
    standIns[1]?.close();
    const { status, headers } = await send('/api/scim/v2.0/1/Users');
    assert.equal(status, 503);
    assert.equal(headers['retry-after'], '5');
    assert.ok(headers['x-request-id']);
  });

  it('the address of a flow is in no log, whatever goes wrong', async () => {
    standIns[2]?.close();
    assert.equal((await send('/flows/secret-address')).status, 503);
    assert.equal((await send('/v1/schemas')).status, 503);
    assert.ok(await until(() => errorLog.includes('GET /v1/schemas'), { timeoutMs: 5_000 }));
    const accessLog = readFileSync(join(runDir, 'access.log'), 'utf8');
    assert.ok(!(errorLog + accessLog).includes('secret-address'));
  });

  const ask = (credential: string) =>
    send('/orders/1', { headers: { authorization: `Bearer ${credential}`, 'x-key-id': 'forged' } });
  it('auth_request: a live key passes, and its credential stops at the gateway', async () => {
    const { status, body } = await ask('good');
    assert.equal(status, 200);
    assert.equal(body.service, 'orders');
    assert.equal(body.headers['x-key-id'], 'key-1');
    assert.equal(body.headers['x-actor-id'], 'actor-1');
    assert.equal(body.headers.authorization, undefined);
  });
  it('auth_request: 401, 403 and 429 with Retry-After reach the client', async () => {
    for (const [credential, status] of [
      ['unknown', 401],
      ['forbidden', 403],
      ['limited', 429],
    ] as const) {
      const answer = await ask(credential);
      assert.equal(answer.status, status);
      assert.equal(answer.headers['content-type'], 'application/problem+json');
      assert.equal(answer.body.status, status);
    }
    const limited = await ask('limited');
    assert.equal(limited.headers['retry-after'], '17');
  });
});

const AUTHORIZE = '/v2alpha1/admin/apiKeys:authorize?scope=orders:read&audience=orders-api';

/** Answers `:authorize` like the key service; returns false for any other request. */
function authorise(request: IncomingMessage, response: ServerResponse): boolean {
  if (request.url !== AUTHORIZE) return false;
  if (request.headers['x-admin-authorization'] !== 'Bearer gateway') {
    response.writeHead(500).end();
    return true;
  }
  const credential = request.headers.authorization;
  if (credential === 'Bearer good') {
    response.writeHead(200, { 'X-Key-Id': 'key-1', 'X-Actor-Id': 'actor-1', 'X-Scopes': 'a b' });
  } else if (credential === 'Bearer forbidden') response.writeHead(403);
  else if (credential === 'Bearer limited') response.writeHead(429, { 'Retry-After': '17' });
  else response.writeHead(401);
  response.end();
  return true;
}

function render(values: Record<string, string>, text = template): string {
  return text.replaceAll(/\$\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}
