// @ts-check
/**
 * The gateway's template, in a real nginx before stand-ins that answer what reached them: every
 * route goes to its service, nothing else does, and what a client says about proxies is dropped.
 * `NGINX_PATH` names an nginx that is not on PATH.
 */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { check, finish } from './check.mjs';
import { freePort } from '../local-stack/ports.mjs';
import { sender, startStandIn, untilAnswers } from './stand-in.mjs';

const folder = new URL('../../deploy/gateway/', import.meta.url);
const template = readFileSync(new URL('nginx.conf.template', folder), 'utf8');
const example = readFileSync(new URL('auth-request.conf.example', folder), 'utf8');
const program = process.env['NGINX_PATH'] ?? 'nginx';
const PLACEHOLDERS = ['DSYNC_API', 'GATEWAY_PORT', 'IDENTITY_FORMS', 'KEY_SERVICE', 'RUN_DIR'];

await check('the template uses the placeholders that it lists, and no other', () => {
  const body = template.replaceAll(/^#.*$/gm, '');
  const used = [...body.matchAll(/\$\{(\w+)\}/g)].map(([, name]) => name);
  assert.deepEqual([...new Set(used)].sort(), PLACEHOLDERS);
});

const { error } = spawnSync(program, ['-v'], { stdio: 'ignore' });
await check('there is an nginx to try it in', () => assert.ifError(error));
if (error === undefined) await tryRoutes();
finish();

async function tryRoutes() {
  const runDir = mkdtempSync(join(tmpdir(), 'gateway-check-'));
  const services = {
    KEY_SERVICE: await startStandIn('key-service', authorise),
    DSYNC_API: await startStandIn('dsync-api'),
    IDENTITY_FORMS: await startStandIn('identity-forms'),
  };
  const orders = await startStandIn('orders');
  const port = await freePort();
  const config = render({
    GATEWAY_PORT: `127.0.0.1:${port}`,
    RUN_DIR: runDir,
    KEY_SERVICE: `127.0.0.1:${services.KEY_SERVICE.port}`,
    DSYNC_API: `127.0.0.1:${services.DSYNC_API.port}`,
    IDENTITY_FORMS: `127.0.0.1:${services.IDENTITY_FORMS.port}`,
  })
    .replace(
      '    upstream key_service',
      `    upstream orders { server 127.0.0.1:${orders.port}; }\n$&`,
    )
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
  await check('nginx -t accepts it', () => {
    const { status, stderr } = spawnSync(program, [...args, '-t'], { encoding: 'utf8' });
    assert.equal(status, 0, stderr);
  });
  const nginx = spawn(program, args, { stdio: 'ignore' });
  const stopped = new Promise((resolve) => nginx.once('exit', resolve));
  try {
    const send = sender(port);
    await untilAnswers(send);
    await checkRoutes(send);
    await checkHeaders(send);
    await checkBounds(send, services.DSYNC_API);
    await checkExample(send);
  } finally {
    nginx.kill('SIGTERM');
    await stopped;
    for (const { close } of [...Object.values(services), orders]) close();
    rmSync(runDir, { recursive: true, force: true });
  }
}

/** @param {import('./stand-in.mjs').Send} send */
async function checkRoutes(send) {
  /** @type {[string, string, string?][]} */
  const routes = [
    ['/v2alpha1/admin/apiKeys:verify', 'key-service'],
    ['/v2alpha1/derivedKeys/jwks.json', 'key-service'],
    ['/api/v1/dsync', 'dsync-api'],
    ['/api/v1/dsync/?tenant=a&product=b', 'dsync-api'],
    ['/api/v1/dsync/cron/process-events?wait=60', 'dsync-api'],
    ['/api/v1/directory-sync/users', 'dsync-api'],
    ['/api/scim/v2.0/1/Users?filter=userName%20eq%20%22a%22', 'dsync-api'],
    ['/api/scim/oauth/callback', 'dsync-api'],
    ['/v1/schemas', 'identity-forms'],
    ['/flows/abc', 'identity-forms'],
    ['/sign-up?schema=customer', 'identity-forms'],
    ['/assets/page.css', 'identity-forms'],
    ...['key-service', 'dsync-api', 'identity-forms'].flatMap((service) =>
      ['/health/ready', '/health/alive', '/version', '/openapi.json', '/docs', '/docs/a.css'].map(
        (path) => /** @type {[string, string, string]} */ ([`/${service}${path}`, service, path]),
      ),
    ),
  ];
  for (const [path, service, arrivesAs = path] of routes) {
    await check(`${path} goes to ${service}`, async () => {
      const { status, body } = await send(path);
      assert.equal(status, 200);
      assert.equal(body.service, service);
      assert.equal(body.url, arrivesAs);
    });
  }
  for (const path of [
    '/',
    '/metrics',
    '/key-service/metrics',
    '/key-service/v2alpha1/admin/apiKeys:verify',
    '/dsync-worker/health/ready',
    '/v2alpha2/x',
    '/api/v2/dsync',
    '/_authorize',
    '/docs',
  ]) {
    await check(`${path} is 404 and reaches no service`, async () => {
      const { status, headers, body } = await send(path);
      assert.equal(status, 404);
      assert.equal(headers['content-type'], 'application/problem+json');
      assert.equal(body.service, undefined);
    });
  }
  await check('the gateway tells its own health', async () => {
    for (const path of ['/health', '/health/alive', '/health/ready']) {
      assert.deepEqual((await send(path)).body, { status: 'ok' });
    }
  });
}

/** @param {import('./stand-in.mjs').Send} send */
async function checkHeaders(send) {
  await check(
    'what a client says about proxies is dropped, and our own is always set',
    async () => {
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
    },
  );
  await check('a usable request id is passed on and echoed once; another is replaced', async () => {
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
}

/**
 * @param {import('./stand-in.mjs').Send} send
 * @param {{ close: () => void }} service
 */
async function checkBounds(send, service) {
  await check(
    'a body over a service’s own limit still reaches it, a far larger one does not',
    async () => {
      /** @type {[string, number, number][]} */
      const cases = [
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
    },
  );
  await check('headers of more than 16 KiB are refused', async () => {
    const { status } = await send('/v1/schemas', { headers: { 'x-long': 'a'.repeat(20_000) } });
    assert.equal(status, 400);
  });
  await check('a service that does not answer is 503 with Retry-After', async () => {
    service.close();
    const { status, headers } = await send('/api/scim/v2.0/1/Users');
    assert.equal(status, 503);
    assert.equal(headers['retry-after'], '5');
    assert.ok(headers['x-request-id']);
  });
}

/** @param {import('./stand-in.mjs').Send} send */
async function checkExample(send) {
  /** @param {string} credential */
  const ask = (credential) =>
    send('/orders/1', { headers: { authorization: `Bearer ${credential}`, 'x-key-id': 'forged' } });
  await check(
    'auth_request: a live key passes, and its credential stops at the gateway',
    async () => {
      const { status, body } = await ask('good');
      assert.equal(status, 200);
      assert.equal(body.service, 'orders');
      assert.equal(body.headers['x-key-id'], 'key-1');
      assert.equal(body.headers['x-actor-id'], 'actor-1');
      assert.equal(body.headers.authorization, undefined);
    },
  );
  await check('auth_request: 401, 403 and 429 with Retry-After reach the client', async () => {
    assert.equal((await ask('unknown')).status, 401);
    assert.equal((await ask('forbidden')).status, 403);
    const limited = await ask('limited');
    assert.equal(limited.status, 429);
    assert.equal(limited.headers['retry-after'], '17');
  });
}

/**
 * What the key service answers on `:authorize`, by credential.
 *
 * @param {import('node:http').IncomingMessage} request
 * @param {import('node:http').ServerResponse} response
 * @returns {boolean} whether it was such a request
 */
function authorise(request, response) {
  if (request.url !== '/v2alpha1/admin/apiKeys:authorize?scope=orders:read') return false;
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

/**
 * @param {Record<string, string>} values
 * @param {string} [text]
 */
function render(values, text = template) {
  return text.replaceAll(/\$\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}
