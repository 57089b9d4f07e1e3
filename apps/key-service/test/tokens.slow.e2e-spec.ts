import { randomBytes } from 'node:crypto';
import { eventually } from '@gatehouse/testing';
import {
  createLocalJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  type JSONWebKeySet,
  jwtVerify,
} from 'jose';
import { type KeyServiceStack, namedFields, reasonOf, startKeyService } from './key-stack.js';

let service: KeyServiceStack;

beforeAll(async () => {
  service = await startKeyService({ ISSUER: 'https://keys.example.com' });
});
afterAll(() => service.close());

const keySet = async () => {
  const { body } = await service.call('GET', '/v2alpha1/derivedKeys/jwks.json');
  return body as JSONWebKeySet & { jwks: JSONWebKeySet };
};
const verifyOffline = async (token: string) => jwtVerify(token, createLocalJWKSet(await keySet()));

describe('POST /v2alpha1/admin/apiKeys:derive with TOKEN_ALGORITHM_JWT', () => {
  it('200: a JWT that jose verifies against the key set', async () => {
    const { secret, key } = await service.issue({
      scopes: ['a', 'b'],
      metadata: { plan: 'gold' },
      ip_restriction: { allowed_cidrs: ['127.0.0.1/32'] },
    });
    const { status, body } = await service.derive(secret, {
      algorithm: 'TOKEN_ALGORITHM_JWT',
      ttl: '5m',
      scopes: ['b'],
      custom_claims: { tenant: 't1', aud: ['x', 'y'], sub: 'mallory', exp: 1, scp: ['root'] },
    });
    expect(status).toBe(200);
    const { token, expire_time, scopes, claims } = body.token;
    const { payload, protectedHeader } = await verifyOffline(token as string);
    expect(protectedHeader).toEqual({ alg: 'EdDSA', kid: expect.any(String), typ: 'JWT' });
    expect(payload).toEqual({
      jti: expect.any(String),
      sub: key.key_id,
      iss: 'https://keys.example.com',
      act: { sub: 'user_1' },
      scp: ['b'],
      iat: expect.any(Number),
      nbf: payload.iat,
      exp: (payload.iat ?? 0) + 300,
      meta: { plan: 'gold' },
      vis: 'KEY_VISIBILITY_SECRET',
      acl: ['127.0.0.1/32'],
      tenant: 't1',
      aud: ['x', 'y'],
    });
    expect(claims).toEqual(payload);
    expect(scopes).toEqual(['b']);
    expect(Date.parse(expire_time as string)).toBe((payload.exp ?? 0) * 1000);
  });

  it('200: defaults are an hour, all scopes, and JWT for no algorithm', async () => {
    const { secret } = await service.issue({ scopes: ['a', 'b'] });
    for (const algorithm of [undefined, 0, 'TOKEN_ALGORITHM_UNSPECIFIED', 1]) {
      const { scp, iat, exp } = decodeJwt(await service.tokenOf(secret, { algorithm }));
      expect([scp, (exp ?? 0) - (iat ?? 0)]).toEqual([['a', 'b'], 3600]);
    }
  });

  it('200: the default ttl is cut to the remaining life of the parent', async () => {
    const { secret, key } = await service.issue({ ttl: '10m' });
    const { exp } = decodeJwt(await service.tokenOf(secret));
    expect(exp).toBe(Math.floor(Date.parse(key.expire_time) / 1000));
  });

  it('200: tokens of an imported key', async () => {
    const raw_key = `import_${randomBytes(8).toString('hex')}`;
    const fields = { raw_key, name: 'Imported', actor_id: 'user_9', scopes: ['a'] };
    const { body: key } = await service.admin('POST', '/importedApiKeys', fields);
    const token = await service.tokenOf(raw_key);
    expect((await service.verify(token)).body).toMatchObject({
      is_valid: true,
      key_id: key.key_id,
      actor_id: 'user_9',
      scopes: ['a'],
    });
  });

  it.each([
    ['credential', {}],
    ['credential', { credential: '' }],
    ['algorithm', { credential: 'x', algorithm: 'TOKEN_ALGORITHM_PASETO' }],
    ['algorithm', { credential: 'x', algorithm: 9 }],
    ['ttl', { credential: 'x', ttl: '60' }],
    ['scopes', { credential: 'x', scopes: 'a' }],
    ['custom_claims', { credential: 'x', custom_claims: { big: 'x'.repeat(4096) } }],
    ['custom_claims', { credential: 'x', custom_claims: [] }],
    ['custom_claims.aud', { credential: 'x', custom_claims: { aud: 7 } }],
    ['custom_claims.aud', { credential: 'x', audiences: ['a'], custom_claims: { aud: 'a' } }],
    ['audience', { credential: 'x', audience: 'a', audiences: ['b'] }],
    ['audience', { credential: 'x', audience: 'a', audiences: ['a', 'b'] }],
    ['audiences', { credential: 'x', audiences: 'a' }],
    ['audiences[1]', { credential: 'x', audiences: ['a', ''] }],
    ['audiences[0]', { credential: 'x', audiences: ['a'.repeat(1025)] }],
  ])('400: %s', async (field, body) => {
    const answer = await service.admin('POST', '/apiKeys:derive', body);
    expect(answer.status).toBe(400);
    expect(namedFields(answer)).toEqual([field]);
  });

  it('400: a ttl beyond the life of the parent or MAX_TTL is not cut', async () => {
    const { secret } = await service.issue({ ttl: '1h' });
    for (const ttl of ['61m', '2y']) {
      const answer = await service.derive(secret, { ttl });
      expect(answer.status).toBe(400);
      expect(namedFields(answer)).toEqual(['ttl']);
    }
  });

  it('400: a token cannot derive tokens', async () => {
    const { secret } = await service.issue();
    for (const algorithm of [1, 2]) {
      const answer = await service.derive(await service.tokenOf(secret, { algorithm }));
      expect(answer.status).toBe(400);
      expect(namedFields(answer)).toEqual(['credential']);
    }
  });

  it('401: unknown, expired, or from the wrong address', async () => {
    const bound = await service.issue({ ip_restriction: { allowed_cidrs: ['10.0.0.0/8'] } });
    const short = await service.issue({ ttl: '1s' });
    await service.untilExpired(short.secret);
    const answers = [
      await service.derive('unknown'),
      await service.derive(short.secret),
      await service.derive(bound.secret),
    ];
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401]);
    expect(answers[0]?.body.error.status).toBe('UNAUTHENTICATED');
  });

  it('403: revoked, or a scope that the parent lacks', async () => {
    const { secret, key } = await service.issue({ scopes: ['a'] });
    const scope = await service.derive(secret, { scopes: ['a', 'b'] });
    expect([scope.status, reasonOf(scope)]).toEqual([403, 'SCOPE_NOT_GRANTED']);
    await service.admin('POST', `/apiKeys/${key.key_id}:revoke`, {});
    const revoked = await service.derive(secret);
    expect([revoked.status, reasonOf(revoked)]).toEqual([403, 'API_KEY_REVOKED']);
  });
});

describe('verification of a derived JWT', () => {
  it('hits the cache the second time', async () => {
    const { secret } = await service.issue({ scopes: ['a'] });
    const token = await service.tokenOf(secret);
    await service.verify(token);
    const { headers, body } = await service.verify(token);
    expect([headers.get('x-cache'), body.is_valid, body.scopes]).toEqual(['HIT', true, ['a']]);
  });

  it('ends with its parent: revoked, or with fewer scopes', async () => {
    const { secret, key } = await service.issue({ scopes: ['a', 'b'] });
    const token = await service.tokenOf(secret);
    await service.verify(token);
    await service.admin('PATCH', `/issuedApiKeys/${key.key_id}`, { scopes: ['b', 'c'] });
    expect((await service.verify(token)).body.scopes).toEqual(['b']);
    await service.admin('POST', `/apiKeys/${key.key_id}:revoke`, {});
    expect(await service.errorOf(token)).toBe('VERIFICATION_ERROR_REVOKED');
    await expect(verifyOffline(token)).resolves.toBeDefined();
  });

  it('ends with its parent: expired, deleted, or at the end of a grace period', async () => {
    const raw_key = `parent_${randomBytes(8).toString('hex')}`;
    const fields = { raw_key, name: 'Imported', actor_id: 'user_9' };
    const { body: imported } = await service.admin('POST', '/importedApiKeys', fields);
    const orphan = await service.tokenOf(raw_key);
    await service.verify(orphan);
    await service.admin('DELETE', `/importedApiKeys/${imported.key_id}`);
    expect(await service.errorOf(orphan)).toBe('VERIFICATION_ERROR_NOT_FOUND');

    const { secret, key } = await service.issue({ ttl: '1h' });
    const token = await service.tokenOf(secret, { ttl: '30m' });
    expect(await service.errorOf(token)).toBeUndefined();
    const { body } = await service.admin('POST', `/issuedApiKeys/${key.key_id}:rotate`, {
      grace_period: '1s',
    });
    const end = body.old_issued_api_key.expire_time as string;
    const whileInGrace = (await service.verify(token)).body;
    if (whileInGrace.is_valid) expect(whileInGrace.expire_time).toBe(end);
    await eventually(async () => {
      expect((await service.verify(token)).body).toMatchObject({
        is_valid: false,
        status: 'KEY_STATUS_EXPIRED',
        key_id: key.key_id,
        error_code: 'VERIFICATION_ERROR_EXPIRED',
      });
    });
  });

  it('ends with its parent, also when the raw key is imported again', async () => {
    const fields = { raw_key: `again_${randomBytes(8).toString('hex')}`, name: 'Imported' };
    const importFor = async (actor_id: string) =>
      (await service.admin('POST', '/importedApiKeys', { ...fields, actor_id })).body;
    let { key_id } = await importFor('user_a');
    const algorithms = ['TOKEN_ALGORITHM_JWT', 'TOKEN_ALGORITHM_MACAROON'];
    const orphans = await Promise.all(
      algorithms.map((algorithm) => service.tokenOf(fields.raw_key, { algorithm })),
    );
    for (const orphan of orphans) expect(await service.errorOf(orphan)).toBeUndefined();
    for (const actor of ['user_b', 'user_a']) {
      await service.admin('DELETE', `/importedApiKeys/${key_id}`);
      ({ key_id } = await importFor(actor));
      expect((await service.verify(fields.raw_key)).body.actor_id).toBe(actor);
      for (const orphan of orphans) {
        expect(await service.errorOf(orphan)).toBe('VERIFICATION_ERROR_NOT_FOUND');
      }
      const child = await service.tokenOf(fields.raw_key);
      expect(await service.errorOf(child)).toBeUndefined();
    }
  });

  it('gains no scopes when its parent gets more', async () => {
    const { secret, key } = await service.issue({ scopes: ['a'] });
    const token = await service.tokenOf(secret);
    await service.admin('PATCH', `/issuedApiKeys/${key.key_id}`, { scopes: ['a', 'b'] });
    expect((await service.verify(token)).body.scopes).toEqual(['a']);
    const ip_restriction = { allowed_cidrs: ['10.0.0.0/8'] };
    await service.admin('PATCH', `/issuedApiKeys/${key.key_id}`, { ip_restriction });
    expect(await service.errorOf(token)).toBe('VERIFICATION_ERROR_IP_NOT_ALLOWED');
  });

  it.each(['TOKEN_ALGORITHM_JWT', 'TOKEN_ALGORITHM_MACAROON'])(
    'of at most 8192 bytes is derived and verified, a longer one is neither: %s',
    async (algorithm) => {
      const { secret } = await service.issue({ metadata: { text: 'm'.repeat(1_800) } });
      const derive = (length: number) =>
        service.derive(secret, { algorithm, custom_claims: { text: 'c'.repeat(length) } });
      // Every third byte of the claims makes four characters.
      const { length } = (await derive(3_000)).body.token.token as string;
      const most = 3_000 + Math.floor(((8_192 - length) * 3) / 4);
      const { token } = (await derive(most - 2)).body.token as { token: string };
      expect(token.length).toBeGreaterThan(8_180);
      expect(await service.errorOf(token)).toBeUndefined();
      const tooLong = await derive(most + 3);
      expect([tooLong.status, namedFields(tooLong)]).toEqual([400, ['scopes']]);
    },
  );

  it('INVALID_FORMAT beyond 8192 bytes, whatever it is', async () => {
    for (const text of ['x', 'ä', 'mc_v1_A', 'eyJ.eyJ.x', 'gate_sk_v1_x']) {
      const fill = text.at(-1) as string;
      const long = text + fill.repeat((8_192 - Buffer.byteLength(text)) / Buffer.byteLength(fill));
      expect(await service.errorOf(long)).not.toBe('VERIFICATION_ERROR_INVALID_FORMAT');
      expect(await service.errorOf(`${long}x`)).toBe('VERIFICATION_ERROR_INVALID_FORMAT');
    }
  });

  it('EXPIRED at its own expiry', async () => {
    const { secret } = await service.issue();
    const token = await service.tokenOf(secret, { ttl: '1s' });
    await service.untilExpired(token);
    expect(await service.errorOf(secret)).toBeUndefined();
  });

  it('SIGNATURE_INVALID after any change, and for foreign tokens', async () => {
    const { secret } = await service.issue();
    const [header, payload, signature] = (await service.tokenOf(secret)).split('.') as [
      string,
      string,
      string,
    ];
    const other = (await service.tokenOf(secret)).split('.')[1] as string;
    const none = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url');
    const hmac = Buffer.from(
      JSON.stringify({ ...decodeProtectedHeader(`${header}.${payload}.`), alg: 'HS256' }),
    ).toString('base64url');
    // The last character of 64 bytes carries two bits; the same bytes with one of the others set.
    const alike = signature.slice(0, -1) + String.fromCharCode(signature.charCodeAt(85) + 1);
    for (const token of [
      `${header}.${payload}.${alike}`,
      `${header}.${other}.${signature}`,
      `${header}.${payload}.${signature.slice(0, -4)}AAAA`,
      `${header}.${payload}.AA`,
      `${none}.${payload}.${signature}`,
      `${hmac}.${payload}.${signature}`,
      'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ4In0.c2ln',
      'eyJ.eyJ.x',
      'eyJ4.AAAA.AAAA',
    ]) {
      expect([token, await service.errorOf(token)]).toEqual([
        token,
        'VERIFICATION_ERROR_SIGNATURE_INVALID',
      ]);
    }
  });

  it('counts against the rate limit of the parent', async () => {
    const { secret } = await service.issue({ rate_limit_policy: { quota: 2, window: '1h' } });
    const token = await service.tokenOf(secret);
    expect([
      await service.errorOf(secret),
      await service.errorOf(token),
      await service.errorOf(token),
    ]).toEqual([undefined, undefined, 'VERIFICATION_ERROR_RATE_LIMITED']);
  });
});

describe('GET /v2alpha1/derivedKeys/jwks.json', () => {
  it('200: public parts only, for RFC 7517 and for Talos', async () => {
    const answer = await service.call('GET', '/v2alpha1/derivedKeys/jwks.json');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('public, max-age=300');
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    expect(answer.body).toEqual({ keys: answer.body.jwks.keys, jwks: { keys: expect.any(Array) } });
    expect(answer.body.keys).toEqual([
      ...[{ kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', use: 'sig' }].map((jwk) => ({
        ...jwk,
        kid: expect.any(String),
        x: expect.any(String),
      })),
    ]);
  });
});
