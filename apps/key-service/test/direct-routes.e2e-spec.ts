/**
 * The direct routes of verification and derivation answer exactly as the Fastify routes. A
 * parameter in the Content-Type selects the Fastify route, so each case runs both ways.
 */
import { createHash, randomUUID } from 'node:crypto';
import { type Answer, eventually } from '@gatehouse/testing';
import { type KeyServiceStack, startKeyService } from './key-stack.js';

let service: KeyServiceStack;
beforeAll(async () => {
  service = await startKeyService();
});
afterAll(() => service.close());

const FULL = { 'content-type': 'application/json; charset=utf-8' };
const VERIFY = '/v2alpha1/admin/apiKeys:verify';
const DERIVE = '/v2alpha1/admin/apiKeys:derive';

/** Only a key that is known by its hash may have any characters. */
const importHashOf = (key: string) => {
  const value = createHash('sha256').update(key).digest('hex');
  const hash = { algorithm: 'HASH_ALGORITHM_SHA256', value };
  return service.admin('POST', '/importedApiKeys', { hash, name: 'x', actor_id: 'x' });
};

/** An answer without its date and request id. */
const comparable = ({ status, headers, body }: Answer) => {
  const kept = [...headers].filter(([name]) => !['date', 'x-request-id'].includes(name));
  const { code, details, ...rest } = body.error ? { ...body.error } : body;
  return { status, headers: Object.fromEntries(kept), code, isDetailed: !!details, rest };
};
const ask = async (body: unknown, headers: Record<string, string>, path: string) =>
  comparable(await service.call('POST', path, body, { headers }));
const bothWays = async (
  body: unknown,
  headers: Record<string, string> = {},
  path: string = VERIFY,
) => {
  const short = await ask(body, headers, path);
  expect(await ask(body, { ...headers, ...FULL }, path)).toEqual(short);
  return short;
};

describe('a valid cached credential', () => {
  it('gets the same answer, with any text in the record', async () => {
    const { secret } = await service.issue({
      name: 'Ünïcode',
      scopes: ['orders:read', 'ä"\\'],
      metadata: { text: 'Ünïcode 😀', list: [1, null, { a: true }], huge: 'x'.repeat(5000) },
      ttl: '1h',
    });
    await service.verify(secret);
    const { status, headers, rest } = await bothWays({ credential: secret });
    expect(status).toBe(200);
    expect(headers).toMatchObject({ 'x-cache': 'HIT', 'ory-talos-cache': 'HIT' });
    expect(rest).toMatchObject({ is_valid: true, metadata: { text: 'Ünïcode 😀' } });
  });

  it('gets the same answer when it is imported or derived', async () => {
    const imported = 'direct-ünïcode-😀-key';
    await importHashOf(imported);
    const { secret } = await service.issue({ scopes: ['a', 'b'] });
    const credentials = [imported];
    for (const algorithm of ['TOKEN_ALGORITHM_JWT', 'TOKEN_ALGORITHM_MACAROON']) {
      const { body } = await service.admin('POST', '/apiKeys:derive', {
        credential: secret,
        algorithm,
        scopes: ['b'],
      });
      credentials.push(body.token.token);
    }
    for (const credential of credentials) {
      await service.verify(credential);
      const { headers, rest } = await bothWays({ credential });
      expect(headers).toMatchObject({ 'x-cache': 'HIT' });
      expect(rest).toMatchObject({ is_valid: true });
    }
  });

  it('keeps the caller’s request id', async () => {
    const { secret } = await service.issue();
    await service.verify(secret);
    for (const headers of [{}, FULL]) {
      const answer = await service.verify(
        secret,
        {},
        { headers: { ...headers, 'x-request-id': 'a' } },
      );
      expect(answer.headers.get('x-request-id')).toBe('a');
    }
  });
});

describe('every other request', () => {
  it.each([
    ['another field', { required_scopes: ['a'] }, {}],
    ['an unknown field', { constructor: 1 }, {}],
    ['Cache-Control', {}, { 'cache-control': 'no-cache' }],
    ['Pragma', {}, { pragma: 'no-cache' }],
    ['an unknown admin credential', {}, { authorization: 'Bearer unknown-admin-credential-0000' }],
    ['a forwarded request', {}, { 'x-forwarded-for': '192.0.2.1' }],
  ])('gets the same answer: %s', async (_what, more, headers) => {
    const { secret } = await service.issue({ scopes: ['b'] });
    await service.verify(secret);
    await bothWays({ credential: secret, ...more }, headers);
  });

  it.each([
    ['{"credential":', 400],
    ['[]', 400],
    ['null', 400],
    ['{"credential":""}', 400],
    ['{"credential":7}', 400],
    ['{"credential":"x","__proto__":{}}', 400],
    ['{"credential":"unknown"}', 200],
    ['', 400],
  ])('gets the same answer: the body %s', async (body, status) => {
    expect((await bothWays(body)).status).toBe(status);
  });

  it('gets the same answer: bytes that are no UTF-8', async () => {
    const imported = `broken-\ufffd-${randomUUID()}`;
    await importHashOf(imported);
    await service.verify(imported);
    const body = Buffer.from(JSON.stringify({ credential: imported }));
    const at = body.indexOf(0xef);
    const broken = Buffer.concat([body.subarray(0, at), Buffer.of(0xff), body.subarray(at + 3)]);
    for (const path of [VERIFY, DERIVE]) {
      const url = `${service.replicas[0]?.url}${path}`;
      for (const headers of [{ 'content-type': 'application/json' }, FULL]) {
        const { status } = await fetch(url, { method: 'POST', headers, body: broken });
        expect([path, headers, status]).toEqual([path, headers, 400]);
      }
    }
  });

  it('gets the same answer: a key that is revoked, expired, bound to an address or limited', async () => {
    const revoked = await service.issue();
    const expired = await service.issue({ ttl: '1s' });
    const bound = await service.issue({ ip_restriction: { allowed_cidrs: ['192.0.2.0/24'] } });
    for (const { secret } of [revoked, expired, bound]) await service.verify(secret);
    await service.admin('POST', `/apiKeys/${revoked.key.key_id}:revoke`, {});
    await eventually(async () => {
      for (const { secret } of [revoked, expired]) {
        expect((await service.verify(secret)).body.is_valid).toBe(false);
      }
    });
    for (const { secret } of [revoked, expired, bound]) {
      // The change may still take the key out of the cache between two requests.
      await eventually(async () => {
        const { rest } = await bothWays({ credential: secret });
        expect(rest).toMatchObject({ is_valid: false });
      });
    }
    const limited = await service.issue({ rate_limit_policy: { quota: 3, window: '1h' } });
    const remaining: string[] = [];
    for (const headers of [{}, FULL, {}, FULL]) {
      const { body } = await service.verify(limited.secret, {}, { headers });
      remaining.push(body.rate_limit_remaining);
    }
    expect(remaining).toEqual(['2', '1', '0', '0']);
  });
});

describe('a token', () => {
  it.each([
    { audience: 'ä' },
    { algorithm: 'TOKEN_ALGORITHM_MACAROON', audience: 'ä' },
    { scopes: ['b'], ttl: '5m', custom_claims: { aud: 'ä', deep: [{ a: 1 }], jti: 'mine' } },
  ])('is derived the same way: %j', async (more) => {
    const { secret, key } = await service.issue({ scopes: ['a', 'b'], metadata: { text: 'Ü😀' } });
    await service.verify(secret);
    const tokens: unknown[] = [];
    for (const [id, headers] of [
      ['derived-short', {}],
      ['derived-full', FULL],
    ] as const) {
      const { body } = await service.call(
        'POST',
        DERIVE,
        { credential: secret, ...more },
        { headers: { ...headers, 'x-request-id': id } },
      );
      const { token, expire_time, claims, ...rest } = body.token;
      const { jti, iat, nbf, exp, ...said } = claims;
      expect(Date.parse(expire_time as string)).toBe(exp * 1000);
      tokens.push({ ...rest, said, lifeSeconds: exp - iat, nbf: nbf - iat });
      expect((await service.verify(token as string, { audience: 'ä' })).body.is_valid).toBe(true);
      const { body: audit } = await service.admin(
        'GET',
        `/auditEvents?filter=key_id="${key.key_id}"`,
      );
      const [event] = audit.audit_events;
      expect(event).toMatchObject({ request_id: id, details: { token_id: jti } });
      const noted = { ...event, event_id: '', create_time: '', request_id: '', details: {} };
      tokens.push({ noted, algorithm: event.details.algorithm });
    }
    expect(tokens.slice(0, 2)).toEqual(tokens.slice(2));
  });

  it.each([
    ['another field, at fault', { ttl: 'soon' }, 400],
    ['a scope that the key lacks', { scopes: ['c'] }, 403],
    ['a life longer than the key', { ttl: '10y' }, 400],
    ['reserved names', { custom_claims: { deep: { constructor: { prototype: {} } } } }, 400],
    ['scopes that fit no macaroon', { algorithm: 2, scopes: ['a'.repeat(200)] }, 403],
  ])('is refused the same way: %s', async (_what, more, status) => {
    const { secret } = await service.issue({ scopes: ['a'], ttl: '1h' });
    await service.verify(secret);
    expect((await bothWays({ credential: secret, ...more }, {}, DERIVE)).status).toBe(status);
  });

  it('is refused the same way: to a token, an unknown key, a revoked one, one bound to an address', async () => {
    const bound = await service.issue({ ip_restriction: { allowed_cidrs: ['192.0.2.0/24'] } });
    const revoked = await service.issue();
    const { body } = await service.call('POST', DERIVE, { credential: revoked.secret });
    const { token } = body.token;
    for (const credential of [bound.secret, token as string]) await service.verify(credential);
    const asked = (credential: string) => bothWays({ credential }, {}, DERIVE);
    expect((await asked(token as string)).status).toBe(400);
    await service.admin('POST', `/apiKeys/${revoked.key.key_id}:revoke`, {});
    await eventually(async () => {
      expect((await service.verify(revoked.secret)).body.is_valid).toBe(false);
    });
    expect((await asked(revoked.secret)).status).toBe(403);
    expect((await asked(bound.secret)).status).toBe(401);
    expect((await asked('unknown')).status).toBe(401);
  });
});

it('has the metrics and the log line of the route', async () => {
  const { secret } = await service.issue();
  await service.verify(secret);
  const samples = async () => {
    const text = (await service.replicas[0]?.metrics()) ?? '';
    const pattern =
      /http_request_duration_seconds_count\{[^}]*route="([^"]*verify)",status="200"\} (\d+)/g;
    return [...text.matchAll(pattern)].map(([, route, value]) => [route, Number(value)]);
  };
  const [[route, before] = []] = await samples();
  for (const [id, headers] of [
    ['logged-short', {}],
    ['logged-full', FULL],
  ] as const) {
    await service.verify(secret, {}, { headers: { ...headers, 'x-request-id': id } });
  }
  expect(await samples()).toEqual([[route, Number(before) + 2]]);
  const lineOf = (id: string) => {
    const logs = service.replicas[0]?.logs() ?? '';
    const line = logs.split('\n').find((text) => text.includes(`"requestId":"${id}"`)) ?? '{}';
    return { ...(JSON.parse(line) as object), time: '', durationMs: 0, requestId: '' };
  };
  await eventually(() => {
    expect(lineOf('logged-short')).toEqual(lineOf('logged-full'));
    expect(lineOf('logged-full')).toMatchObject({
      msg: 'request',
      status: 200,
      route,
      caller: 'loopback',
      ip: '127.0.0.1',
    });
  });
});
