/** The check for gateways, alone and behind a real nginx with auth_request. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually, freePort } from '@gatehouse/testing';
import { ADMIN_KEY, type KeyServiceStack, reasonOf, startKeyService } from './key-stack.js';

const EXAMPLE = readFileSync('deploy/gateway/auth-request.conf.example', 'utf8');
/** The sizes of the buffers of the gateway. */
const BUFFERS = readFileSync('deploy/gateway/nginx.conf', 'utf8').match(/^ +proxy_\w*buffer.*$/gm);
const ADMIN = { 'x-admin-authorization': `Bearer ${ADMIN_KEY}` };

let service: KeyServiceStack;
const issue = async (fields: Record<string, unknown> = {}) => {
  const body = { name: 'Gateway', actor_id: 'user_1', ...fields };
  const answer = await service.admin('POST', '/issuedApiKeys', body, { headers: ADMIN });
  return {
    secret: answer.body.secret as string,
    keyId: answer.body.issued_api_key.key_id as string,
  };
};

beforeAll(async () => {
  service = await startKeyService({
    ADMIN_API_KEYS: ADMIN_KEY,
    CLIENT_IP_SOURCE: 'x-forwarded-for',
    TRUSTED_PROXIES: '127.0.0.0/8',
  });
});
afterAll(() => service.close());

describe('GET or POST /v2alpha1/admin/apiKeys:authorize', () => {
  const authorize = (headers: Record<string, string>, query = '', method = 'GET', body?: string) =>
    service.admin(method, `/apiKeys:authorize${query}`, body, {
      headers: { ...ADMIN, ...headers },
    });

  it('200: identifies the key in every supported header', async () => {
    const { secret, keyId } = await issue({ scopes: ['a:b', 'c'], actor_id: 'Ünï 50%' });
    for (const headers of [
      { authorization: `Bearer ${secret}` },
      { authorization: `Api-Key ${secret}` },
      { 'x-api-key': secret },
      { 'x-api-key': secret, authorization: 'Bearer something-else' },
    ]) {
      const answer = await authorize(headers as Record<string, string>);
      expect([answer.status, answer.body]).toEqual([200, {}]);
      expect(answer.headers.get('x-key-id')).toBe(keyId);
      expect(answer.headers.get('x-actor-id')).toBe('%C3%9Cn%C3%AF%2050%25');
      expect(answer.headers.get('x-scopes')).toBe('a:b c');
      expect(answer.headers.get('cache-control')).toBe('no-store');
    }
  });

  it('200: any method, body and content type that a gateway forwards', async () => {
    const { secret } = await issue();
    for (const type of [
      'application/json',
      'multipart/form-data; boundary=x',
      'text/csv',
      'nonsense',
    ]) {
      const headers = { 'x-api-key': secret, 'content-type': type };
      expect((await authorize(headers, '', 'POST', '{"not":')).status).toBe(200);
    }
  });

  it('200: for Envoy, with the method of the client and a path prefix', async () => {
    const { secret } = await issue({ scopes: ['a'] });
    const query = (scope: string) => `?scope=${scope}&path=/orders/7?x=1&y=%2F`;
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      const headers = { 'x-api-key': secret, 'content-length': '0' };
      const answer = await authorize(headers, query('a'), method);
      expect([method, answer.status]).toEqual([method, 200]);
      expect((await authorize(headers, query('b'), method)).status).toBe(403);
      expect((await authorize({}, query('a'), method)).status).toBe(401);
    }
  });

  it('200: with the headers of the rate limit; 429 over it', async () => {
    const { secret } = await issue({ rate_limit_policy: { quota: 1, window: '1h' } });
    const first = await authorize({ 'x-api-key': secret });
    expect(first.headers.get('ratelimit')).toMatch(/^"key";r=0;t=\d+$/);
    const over = await authorize({ 'x-api-key': secret });
    expect([over.status, over.body.error.status]).toEqual([429, 'RESOURCE_EXHAUSTED']);
    expect(Number(over.headers.get('retry-after'))).toBeGreaterThan(3_000);
    expect(over.headers.get('ratelimit')).toMatch(/^"key";r=0;/);
  });

  it('401: missing, unknown, expired or revoked credential', async () => {
    const { secret, keyId } = await issue();
    await service.admin('POST', `/apiKeys/${keyId}:revoke`, {}, { headers: ADMIN });
    for (const headers of [
      {},
      { 'x-api-key': 'unknown' },
      { authorization: 'Basic eDp5' },
      { 'x-api-key': secret },
    ]) {
      const answer = await authorize(headers as Record<string, string>);
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    }
  });

  it('401: without a credential, and says where to send it', async () => {
    const answer = await authorize({});
    expect([answer.status, reasonOf(answer)]).toEqual([401, 'CREDENTIAL_MISSING']);
    expect(answer.body.error.message).toContain('X-API-Key');
  });

  it('401: client and admin credentials are not interchangeable', async () => {
    const path = '/apiKeys:authorize';
    const asClient = { authorization: `Bearer ${ADMIN_KEY}` };
    const answer = await service.admin('GET', path, undefined, { headers: asClient });
    expect(answer.status).toBe(401);
    expect(answer.body.error.message).toContain('X-Admin-Authorization');
    expect((await authorize({ 'x-api-key': ADMIN_KEY })).status).toBe(401);
  });

  it('403: a scope is missing, of one or of several', async () => {
    const { secret } = await issue({ scopes: ['a', 'b'] });
    const status = async (query: string) =>
      (await authorize({ 'x-api-key': secret }, query)).status;
    expect(await status('?scope=a&scope=b')).toBe(200);
    expect(await status('?scope=a&scope=c')).toBe(403);
    expect(await status('?scope=c')).toBe(403);
  });

  it('403: from the wrong address', async () => {
    const { secret } = await issue({ ip_restriction: { allowed_cidrs: ['203.0.113.0/24'] } });
    const from = async (address: string) =>
      (await authorize({ 'x-api-key': secret, 'x-forwarded-for': address })).status;
    expect(await from('203.0.113.7')).toBe(200);
    expect(await from('::ffff:203.0.113.7')).toBe(200);
    expect(await from('198.51.100.1')).toBe(403);
    expect(await from('203.0.113.7, 198.51.100.1')).toBe(403);
    expect(await from('nonsense')).toBe(403);
  });
});

describe('behind nginx with the example of deploy/gateway', () => {
  let directory: string;
  let nginx: ChildProcess;
  let upstream: Server;
  let received: IncomingHttpHeaders[] = [];
  let url: string;

  beforeAll(async () => {
    upstream = createServer((request, response) => {
      received.push(request.headers);
      response.end('hello from upstream');
    });
    const upstreamPort = await freePort();
    await new Promise<void>((resolve) => upstream.listen(upstreamPort, '127.0.0.1', resolve));
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    directory = mkdtempSync(join(tmpdir(), 'gatehouse-nginx-'));
    const file = join(directory, 'nginx.conf');
    const keys = new URL(service.replicas[0]?.url ?? '').host;
    writeFileSync(file, configuration(port, upstreamPort, keys, directory));
    const adminKey = `proxy_set_header X-Admin-Authorization "Bearer ${ADMIN_KEY}";\n`;
    writeFileSync(join(directory, 'authorize-admin-key.conf'), adminKey);
    const program = process.env.NGINX_PATH ?? 'nginx';
    nginx = spawn(program, ['-c', file, '-p', directory, '-e', 'stderr'], { stdio: 'ignore' });
    await once(nginx, 'spawn');
    await eventually(async () => expect((await fetch(`${url}/orders/`)).status).toBe(401));
  });
  afterAll(async () => {
    if (nginx.kill()) await once(nginx, 'exit');
    await new Promise((resolve) => upstream.close(resolve));
    rmSync(directory, { recursive: true });
  });
  beforeEach(() => {
    received = [];
  });

  it('200: the upstream gets the identity and never the credential', async () => {
    const { secret, keyId } = await issue({ scopes: ['orders:read'] });
    const places: Record<string, string>[] = [
      { authorization: `Bearer ${secret}` },
      { 'x-api-key': secret },
    ];
    for (const headers of places) {
      const response = await fetch(`${url}/orders/7`, { headers });
      expect([response.status, await response.text()]).toEqual([200, 'hello from upstream']);
    }
    expect(received).toHaveLength(2);
    for (const headers of received) {
      expect(headers).toMatchObject({
        'x-key-id': keyId,
        'x-actor-id': 'user_1',
        'x-scopes': 'orders:read',
      });
      expect(JSON.stringify(headers)).not.toContain(secret);
      expect(JSON.stringify(headers)).not.toContain(ADMIN_KEY);
    }
  });

  it('200: with the longest scopes, owner and limits; X-Scopes is all of the scopes, or left out', async () => {
    const limit = { quota: '1000000000000', window: '366d' };
    const fields = {
      actor_id: '😀'.repeat(255),
      rate_limit_policy: { ...limit, unit: 'u'.repeat(64) },
      rate_limits: Array.from({ length: 8 }, (_, index) => ({
        ...limit,
        name: `${index}`.padStart(32, 'n'),
      })),
    };
    // "orders:read" and 31 of 255 have 7,947 bytes with blanks.
    const more = Array.from({ length: 31 }, (_, index) => `${index}`.padStart(255, 's'));
    for (const [scopes, omitted] of [
      [[...more, 's'.repeat(244)], undefined],
      [[...more, 's'.repeat(245)], 'true'],
      [more.map((scope) => scope.replaceAll('s', '😀')), 'true'],
      [Array.from({ length: 255 }, (_, index) => `${'😀'.repeat(252)}${index + 100}`), 'true'],
    ] as const) {
      const all = ['orders:read', ...scopes];
      const { secret } = await issue({ ...fields, scopes: all });
      const headers = { 'x-api-key': secret, 'x-scopes': 'forged', 'x-scopes-omitted': 'forged' };
      expect((await fetch(`${url}/orders/7`, { headers })).status).toBe(200);
      const passed = received.pop();
      expect(passed?.['x-scopes-omitted']).toBe(omitted);
      expect(passed?.['x-scopes']).toBe(omitted ? undefined : all.join(' '));
    }
  });

  it('200: a POST with a body reaches the upstream', async () => {
    const { secret } = await issue({ scopes: ['orders:read'] });
    const headers = { 'x-api-key': secret, 'content-type': 'text/csv' };
    const response = await fetch(`${url}/orders/7`, { method: 'POST', headers, body: 'a,b' });
    expect(response.status).toBe(200);
  });

  it.each([
    [401, 'no credential', () => Promise.resolve({})],
    [401, 'an unknown credential', () => Promise.resolve({ 'x-api-key': 'unknown' })],
    [403, 'a credential without the scope', async () => ({ 'x-api-key': (await issue()).secret })],
  ])('%d: %s, and the upstream is not asked', async (status, _, headers) => {
    const response = await fetch(`${url}/orders/7`, {
      headers: (await headers()) as unknown as Record<string, string>,
    });
    expect(response.status).toBe(status);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect(await response.json()).toMatchObject({ status, reason: expect.any(String) });
    if (status === 401) expect(response.headers.get('www-authenticate')).toBe('Bearer');
    expect(received).toHaveLength(0);
  });

  it('gives the client the reason and the state of its rate limit', async () => {
    const rate_limit_policy = { quota: 5, window: '1h' };
    const { secret, keyId } = await issue({ scopes: ['orders:read'], rate_limit_policy });
    const call = () => fetch(`${url}/orders/7`, { headers: { 'x-api-key': secret } });
    const passed = await call();
    expect(passed.headers.get('ratelimit')).toMatch(/^"key";r=4;t=\d+$/);
    expect(passed.headers.get('ratelimit-policy')).toBe('"key";q=5;w=3600');
    await service.admin('POST', `/apiKeys/${keyId}:revoke`, {}, { headers: ADMIN });
    const refused = await call();
    expect(await refused.json()).toMatchObject({ status: 401, reason: 'CREDENTIAL_REVOKED' });
  });

  it('lets a token pass that is for this upstream, and no other', async () => {
    const { secret } = await issue({ scopes: ['orders:read'] });
    const statusWith = async (audience?: string) => {
      const body = { credential: secret, audience };
      const { body: derived } = await service.admin('POST', '/apiKeys:derive', body, {
        headers: ADMIN,
      });
      const headers = { authorization: `Bearer ${derived.token.token}` };
      return (await fetch(`${url}/orders/7`, { headers })).status;
    };
    expect(await statusWith('orders-api')).toBe(200);
    expect(await statusWith()).toBe(403);
    expect(await statusWith('billing')).toBe(403);
  });

  it('429: over the rate limit, with Retry-After', async () => {
    const { secret } = await issue({
      scopes: ['orders:read'],
      rate_limit_policy: { quota: 1, window: '1h' },
    });
    const call = () => fetch(`${url}/orders/7`, { headers: { 'x-api-key': secret } });
    expect((await call()).status).toBe(200);
    const over = await call();
    expect([over.status, over.headers.get('ratelimit')?.slice(0, 9)]).toEqual([429, '"key";r=0']);
    expect(await over.json()).toMatchObject({ reason: 'CREDENTIAL_RATE_LIMITED' });
    expect(Number(over.headers.get('retry-after'))).toBeGreaterThan(3_000);
    expect(received).toHaveLength(1);
  });

  it('403: X-Forwarded-For from the client itself is not trusted', async () => {
    const { secret } = await issue({
      scopes: ['orders:read'],
      ip_restriction: { allowed_cidrs: ['203.0.113.0/24'] },
    });
    const headers = { 'x-api-key': secret, 'x-forwarded-for': '203.0.113.7' };
    expect((await fetch(`${url}/orders/7`, { headers })).status).toBe(403);
  });
});

/** A gateway with the example in its `server` block, and the variables that ours sets there. */
function configuration(port: number, upstreamPort: number, keys: string, runDir: string): string {
  return `
daemon off;
master_process off;
worker_processes 1;
pid ${runDir}/nginx.pid;
events { worker_connections 64; }
http {
  access_log off;
  client_body_temp_path ${runDir}/body;
  proxy_temp_path ${runDir}/proxy;
  ${BUFFERS?.join('\n')}
  fastcgi_temp_path ${runDir}/fastcgi;
  uwsgi_temp_path ${runDir}/uwsgi;
  scgi_temp_path ${runDir}/scgi;
  map '' $key_service { default ${keys}; }
  map '' $public_scheme { default $scheme; }
  upstream orders { server 127.0.0.1:${upstreamPort}; }
  server {
    listen 127.0.0.1:${port};
    set $public_host $host;
    set $gateway_request_id $request_id;
    ${EXAMPLE}
  }
}
`;
}
