/** The example that protects an upstream with the key service, as an addition to the gateway. */
import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { workspace } from '#local-stack/layout.mjs';
import { startTestGateway, type TestGateway } from './test-gateway.js';
import { type Send, sender, type StandIn, startStandIn } from './stand-in.js';

const runDir = mkdtempSync(join(tmpdir(), 'gateway-auth-request-'));
const standIns: StandIn[] = [];
let gateway: TestGateway;
let send: Send;

beforeAll(async () => {
  standIns.push(await startStandIn('key-service', authorize), await startStandIn('orders'));
  const [keyService = '', orders = ''] = standIns.map(({ port }) => `127.0.0.1:${port}`);
  mkdirSync(join(runDir, 'http.d'));
  mkdirSync(join(runDir, 'public.d'));
  writeFileSync(join(runDir, 'http.d/orders.conf'), `upstream orders { server ${orders}; }\n`);
  const example = join(workspace, 'deploy/gateway/auth-request.conf.example');
  copyFileSync(example, join(runDir, 'public.d/orders.conf'));
  writeFileSync(
    join(runDir, 'authorize-admin-key.conf'),
    'proxy_set_header X-Admin-Authorization "Bearer gateway";\n',
  );
  gateway = await startTestGateway(runDir, { KEY_SERVICE: keyService });
  send = sender(Number(new URL(gateway.url).port));
});

afterAll(async () => {
  await gateway.close();
  for (const { close } of standIns) close();
  rmSync(runDir, { recursive: true, force: true });
});

describe('auth_request', () => {
  const ask = (credential: string) =>
    send('/orders/1', { headers: { authorization: `Bearer ${credential}`, 'x-key-id': 'forged' } });

  it('a live key passes, and its credential stops at the gateway', async () => {
    const { status, body } = await ask('good');
    assert.equal(status, 200);
    assert.equal(body.service, 'orders');
    assert.equal(body.headers['x-key-id'], 'key-1');
    assert.equal(body.headers['x-actor-id'], 'actor-1');
    assert.equal(body.headers.authorization, undefined);
  });

  it('401, 403 and 429 with Retry-After reach the client', async () => {
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
function authorize(request: IncomingMessage, response: ServerResponse): boolean {
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
