import { once } from 'node:events';
import { type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, createServer, type Socket } from 'node:net';
import { eventually, freePort, listenOnLoopback } from '@gatehouse/testing';
import { pino } from 'pino';
import { exchange, type Send, sender } from '../../../../deploy/test/stand-in.js';
import { type FrontDoor, type FrontDoorOptions, openFrontDoor, type Serve } from './front-door.js';
import {
  ADMIN_ROUTES,
  PUBLIC_ROUTES,
  REFERENCE_FILES,
  SERVICE_NAMES,
  SERVICE_PATHS,
} from './routes.js';

const BROWSER = 'text/html,application/xhtml+xml,*/*;q=0.8';

let frontDoor: FrontDoor;
let send: Send;
let sendAsAdmin: Send;
/** Requests for `held` that wait for their answer. */
let held: ServerResponse[];
let readiness: Awaited<ReturnType<FrontDoorOptions['ready']>> | Error;
let looks: number;
const lines: Record<string, unknown>[] = [];

const portOf = (url: string) => Number(new URL(url).port);

/** Answers with the request that reached it. */
const standIn =
  (service: string): Serve =>
  (request: IncomingMessage, response: ServerResponse) => {
    const { url = '', method, headers } = request;
    if (url.endsWith('/held')) {
      held.push(response);
      return;
    }
    request
      .resume()
      .once('end', () => response.end(JSON.stringify({ service, url, method, headers })));
  };

const open = (options: Partial<FrontDoorOptions> = {}) =>
  openFrontDoor({
    host: '127.0.0.1',
    port: 0,
    adminPort: 0,
    services: {
      'key-service': standIn('key-service'),
      'dsync-api': standIn('dsync-api'),
      'identity-forms': standIn('identity-forms'),
      console: standIn('console'),
    },
    ready: () => {
      looks += 1;
      return readiness instanceof Error ? Promise.reject(readiness) : Promise.resolve(readiness);
    },
    clients: { clientIpSource: 'socket', trustedProxies: [] },
    logger: pino({ level: 'debug' }, { write: (line: string) => lines.push(JSON.parse(line)) }),
    // No look is forgotten by itself.
    readyMaxAgeMs: 3_600_000,
    ...options,
  });

async function reopen(options: Partial<FrontDoorOptions>): Promise<void> {
  await frontDoor.close(0, 0);
  frontDoor = await open(options);
  send = sender(portOf(frontDoor.publicUrl));
  sendAsAdmin = sender(portOf(frontDoor.adminUrl));
}

beforeEach(async () => {
  held = [];
  looks = 0;
  readiness = { status: 200, body: { status: 'ok' } };
  lines.length = 0;
  frontDoor = await open();
  send = sender(portOf(frontDoor.publicUrl));
  sendAsAdmin = sender(portOf(frontDoor.adminUrl));
});
afterEach(() => frontDoor.close(0, 0));

/** The statuses of all answers on a connection. */
const statusesIn = (received: string) =>
  [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
const example = (pattern: string) => pattern.replace('*', '/a');

describe('routes', () => {
  it('both surfaces serve the public routes', async () => {
    for (const [pattern, service] of Object.entries(PUBLIC_ROUTES)) {
      const path = `${example(pattern)}?b=../%2f%5c`;
      for (const ask of [send, sendAsAdmin]) {
        const { status, body } = await ask(path, { method: 'POST', body: 'x' });
        expect([status, body.service, body.url]).toEqual([200, service, path]);
      }
    }
  });

  it('the admin surface alone serves the others, and the public surface says so', async () => {
    for (const [pattern, service] of Object.entries(ADMIN_ROUTES)) {
      const path = example(pattern);
      const { body } = await sendAsAdmin(path, { method: 'PATCH' });
      expect([body.service, body.url, body.method]).toEqual([service, path, 'PATCH']);
      const refused = await send(path);
      expect(refused.status).toBe(404);
      expect(JSON.stringify(refused.body)).toContain('admin surface: ADMIN_PORT, 8089');
    }
    expect(JSON.stringify((await send('/v2alpha1/other')).body)).not.toContain('ADMIN_PORT');
  });

  it.each(SERVICE_NAMES)('the admin surface serves what every service has for %s', async (name) => {
    for (const path of [...SERVICE_PATHS.map(example), '/openapi.json?a']) {
      const { body } = await sendAsAdmin(`/${name}${path}`);
      expect([body.service, body.url]).toEqual([name, path]);
      expect(body.headers['x-forwarded-prefix']).toBe(`/${name}`);
      expect((await send(`/${name}${path}`)).status).toBe(404);
    }
  });

  it.each(REFERENCE_FILES)('%s of the admin surface is a file of the reference', async (path) => {
    const { body } = await sendAsAdmin(`${path}?a`);
    expect([body.service, body.url]).toEqual(['key-service', `/docs${path}?a`]);
    expect((await send(path)).status).toBe(404);
  });

  it.each([
    '/metrics',
    '/key-service/metrics',
    '/key-service/healthy',
    '/key-service/docs',
    '/dsync-worker/version',
    '/docs.md',
    '/version',
    '/v1',
    '/v2alpha1/admin',
    '/api/scim',
    '/assets',
    '/sign-up/',
    '/sign-up;a',
    '/FLOWS/a',
    '//flows/a',
    '/%66lows/a',
  ])('%s is 404 on both surfaces', async (path) => {
    expect((await send(path)).status).toBe(404);
    expect((await sendAsAdmin(path)).status).toBe(404);
  });

  it('the root of the admin surface lists addresses that exist', async () => {
    const { docs, openapi, services } = (await sendAsAdmin('/')).body;
    for (const path of [docs, openapi]) {
      expect((await sendAsAdmin(path)).body.service).toBe('key-service');
    }
    expect(Object.keys(services)).toEqual([...SERVICE_NAMES]);
    for (const [service, addresses] of Object.entries<Record<string, string>>(services)) {
      for (const path of Object.values(addresses)) {
        expect((await sendAsAdmin(path)).body.service).toBe(service);
      }
    }
    expect((await send('/')).status).toBe(404);
  });

  it.each([
    '/flows/../v1/schemas',
    '/flows/a/..',
    '/flows/./a',
    '/flows/%2e%2e/v1',
    '/flows/a%2Fb',
    '/flows/a%5cb',
    '/flows/a\\b',
    '/flows/%252e',
    '/flows/%0d%0a',
    '/flows/%7F',
    '/flows/a#b',
    '/flows/%',
    '/%zz',
    '*',
    'http://x',
    'http://x/flows/..',
  ])('%s is not in normal form: 400', async (path) => {
    for (const url of [frontDoor.publicUrl, frontDoor.adminUrl]) {
      const request = `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
      expect(await exchange(portOf(url), request)).toMatch(/^HTTP\/1\.1 400 [^]*"status":400/);
    }
  });

  it('a request as to a proxy reaches the path in its address', async () => {
    const request = 'GET http://y/flows/a?b HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
    const received = await exchange(portOf(frontDoor.publicUrl), request);
    expect(received).toContain('"url":"/flows/a?b"');
    const admin = request.replace('/flows/a', '/v1/schemas');
    expect(await exchange(portOf(frontDoor.publicUrl), admin)).toMatch(/^HTTP\/1\.1 404 /);
  });
});

describe('headers', () => {
  it('the prefix is never that of the client, and always a sign of a proxy', async () => {
    const headers = { 'x-forwarded-prefix': '/evil', 'x-forwarded-for': '192.0.2.1' };
    for (const sent of [headers, {}]) {
      const plain = await sendAsAdmin('/v1/schemas', { headers: sent });
      expect(plain.body.headers).toMatchObject({ ...sent, 'x-forwarded-prefix': '' });
      const prefixed = await sendAsAdmin('/dsync-api/openapi.json', { headers: sent });
      expect(prefixed.body.headers['x-forwarded-prefix']).toBe('/dsync-api');
    }
  });

  it('own answers have the id of the request, or a new one, and security headers', async () => {
    const given = await send('/nowhere', { headers: { 'x-request-id': 'abc-123' } });
    expect(given.headers).toMatchObject({
      'x-request-id': 'abc-123',
      'x-content-type-options': 'nosniff',
    });
    expect(given.body.request_id).toBe('abc-123');
    const replaced = await send('/nowhere', { headers: { 'x-request-id': 'a b' } });
    expect(replaced.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}-\d+$/);
  });
});

describe('errors', () => {
  it.each([
    ['/v2alpha1/a', 'application/json', { error: { code: 404, status: 'NOT_FOUND' } }],
    ['/api/v1/dsync/a', 'application/json', { data: null, error: { code: 404 } }],
    ['/api/scim/%2f', 'application/scim+json', { status: '400' }],
    ['/a', 'application/problem+json', { status: 404, title: 'Not Found' }],
    ['/portal', 'application/problem+json', { status: 404, title: 'Not Found' }],
  ])('of %s have the format of its API', async (path, type, expected) => {
    const { headers, body } = await send(path);
    expect(headers['content-type']).toBe(`${type}; charset=utf-8`);
    expect(body).toMatchObject(expected);
  });

  it.each([
    ['/portal', 404, 'Page not found'],
    ['/flows/%2e', 400, 'Something went wrong'],
    ['/api/scim/oauth/callback/..?code=a', 400, 'Something went wrong'],
  ])('of %s are a page for browsers', async (path, status, title) => {
    const headers = { accept: BROWSER, 'x-request-id': '<b>' };
    const answer = await send(path, { headers });
    expect([answer.status, answer.headers['content-type']]).toEqual([
      status,
      'text/html; charset=utf-8',
    ]);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.headers['content-security-policy']).toContain("style-src 'self'");
    expect(answer.body).toContain(`<h1>${title}</h1>`);
    expect(answer.body).toContain('<code>&lt;b&gt;</code>');
  });

  it.each([
    ['DELETE', '/health/alive'],
    ['POST', '/health/ready'],
    ['TRACE', '/'],
  ])('%s %s is 405 with the allowed methods', async (method, path) => {
    const { status, headers } = await sendAsAdmin(path, { method });
    expect([status, headers.allow]).toEqual([405, 'GET, HEAD']);
  });

  it.each([
    ['no HTTP', 'NONSENSE', 400],
    ['no Host', 'GET /flows/a HTTP/1.1', 400],
    ['an unknown expectation', 'GET /flows/a HTTP/1.1\r\nHost: x\r\nExpect: tea', 417],
    ['a large head', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}`, 431],
  ])('%s: a problem', async (_, head, status) => {
    const request = `${head}\r\nConnection: close\r\n\r\n`;
    const answer = await exchange(portOf(frontDoor.publicUrl), request);
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} [^]*\\r\\nx-request-id: `));
    expect(answer).toContain('application/problem+json');
  });

  it('TRACE and requests for an upgrade are requests as any other', async () => {
    expect((await send('/flows/a', { method: 'TRACE' })).body.method).toBe('TRACE');
    const upgrade =
      'GET /flows/a HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\n\r\n';
    expect(await exchange(portOf(frontDoor.publicUrl), upgrade)).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('CONNECT ends the connection', async () => {
    const request = 'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n';
    expect(await exchange(portOf(frontDoor.publicUrl), request)).toBe('');
  });

  it('an upload that is refused can be sent to its end, and the connection goes on', async () => {
    const body = 'x'.repeat(1_000_000);
    const upload = `POST /nowhere HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    const next = 'GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
    const answers = await exchange(portOf(frontDoor.publicUrl), upload + next);
    expect(statusesIn(answers)).toEqual([404, 200]);
  });
});

describe('health', () => {
  it.each(['/health', '/health/alive'])('%s is ok on both surfaces', async (path) => {
    for (const ask of [send, sendAsAdmin]) {
      expect((await ask(`${path}?a`)).body).toEqual({ status: 'ok' });
      const { status, body } = await ask(path, { method: 'HEAD' });
      expect([status, body]).toEqual([200, '']);
    }
  });

  it('/health/ready says what the process says', async () => {
    const { status, headers, body } = await send('/health/ready');
    expect([status, headers['cache-control'], body]).toEqual([200, 'no-store', { status: 'ok' }]);
    expect((await sendAsAdmin('/health/ready')).body).toEqual({ status: 'ok' });
    expect(looks).toBe(1);
  });

  it('a look at readiness is shared for its time, and then made anew', async () => {
    await send('/health/ready');
    const body = { status: 'unavailable', errors: { 'part-a': 'down' } } as const;
    readiness = { status: 503, body };
    expect((await sendAsAdmin('/health/ready')).status).toBe(200);
    await reopen({ readyMaxAgeMs: 1 });
    readiness = { status: 200, body: { status: 'ok' } };
    expect((await sendAsAdmin('/health/ready')).status).toBe(200);
    readiness = { status: 503, body };
    const unready = await eventually(async () => {
      const answer = await sendAsAdmin('/health/ready');
      expect(answer).toMatchObject({ status: 503, body });
      return answer;
    });
    expect(unready.headers).toMatchObject({ 'retry-after': '1', 'cache-control': 'no-store' });
  });

  it('the public surface names no parts of the installation', async () => {
    readiness = { status: 503, body: { status: 'unavailable', errors: { 'part-a': 'down' } } };
    const { status, body } = await send('/health/ready');
    expect([status, body]).toEqual([503, { status: 'unavailable' }]);
    expect((await sendAsAdmin('/health/ready')).body).toEqual(readiness.body);
  });

  it('/health/ready is 503 if the process cannot say', async () => {
    readiness = new Error('secret-text');
    const { status, headers, body } = await send('/health/ready');
    expect([status, headers['retry-after']]).toEqual([503, '1']);
    expect(JSON.stringify(body)).not.toContain('secret-text');
  });

  it('requests for readiness at the same time share a look', async () => {
    const request = 'GET /health/ready HTTP/1.1\r\nHost: x\r\n';
    const many = `${request}\r\n`.repeat(20) + `${request}Connection: close\r\n\r\n`;
    const answers = await exchange(portOf(frontDoor.publicUrl), many);
    expect(answers.match(/"ok"/g)).toHaveLength(21);
    expect(looks).toBe(1);
  });
});

describe('connections', () => {
  const openSockets = new Set<Socket>();
  /** A connection of the public surface on which a request was answered. */
  const idleConnection = async () => {
    const socket = await write('GET /health HTTP/1.1\r\nHost: x\r\n\r\n');
    openSockets.add(socket);
    socket.once('close', () => openSockets.delete(socket));
    await once(socket, 'data');
    return socket;
  };
  it('beyond the most connections, idle ones are closed, and no others', async () => {
    await reopen({ connectionsMax: 3 });
    const busy = await write('GET /flows/held HTTP/1.1\r\nHost: x\r\n\r\n');
    await eventually(() => expect(held).toHaveLength(1));
    await idleConnection();
    await idleConnection();
    expect(openSockets.size).toBe(2);
    const latest = await idleConnection();
    await eventually(() => expect([...openSockets]).toEqual([latest]));
    held[0]?.end('late');
    const [answer] = await once(busy, 'data');
    expect(String(answer)).toContain('late');
    await idleConnection();
    expect(openSockets.size).toBe(2);
    for (const socket of [busy, ...openSockets]) socket.destroy();
  });

  it('a head that does not arrive in time is refused, and idle connections stay', async () => {
    await reopen({ headTimeoutMs: 100 });
    const idle = await idleConnection();
    for (const head of ['', 'GET /health HTTP/1.1\r\nHost: x\r\n']) {
      expect(await exchange(portOf(frontDoor.publicUrl), head)).toMatch(/^HTTP\/1\.1 408 /);
      expect(await exchange(portOf(frontDoor.adminUrl), head)).toMatch(/^HTTP\/1\.1 408 /);
    }
    idle.write('GET /health HTTP/1.1\r\nHost: x\r\n\r\n');
    const [answer] = await once(idle, 'data');
    expect(String(answer)).toMatch(/^HTTP\/1\.1 200 /);
    idle.destroy();
  });
});

describe('limits', () => {
  const statusesOf = async (url: string, path: string, header = '') => {
    const request = `GET ${path} HTTP/1.1\r\nHost: x\r\n${header}`;
    const many = `${request}\r\n`.repeat(199) + `${request}Connection: close\r\n\r\n`;
    return statusesIn(await exchange(portOf(url), many));
  };

  it('a client without a credential is refused beyond its burst, in the format of the API', async () => {
    const statuses = await statusesOf(frontDoor.publicUrl, '/v2alpha1/derivedKeys/jwks.json');
    expect(statuses.slice(0, 101)).toEqual(Array(101).fill(200));
    expect(statuses).toContain(429);
    // The rate may have let some through since.
    const refused = await eventually(async () => {
      const answer = (await Promise.all(Array.from({ length: 50 }, () => send('/flows/a')))).find(
        ({ status }) => status === 429,
      );
      expect(answer).toBeDefined();
      return answer;
    });
    expect(refused?.headers['retry-after']).toBe('1');
    expect(refused?.body).toMatchObject({ status: 429, code: 'RATE_LIMITED' });
  });

  it.each([
    ['SCIM with a credential', 'is not', '/api/scim/v2.0/a', 'Authorization: Bearer a\r\n'],
    ['SCIM without one', 'is', '/api/scim/v2.0/a', ''],
    ['a page, also with a credential,', 'is', '/setup/a', 'Authorization: Bearer a\r\n'],
    ['the callback', 'is', '/api/scim/oauth/callback', 'Authorization: Bearer a\r\n'],
    ['health', 'is not', '/health', ''],
  ])('%s %s limited as anonymous', async (_, isLimited, path, header) => {
    const statuses = await statusesOf(frontDoor.publicUrl, path, header);
    expect(statuses.includes(429)).toBe(isLimited === 'is');
  });

  it('the admin surface has no limits', async () => {
    expect(await statusesOf(frontDoor.adminUrl, '/sign-up')).not.toContain(429);
  });

  it('a client has 256 requests at the same time, until they are answered or lost', async () => {
    const headers = { authorization: 'Bearer a' };
    const more = () => send('/api/scim/v2.0/a', { headers });
    const request = 'GET /api/scim/held HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer a\r\n\r\n';
    const first = await write(request.repeat(256));
    await eventually(() => expect(held).toHaveLength(256));
    expect((await more()).status).toBe(429);
    expect((await send('/health')).status).toBe(200);
    expect((await sendAsAdmin('/api/scim/v2.0/a')).status).toBe(200);
    held[0]?.end();
    await eventually(async () => expect((await more()).status).toBe(200));
    first.destroy();
    // All others of the connection are over too.
    const second = await write('');
    await eventually(async () => {
      held = [];
      second.write(request);
      await eventually(() => expect(held).toHaveLength(1));
    });
    second.write(request.repeat(255));
    await eventually(() => expect(held).toHaveLength(256));
    second.destroy();
  });
});

it('own answers are logged with their route, never with the path', async () => {
  for (const path of ['/flows/secret-address/..', '//setup/secret-address', '/x?secret-address']) {
    expect((await send(path)).status).toBeGreaterThanOrEqual(400);
  }
  await sendAsAdmin('/?secret-address');
  const requests = lines.filter(({ msg }) => msg === 'request');
  expect(requests).toHaveLength(4);
  expect(requests[0]).toMatchObject({
    level: 30,
    requestId: expect.any(String),
    method: 'GET',
    route: 'unmatched',
    status: 400,
    durationMs: expect.any(Number),
    ip: '127.0.0.1',
  });
  expect(requests[3]).toMatchObject({ route: '/', status: 200 });
  expect(JSON.stringify(lines)).not.toContain('secret-address');
});

it('requests for health are not logged', async () => {
  for (const path of ['/health', '/health/alive', '/health/ready']) {
    await send(path);
    await sendAsAdmin(path, { method: 'DELETE' });
  }
  expect(lines.filter(({ msg }) => msg === 'request')).toEqual([]);
});

describe('close', () => {
  const request = 'GET /flows/held HTTP/1.1\r\nHost: x\r\n\r\n';
  const untilRefused = (url: string) =>
    eventually(() => expect(exchange(portOf(url), '')).rejects.toThrow('ECONNREFUSED'));

  it('answers the requests in flight, and ends their connections', async () => {
    const answer = exchange(portOf(frontDoor.publicUrl), request);
    await eventually(() => expect(held).toHaveLength(1));
    const closed = frontDoor.close(60_000, 0);
    await untilRefused(frontDoor.publicUrl);
    await untilRefused(frontDoor.adminUrl);
    held[0]?.end('late');
    expect(await answer).toMatch(/^HTTP\/1\.1 200 [^]*connection: close[^]*late/i);
    expect(await closed).toBe(true);
  });

  it('cuts off requests that take too long', async () => {
    const answer = exchange(portOf(frontDoor.publicUrl), request);
    await eventually(() => expect(held).toHaveLength(1));
    expect(await frontDoor.close(20, 0)).toBe(false);
    expect(await answer).toBe('');
  });
});

it('nothing listens if a port is taken', async () => {
  const blocker = createServer();
  const adminPort = await listenOnLoopback(blocker);
  const port = await freePort();
  await expect(open({ port, adminPort })).rejects.toThrow('EADDRINUSE');
  await expect(exchange(port, '')).rejects.toThrow('ECONNREFUSED');
  await new Promise((resolve) => blocker.close(resolve));
});

/** A connection on which this has been sent. */
async function write(text: string): Promise<Socket> {
  const socket = connect(portOf(frontDoor.publicUrl), '127.0.0.1');
  socket.on('error', () => undefined);
  await new Promise<void>((resolve) => socket.write(text, () => resolve()));
  return socket;
}
