/** Every refusal of every framework, as a real key service causes it. */
import { connect as connectTcp } from 'node:net';
import { text } from 'node:stream/consumers';
import { type Caller, type ProtectOptions } from '@gatehouse/client/fastify';
import { eventually } from '@gatehouse/testing';
import { type KeyService, startKeyService } from './key-service.js';
import { FRAMEWORKS, type ProtectedApi, type Routes } from './protected-apis.js';

type Framework = keyof typeof FRAMEWORKS;
const NAMES = Object.keys(FRAMEWORKS) as Framework[];
const SERVERS: Framework[] = ['Fastify', 'Express', 'Nest'];
const NETWORKS = { allowed_cidrs: ['203.0.113.0/24'] };

let keys: KeyService;
/** A key that expires after a second. */
let short: string;
const apis = {} as Record<Framework, ProtectedApi>;
const errors: unknown[] = [];

beforeAll(async () => {
  keys = await startKeyService();
  short = (await keys.issue({ ttl: '1s' })).secret;
  const plain: ProtectOptions = { ...keys.connection, onError: (error) => errors.push(error) };
  const offline = { ...plain, offline: true };
  const routes: Routes = {
    '/open': plain,
    '/orders': { ...plain, scopes: ['orders:read'] },
    '/billing': { ...plain, audience: 'billing' },
    '/exports': { ...plain, limits: { exports: 5 }, cost: 2, tags: ['exports'] },
    '/not-limited': { ...plain, limits: { exports: 0, default: 0 } },
    '/offline': { ...offline, scopes: ['orders:read'] },
    '/offline-open': offline,
    '/offline-billing': { ...offline, audience: 'billing' },
    '/other-issuer': { ...plain, offline: { issuer: 'https://elsewhere.example' } },
    '/wrong-key': { ...plain, key: 'not-the-key-of-an-administrator' },
    '/wrong-address': { ...plain, offline: true, url: `${keys.connection.url}/elsewhere` },
    '/impatient': { ...plain, timeoutMs: 200 },
  };
  for (const name of NAMES) apis[name] = await FRAMEWORKS[name](routes);
});
afterAll(async () => {
  await Promise.all(Object.values(apis).map((api) => api.close()));
  await keys.close();
});
beforeEach(() => errors.splice(0));

/** @returns the parts of a refusal that clients read */
async function refusalOf(response: Response) {
  const { status, headers } = response;
  const problem = (await response.json()) as { code: string };
  expect(headers.get('content-type')).toContain('application/problem+json');
  expect(headers.get('cache-control')).toBe('no-store');
  expect(JSON.stringify(problem)).not.toContain(keys.connection.key);
  expect(problem).toEqual({
    type: 'about:blank',
    title: expect.stringMatching(/./),
    status,
    detail: expect.stringMatching(/\.$/),
    code: problem.code,
  });
  return [status, problem.code.replace('VERIFICATION_ERROR_', ''), headers.get('www-authenticate')];
}

describe.each(NAMES)('%s', (name) => {
  const ask = (path: string, credential?: string, headers: Record<string, string> = {}) =>
    apis[name].ask(path, credential ? { 'x-api-key': credential, ...headers } : headers);
  const refused = async (...parameters: Parameters<typeof ask>) =>
    refusalOf(await ask(...parameters));
  const INVALID = 'Bearer realm="API", error="invalid_token"';

  it('200: the caller, for a credential in any of the three places, with one request each', async () => {
    const fields = { scopes: ['orders:read'], metadata: { team: 'a' }, ttl: '1h' };
    const { secret, keyId } = await keys.issue(fields);
    const before = keys.requests();
    for (const headers of [
      { 'x-api-key': secret } as Record<string, string>,
      { authorization: `Bearer ${secret}` },
      { authorization: `api-key ${secret}` },
    ]) {
      const response = await apis[name].ask('/orders', headers);
      expect([response.status, await response.json()]).toEqual([
        200,
        {
          keyId,
          actorId: 'alice',
          scopes: ['orders:read'],
          audiences: [],
          metadata: { team: 'a' },
          visibility: 'KEY_VISIBILITY_SECRET',
          expireTime: expect.stringMatching(/Z$/),
        } satisfies Caller,
      ]);
    }
    expect(keys.requests() - before).toBe(3);
  });

  it('401 without a credential, and no request to Gatehouse', async () => {
    const before = keys.requests();
    for (const authorization of ['', 'Basic YTpi', 'Bearer']) {
      expect(await refused('/orders', undefined, { authorization })).toEqual([
        401,
        'CREDENTIAL_MISSING',
        'Bearer realm="API", scope="orders:read"',
      ]);
    }
    expect(keys.requests()).toBe(before);
  });

  it('401 for an unknown, altered, expired or revoked credential, once by Gatehouse', async () => {
    const { secret, keyId } = await keys.issue();
    await keys.admin(`apiKeys/${keyId}:revoke`, {});
    const token = await keys.token({});
    await eventually(async () => expect((await ask('/open', short)).status).toBe(401));
    for (const [credential, code] of [
      [`unknown-key-for-${name}`, 'NOT_FOUND'],
      [secret.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a')), 'NOT_FOUND'],
      [`${token.slice(0, -8)}AAAAAAAA`, 'SIGNATURE_INVALID'],
      [secret, 'REVOKED'],
      [short, 'EXPIRED'],
    ] as const) {
      expect(await refused('/open', credential)).toEqual([401, code, INVALID]);
      const before = keys.requests();
      const [, , challenge] = await refused('/orders', credential);
      expect(challenge).toBe(`${INVALID}, scope="orders:read"`);
      expect(keys.requests()).toBe(before);
    }
  });

  it('403 for what the credential may not do here, and Gatehouse decides each time', async () => {
    const { secret, keyId } = await keys.issue();
    const bound = (await keys.issue({ ip_restriction: NETWORKS })).secret;
    const scoped = 'Bearer realm="API", error="insufficient_scope", scope="orders:read"';
    expect(await refused('/orders', secret)).toEqual([403, 'INSUFFICIENT_SCOPE', scoped]);
    await keys.admin(`apiKeys/${keyId}:pause`, {});
    expect(await refused('/open', secret)).toEqual([403, 'PAUSED', null]);
    await keys.admin(`apiKeys/${keyId}:resume`, {});
    expect((await ask('/open', secret)).status).toBe(200);
    for (const address of ['198.51.100.7', 'unknown', '127.0.0.1:80']) {
      const headers = { 'x-forwarded-for': address };
      expect(await refused('/open', bound, headers)).toEqual([403, 'IP_NOT_ALLOWED', null]);
    }
    expect((await ask('/open', bound, { 'x-forwarded-for': '203.0.113.7' })).status).toBe(200);
    // The address of the API itself does not count for that of the client.
    const local = (await keys.issue({ ip_restriction: { allowed_cidrs: ['127.0.0.0/8'] } })).secret;
    expect((await ask('/open', local, { 'x-forwarded-for': '127.0.0.1:80' })).status).toBe(403);
    expect((await ask('/open', local, { 'x-forwarded-for': '127.0.0.1' })).status).toBe(200);
  });

  it('403 for a token for another audience', async () => {
    const billing = await keys.token({}, { audience: 'billing' });
    const plain = await keys.token({});
    for (const path of ['/billing', '/offline-billing']) {
      expect((await ask(path, billing)).status).toBe(200);
      expect(await refused(path, plain)).toEqual([403, 'AUDIENCE_MISMATCH', null]);
    }
    expect(await refused('/open', billing)).toEqual([403, 'AUDIENCE_MISMATCH', null]);
    expect(await refused('/offline-open', billing)).toEqual([403, 'AUDIENCE_MISMATCH', null]);
    expect((await ask('/billing', (await keys.issue()).secret)).status).toBe(200);
  });

  it('429 over a limit, with the state of limits, and what a request costs', async () => {
    const { secret } = await keys.issue({
      rate_limit_policy: { quota: '10', window: '1h' },
      rate_limits: [{ name: 'exports', quota: '10', window: '1h' }],
    });
    const first = await ask('/exports', secret);
    expect(first.headers.get('ratelimit')).toMatch(/^"key";r=9;t=\d+, "exports";r=5;t=\d+$/);
    expect(first.headers.get('ratelimit-policy')).toContain('"exports";q=10;w=3600');
    expect((await ask('/exports', secret)).status).toBe(200);
    const over = await ask('/exports', secret);
    expect(Number(over.headers.get('retry-after'))).toBeGreaterThan(1_000);
    expect(over.headers.get('ratelimit')).toContain('"exports";r=0');
    expect(await refusalOf(over)).toEqual([429, 'RATE_LIMITED', null]);
    expect((await ask('/open', secret)).status).toBe(429);
    expect((await ask('/not-limited', secret)).status).toBe(200);
  });

  it('429 without credits', async () => {
    const { secret } = await keys.issue({ credits: { remaining: '3' } });
    expect((await ask('/exports', secret)).status).toBe(200);
    expect(await refused('/exports', secret)).toEqual([429, 'CREDITS_EXHAUSTED', null]);
    expect((await ask('/open', secret)).status).toBe(200);
  });

  it('503 if Gatehouse refuses our key or is not there; the developer learns why, the client does not', async () => {
    const { secret } = await keys.issue();
    for (const [path, status] of [
      ['/wrong-key', 401],
      ['/wrong-address', 404],
    ] as const) {
      errors.splice(0);
      const response = await ask(path, secret);
      expect(response.headers.get('retry-after')).toBe('1');
      expect(await refusalOf(response)).toEqual([503, 'INTERNAL', null]);
      expect(errors).toEqual([expect.objectContaining({ name: 'GatehouseError', status })]);
    }
    expect(JSON.stringify(errors)).not.toContain(secret);
  });

  it('verifies tokens offline, with no request to Gatehouse, and other credentials there', async () => {
    const token = await keys.token({ scopes: ['orders:read', 'a'], metadata: { team: 'a' } });
    const bound = await keys.token(
      { ip_restriction: NETWORKS, scopes: ['orders:read'] },
      {
        client_ip: '203.0.113.7',
      },
    );
    expect((await ask('/offline', token)).status).toBe(200);
    const before = keys.requests();
    expect(await (await ask('/offline', token)).json()).toEqual(
      await (await ask('/orders', token)).json(),
    );
    expect(keys.requests() - before).toBe(1);
    expect(await refused('/offline', await keys.token({}))).toEqual([
      403,
      'INSUFFICIENT_SCOPE',
      'Bearer realm="API", error="insufficient_scope", scope="orders:read"',
    ]);
    const forged = `${token.slice(0, -8)}AAAAAAAA`;
    expect(await refused('/offline-billing', forged)).toEqual([401, 'SIGNATURE_INVALID', INVALID]);
    expect(await refused('/other-issuer', token)).toEqual([401, 'SIGNATURE_INVALID', INVALID]);
    expect(await refused('/offline', bound)).toEqual([403, 'IP_NOT_ALLOWED', null]);
    const headers = { 'x-forwarded-for': '203.0.113.9' };
    expect((await ask('/offline', bound, headers)).status).toBe(200);
    expect(errors).toEqual([]);
    const { secret } = await keys.issue({ scopes: ['orders:read'] });
    expect((await ask('/offline', secret)).status).toBe(200);
    expect(await refused('/wrong-address', token)).toEqual([503, 'INTERNAL', null]);
  });
});

describe.each(SERVERS)('%s, sent bytes that no client should send', (name) => {
  it.each([
    ['two keys', 'x-api-key: a-first-key\r\nx-api-key: a-second-key'],
    ['9 kB', `x-api-key: ${'a'.repeat(9_000)}`],
    ['9 kB of a bearer token', `authorization: Bearer ${'a'.repeat(9_000)}`],
    ['bytes beyond ASCII', 'x-api-key: k\xe9y-of-\xff'],
    ['a tab', 'x-api-key: a\tb'],
    ['quotes', 'x-api-key: "},{"credential":"'],
    ['an encoded line break', 'authorization: Bearer a%0d%0aset-cookie:%20a'],
    ['a folded line', 'x-api-key: a\r\n b'],
    ['a bare line feed', 'x-api-key: a\nset-cookie: b'],
    ['a NUL', 'x-api-key: a\0b'],
  ])('%s: 401, or 400 from the parser of Node.js', async (_, header) => {
    const answer = await rawAnswer(apis[name].port ?? 0, header);
    expect(answer).toMatch(/^HTTP\/1.1 (?:401 Unauthorized|400 Bad Request)\r\n/);
    expect(answer).not.toMatch(/^set-cookie/im);
    expect(errors).toEqual([]);
  });
});

// The last test: it ends the service.
describe('without Gatehouse', () => {
  it('503 while it does not answer in time, and after it has ended; tokens are verified offline', async () => {
    const { secret } = await keys.issue();
    const token = await keys.token({ scopes: ['orders:read'] });
    for (const name of NAMES) await apis[name].ask('/offline', { 'x-api-key': token });
    keys.service.process.kill('SIGSTOP');
    for (const name of NAMES) {
      const response = await apis[name].ask('/impatient', { 'x-api-key': secret });
      expect(await refusalOf(response)).toEqual([503, 'INTERNAL', null]);
    }
    keys.service.process.kill('SIGCONT');
    await keys.service.stop();
    for (const name of NAMES) {
      const response = await apis[name].ask('/open', { 'x-api-key': secret });
      expect(response.headers.get('retry-after')).toBe('1');
      expect(await refusalOf(response)).toEqual([503, 'INTERNAL', null]);
      expect((await apis[name].ask('/offline', { 'x-api-key': token })).status).toBe(200);
    }
  });
});

/** Sends one header as it is. @returns the response as it arrives */
async function rawAnswer(port: number, header: string): Promise<string> {
  const socket = connectTcp(port, '127.0.0.1');
  socket.write(
    Buffer.from(
      `GET /open HTTP/1.1\r\nhost: a\r\n${header}\r\nconnection: close\r\n\r\n`,
      'latin1',
    ),
  );
  return text(socket);
}
