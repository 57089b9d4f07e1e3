import { get } from 'node:http';
import { networkInterfaces } from 'node:os';
import { ADMIN_KEY, bearer, type KeyServiceStack, reasonOf, startKeyService } from './key-stack.js';

const VERIFY = ['POST', '/apiKeys:verify', { credential: 'x' }] as const;
const LIST = ['GET', '/issuedApiKeys', undefined] as const;

let service: KeyServiceStack;
const statusOf = async (
  [method, path, body]: readonly [string, string, unknown],
  headers: Record<string, string> = {},
) => (await service.admin(method, path, body, { headers })).status;

describe('with ADMIN_API_KEYS', () => {
  const second = 'second-admin-key-0123456789';
  beforeAll(async () => {
    service = await startKeyService({ ADMIN_API_KEYS: `${ADMIN_KEY}, ${second}` });
  });
  afterAll(() => service.close());

  const issue = async (fields: object) =>
    (
      await service.admin(
        'POST',
        '/issuedApiKeys',
        { name: 'Admin', actor_id: 'ops', ...fields },
        { headers: bearer(ADMIN_KEY) },
      )
    ).body;

  it('200: each of the keys opens every route, in either header', async () => {
    for (const key of [ADMIN_KEY, second]) {
      expect(await statusOf(LIST, bearer(key))).toBe(200);
      expect(await statusOf(VERIFY, { authorization: `bearer ${key}` })).toBe(200);
      expect(await statusOf(LIST, { 'x-admin-authorization': `Bearer ${key}` })).toBe(200);
    }
  });

  it.each([
    ['nothing', {}],
    ['a wrong key', bearer(`${ADMIN_KEY}x`)],
    ['part of the key', bearer(ADMIN_KEY.slice(0, -1))],
    ['another scheme', { authorization: `Basic ${ADMIN_KEY}` }],
    ['no scheme', { authorization: ADMIN_KEY }],
    ['both keys', bearer(`${ADMIN_KEY},${second}`)],
    [
      'a wrong key beside a right one',
      {
        ...bearer(ADMIN_KEY),
        'x-admin-authorization': 'Bearer wrong',
      },
    ],
  ])('401 for %s, on every admin route', async (_, headers: Record<string, string>) => {
    const routes: (readonly [string, string, unknown])[] = [
      VERIFY,
      LIST,
      ['POST', '/issuedApiKeys', {}],
      ['PATCH', '/issuedApiKeys/x', {}],
      ['POST', '/issuedApiKeys/x:rotate', {}],
      ['POST', '/apiKeys/x:revoke', {}],
      ['POST', '/importedApiKeys', {}],
      ['POST', '/importedApiKeys:batchCreate', {}],
      ['DELETE', '/importedApiKeys/x', undefined],
      ['POST', '/apiKeys:batchVerify', {}],
      ['POST', '/apiKeys:derive', {}],
      ['GET', '/apiKeys:authorize', undefined],
      ['GET', '/auditEvents', undefined],
    ];
    for (const [method, path, body] of routes) {
      const answer = await service.admin(method, path, body, { headers });
      expect([path, answer.status]).toEqual([path, 401]);
      expect(answer.body.error.status).toBe('UNAUTHENTICATED');
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    }
  });

  it('401 before the body is checked, on every described admin route', async () => {
    const { body: description } = await service.call('GET', '/openapi.json');
    const paths = Object.entries(description.paths as Record<string, object>).filter(([path]) =>
      path.startsWith('/v2alpha1/admin/'),
    );
    expect(paths.length).toBeGreaterThan(25);
    const bodies: (readonly [string | undefined, string])[] = [
      ['{', 'application/json'],
      ['[]', 'application/json'],
      ['x'.repeat(5 * 1024 * 1024), 'application/json'],
      ['<x/>', 'application/xml'],
      [undefined, 'nonsense'],
    ];
    for (const [template, operations] of paths) {
      for (const method of Object.keys(operations)) {
        for (const [body, type] of bodies) {
          if (method === 'get' && body !== undefined) continue;
          const path = template.replace('{key_id}', 'no-such-key');
          const headers = { 'content-type': type };
          const answer = await service.call(method.toUpperCase(), path, body, { headers });
          expect([method, path, type, answer.status]).toEqual([method, path, type, 401]);
        }
        if (method !== 'get') continue;
        const url = template.replace('{key_id}', 'no-such-key');
        expect([url, (await service.call('HEAD', url)).status]).toEqual([url, 401]);
      }
    }
  });

  it('a live issued key with keys:admin is an admin credential, until it is revoked', async () => {
    const { secret, issued_api_key: key } = await issue({ scopes: ['keys:admin'] });
    expect(await statusOf(LIST, bearer(secret))).toBe(200);
    const made = await service.admin(
      'POST',
      '/issuedApiKeys',
      { name: 'By key', actor_id: 'ops' },
      { headers: bearer(secret) },
    );
    expect(made.status).toBe(201);
    const audit = await service.admin(
      'GET',
      `/auditEvents?filter=key_id="${made.body.issued_api_key.key_id}"`,
      undefined,
      { headers: bearer(ADMIN_KEY) },
    );
    expect(audit.body.audit_events[0].caller).toBe(key.key_id);
    const revoke = ['POST', `/apiKeys/${key.key_id}:revoke`, {}] as const;
    expect(await statusOf(revoke, bearer(ADMIN_KEY))).toBe(204);
    expect(await statusOf(LIST, bearer(secret))).toBe(401);
  });

  it.each([
    ['over its rate limit', { rate_limit_policy: { quota: 1, window: '1h' } }, 'RATE_LIMITED'],
    [
      'without credits',
      { credits: { remaining: 1, refill: { amount: 1, interval: '1h' } } },
      'CREDITS_EXHAUSTED',
    ],
  ])('429 for a live issued key %s', async (_, fields, reason) => {
    const { secret } = await issue({ scopes: ['keys:admin'], ...fields });
    const get = () =>
      service.admin('GET', '/issuedApiKeys', undefined, { headers: bearer(secret) });
    expect((await get()).status).toBe(200);
    const answer = await get();
    expect([answer.status, reasonOf(answer)]).toEqual([429, `CREDENTIAL_${reason}`]);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(3_500);
  });

  it('keys:verify opens only verify, batchVerify and authorize', async () => {
    const { secret } = await issue({ scopes: ['keys:verify'] });
    expect(await statusOf(VERIFY, bearer(secret))).toBe(200);
    const batch = ['POST', '/apiKeys:batchVerify', { requests: [{ credential: 'x' }] }] as const;
    expect(await statusOf(batch, bearer(secret))).toBe(200);
    const authorize = await service.admin('GET', '/apiKeys:authorize', undefined, {
      headers: { 'x-admin-authorization': `Bearer ${secret}`, 'x-api-key': secret },
    });
    expect(authorize.status).toBe(200);
    const answer = await service.admin('GET', '/issuedApiKeys', undefined, {
      headers: bearer(secret),
    });
    expect([answer.status, reasonOf(answer)]).toEqual([403, 'INSUFFICIENT_SCOPE']);
  });

  it('the public surface needs no credential', async () => {
    const jwks = await service.call('GET', '/v2alpha1/derivedKeys/jwks.json');
    const self = await service.call('POST', '/v2alpha1/apiKeys:selfRevoke', { credential: 'x' });
    expect([jwks.status, self.status]).toEqual([200, 404]);
  });
});

describe('in protected mode', () => {
  beforeAll(async () => {
    service = await startKeyService({ HOST: '0.0.0.0' });
  });
  afterAll(() => service.close());

  it('serves loopback clients', async () => {
    expect(await statusOf(LIST)).toBe(200);
    expect(await statusOf(VERIFY)).toBe(200);
  });

  it.each(['forwarded', 'x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-anything'])(
    '403 for a client behind a proxy on the same host: %s',
    async (header) => {
      const answer = await service.admin('GET', '/issuedApiKeys', undefined, {
        headers: { [header]: 'for=127.0.0.1' },
      });
      expect([answer.status, reasonOf(answer)]).toEqual([403, 'PROTECTED_MODE']);
      expect(answer.body.error.message).toContain('ADMIN_API_KEYS');
    },
  );

  it('403 for a client on another machine, 401 with a wrong key', async () => {
    const address = Object.values(networkInterfaces())
      .flat()
      .find((found) => found?.family === 'IPv4' && !found.internal)?.address;
    if (address === undefined) return;
    const port = new URL(service.replicas[0]?.url ?? '').port;
    const url = `http://${address}:${port}/v2alpha1/admin/issuedApiKeys`;
    expect((await fetch(url)).status).toBe(403);
    expect((await fetch(url, { headers: bearer('wrong-key-wrong-key-wrong') })).status).toBe(401);
  });

  it('403 for a web page, also one whose name resolves to this machine', async () => {
    const requests: Record<string, string>[] = [
      { origin: 'http://evil.example' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ];
    for (const headers of requests) expect(await statusOf(LIST, headers)).toBe(403);
    const port = Number(new URL(service.replicas[0]?.url ?? '').port);
    expect(await statusWithHost(port, 'rebound.example')).toBe(403);
    expect(await statusWithHost(port, `localhost:${port}`)).toBe(200);
  });

  it('403 for a loopback client that grants a control scope', async () => {
    const fields = { name: 'x', actor_id: 'x', scopes: ['keys:verify'] };
    const answer = await service.admin('POST', '/issuedApiKeys', fields);
    expect([answer.status, reasonOf(answer)]).toEqual([403, 'CONTROL_SCOPE_NOT_GRANTED']);
  });
});

/** `fetch` does not send a Host header of our own. */
function statusWithHost(port: number, host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const path = '/v2alpha1/admin/issuedApiKeys';
    get({ host: '127.0.0.1', port, path, headers: { host } }, ({ statusCode }) =>
      resolve(statusCode),
    ).once('error', reject);
  });
}

describe('with ADMIN_AUTH=none', () => {
  beforeAll(async () => {
    service = await startKeyService({ ADMIN_AUTH: 'none' });
  });
  afterAll(() => service.close());

  it('serves every client, and logs a warning at startup', async () => {
    expect(await statusOf(LIST, { 'x-forwarded-for': '203.0.113.9' })).toBe(200);
    expect(/"level":"warn".*ADMIN_AUTH/.test(service.replicas[0]?.logs() ?? '')).toBe(true);
  });
});

describe.each([
  ['public', { admin: 404, open: 200 }],
  ['admin', { admin: 200, open: 404 }],
])('with SURFACE=%s', (surface, expected) => {
  beforeAll(async () => {
    service = await startKeyService({ SURFACE: surface });
  });
  afterAll(() => service.close());

  it('serves the routes of this surface and no others', async () => {
    for (const route of [
      VERIFY,
      LIST,
      ['POST', '/apiKeys:batchVerify', { requests: [{ credential: 'x' }] }] as const,
      ['GET', '/auditEvents', undefined] as const,
    ]) {
      expect([route[1], await statusOf(route)]).toEqual([route[1], expected.admin]);
    }
    expect((await service.call('GET', '/v2alpha1/derivedKeys/jwks.json')).status).toBe(
      expected.open,
    );
    const self = await service.call('POST', '/v2alpha1/apiKeys:selfRevoke', {});
    expect(self.status).toBe(expected.open === 200 ? 400 : 404);
    for (const path of ['/health/alive', '/health/ready', '/version', '/openapi.json']) {
      expect([path, (await service.call('GET', path)).status]).toEqual([path, 200]);
    }
    expect((await service.call('GET', '/docs')).status).toBe(expected.admin);
    const { paths } = (await service.call('GET', '/openapi.json')).body;
    expect('/v2alpha1/admin/apiKeys:verify' in paths).toBe(expected.admin === 200);
    expect('/v2alpha1/derivedKeys/jwks.json' in paths).toBe(expected.open === 200);
  });
});
