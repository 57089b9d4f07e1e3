/** Token exchange (RFC 8693) on two replicas, with tokens of an issuer on a port of its own. */
import { KeyRing, openText } from '@gatehouse/crypto';
import { eventually } from '@gatehouse/testing';
import {
  createLocalJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  importJWK,
  type JSONWebKeySet,
  type JWK,
  jwtVerify,
  SignJWT,
} from 'jose';
import { randomUUID } from 'node:crypto';
import {
  allowInsecureRequests,
  customFetch,
  discovery,
  genericGrantRequest,
  None,
} from 'openid-client';
import {
  errorsOf,
  exchange,
  EXCHANGE_SETTINGS,
  exchangeKey,
  GRANT,
  JWT_TYPE,
  KEY_TYPE,
  newClient,
  postForm,
  trust,
} from './exchanges.js';
import { ENCRYPTION_KEY, type KeyServiceStack, startKeyService } from './key-stack.js';
import { AUDIENCE, MAIN, startIssuer, type TestIssuer } from './test-issuer.js';

const ACCESS_TOKEN_TYPE = 'urn:ietf:params:oauth:token-type:access_token';
/** Without the hint of the other replica, a change is seen after CACHE_TTL (30 s). */
const HINT_MS_MAX = 1_000;
const EXTERNAL = 'https://keys.example.com';

let service: KeyServiceStack;
let issuer: TestIssuer;
beforeAll(async () => {
  issuer = await startIssuer();
  service = await startKeyService(EXCHANGE_SETTINGS, 2);
});
afterAll(async () => {
  await service.close();
  await issuer.close();
});

const keySet = async () =>
  createLocalJWKSet(
    (await service.call('GET', '/v2alpha1/derivedKeys/jwks.json')).body as JSONWebKeySet,
  );
const INVALID_KEY = {
  error: 'invalid_grant',
  error_description: 'The subject token is not valid.',
};

describe('an API key', () => {
  it('200: becomes a JWT that jose verifies with the published keys', async () => {
    const { secret, key } = await service.issue({ scopes: ['a', 'b'], ttl: '10m' });
    const form: [string, string][] = [
      ['grant_type', GRANT],
      ['subject_token', secret],
      ['subject_token_type', KEY_TYPE],
      ['scope', 'b'],
      ['audience', 'orders'],
      ['audience', 'billing'],
      ['unknown', 'ignored'],
    ];
    const { status, headers, body } = await postForm(service, form);
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(headers.get('access-control-allow-origin')).toBeNull();
    expect(body).toEqual({
      access_token: expect.any(String),
      issued_token_type: ACCESS_TOKEN_TYPE,
      token_type: 'Bearer',
      expires_in: expect.any(Number),
      scope: 'b',
    });
    const { payload } = await jwtVerify(body.access_token as string, await keySet(), {
      issuer: EXTERNAL,
      audience: 'billing',
    });
    expect(payload).toMatchObject({
      sub: key.key_id,
      act: { sub: 'user_1' },
      scp: ['b'],
      aud: ['orders', 'billing'],
    });
    expect(payload.exp).toBe(Math.floor(Date.parse(key.expire_time as string) / 1000));
    const verified = await service.verify(body.access_token as string, { audience: 'orders' });
    expect(verified.body).toMatchObject({ is_valid: true, actor_id: 'user_1', scopes: ['b'] });
    const { body: audit } = await service.admin(
      'GET',
      `/auditEvents?filter=type=token.derived AND key_id="${key.key_id}"`,
    );
    expect(audit.audit_events).toMatchObject([{ caller: 'holder', actor_id: 'user_1' }]);
  });

  it('200: also an imported one, and as the type that was asked for', async () => {
    const raw_key = `exchange-raw-key-${randomUUID()}`;
    await service.admin('POST', '/importedApiKeys', { raw_key, name: 'x', actor_id: 'x' });
    const { body } = await exchangeKey(service, raw_key, { requested_token_type: JWT_TYPE });
    expect(body).toMatchObject({ issued_token_type: JWT_TYPE, scope: '' });
  });

  it('400: unknown, altered, revoked, expired, paused or from elsewhere get one answer', async () => {
    const altered = (await service.issue()).secret.replace(/.$/, (end) =>
      end === '1' ? '2' : '1',
    );
    const expired = await service.issue({ ttl: '1s' });
    const revoked = await service.issue();
    const paused = await service.issue();
    const bound = await service.issue({ ip_restriction: { allowed_cidrs: ['192.0.2.0/24'] } });
    await service.admin('POST', `/apiKeys/${revoked.key.key_id}:revoke`);
    await service.admin('POST', `/apiKeys/${paused.key.key_id}:pause`);
    await service.untilExpired(expired.secret);
    const secrets = [expired, revoked, paused, bound].map(({ secret }) => secret);
    for (const secret of ['unknown', altered, ...secrets]) {
      const { status, headers, body } = await exchangeKey(service, secret);
      expect([status, body]).toEqual([400, INVALID_KEY]);
      expect(headers.get('cache-control')).toBe('no-store');
    }
    const near = { headers: { 'x-real-ip': '192.0.2.7' } };
    expect((await exchangeKey(service, bound.secret, {}, near)).status).toBe(200);
  });

  it('400: invalid_scope for one that it lacks, that no token has, or that is malformed', async () => {
    const { secret } = await service.issue({ scopes: ['a'] });
    for (const scope of ['a b', 'keys:admin', 'keys:nonsense', 'x'.repeat(256), 'a\tb']) {
      expect(errorsOf(await exchangeKey(service, secret, { scope }))).toEqual([
        400,
        'invalid_scope',
      ]);
    }
  });

  it('400: a derived token is not exchanged again', async () => {
    const { secret } = await service.issue();
    const { body } = await exchangeKey(service, secret);
    const again = await exchangeKey(service, body.access_token as string);
    expect(errorsOf(again)).toEqual([400, 'invalid_request']);
    expect(errorsOf(await exchange(service, body.access_token as string))).toEqual([
      400,
      'invalid_grant',
    ]);
  });
});

describe('the request', () => {
  const whole = { grant_type: GRANT, subject_token: 'x', subject_token_type: KEY_TYPE };

  it.each([
    ['invalid_request', 'grant_type', { grant_type: '' }],
    ['unsupported_grant_type', 'grant_type', { grant_type: 'client_credentials' }],
    ['invalid_request', 'subject_token', { subject_token: '' }],
    ['invalid_request', 'subject_token_type', { subject_token_type: '' }],
    [
      'invalid_request',
      'subject_token_type',
      { subject_token_type: 'urn:ietf:params:oauth:token-type:saml2' },
    ],
    [
      'invalid_request',
      'requested_token_type',
      { requested_token_type: 'urn:ietf:params:oauth:token-type:refresh_token' },
    ],
    ['invalid_request', 'actor_token', { actor_token: 'x' }],
    ['invalid_request', 'actor_token_type', { actor_token_type: JWT_TYPE }],
    ['invalid_target', 'resource', { resource: 'https://api.example.com' }],
    ['invalid_request', 'audience', { audience: 'a'.repeat(1025) }],
  ])('400 %s: %s', async (error, field, more) => {
    const { status, body } = await postForm(service, { ...whole, ...more });
    expect([status, body.error]).toEqual([400, error]);
    expect(body.error_description).toContain(field);
  });

  it('400: a repeated parameter, even one that is unknown', async () => {
    for (const name of ['subject_token', 'scope', 'x"\\ü']) {
      const form: [string, string][] = [...Object.entries(whole), [name, 'a'], [name, 'b']];
      const { status, body } = await postForm(service, form);
      expect([status, body.error]).toEqual([400, 'invalid_request']);
      expect(body.error_description).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+ must be sent once/);
    }
  });

  it('400, 413, 415: a query, a body that is too large, or no form', async () => {
    const send = (path: string, body: string | URLSearchParams, type?: string) =>
      service.replicas[0]?.http.send('POST', path, {
        headers: { ...newClient(), ...(type && { 'content-type': type }) },
        body,
      });
    const form = new URLSearchParams(whole);
    const answers = [
      await send('/oauth/token?grant_type=x', form),
      await send('/oauth/token', new URLSearchParams({ ...whole, x: 'y'.repeat(40_000) })),
      await send('/oauth/token', JSON.stringify(whole), 'application/json'),
    ];
    expect(answers.map((answer) => [answer?.status, answer?.body.error])).toEqual([
      [400, 'invalid_request'],
      [413, 'invalid_request'],
      [415, 'invalid_request'],
    ]);
    expect((await service.call('GET', '/oauth/token')).status).toBe(405);
  });
});

describe('a token of a trusted issuer', () => {
  it('200: gets the scopes of the rule, with its subject as the actor', async () => {
    const rule = await trust(service, issuer.url, { token_ttl: '10m' });
    const { status, body } = await exchange(service, await issuer.token(), { audience: 'orders' });
    expect([status, body.scope]).toEqual([200, 'orders:read orders:write']);
    expect(body.expires_in).toBeGreaterThan(590);
    const { payload } = await jwtVerify(body.access_token as string, await keySet(), {
      issuer: EXTERNAL,
      audience: 'orders',
    });
    expect(payload).toMatchObject({ sub: rule.key_id, act: { sub: MAIN, iss: issuer.url } });
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(600);
    const verified = await service.verify(body.access_token as string, { audience: 'orders' });
    expect(verified.body).toMatchObject({
      is_valid: true,
      key_id: rule.key_id,
      actor_id: 'deployer',
      scopes: ['orders:read', 'orders:write'],
    });
    const { body: audit } = await service.admin(
      'GET',
      `/auditEvents?filter=type=token.derived AND key_id="${rule.key_id}"`,
    );
    expect(audit.audit_events).toMatchObject([
      { caller: 'holder', actor_id: 'deployer', details: { actor: { sub: MAIN } } },
    ]);
  });

  it('200: the most specific rule that is active decides, then the oldest', async () => {
    const sub = `repo:octo-org/${randomUUID()}:ref:refs/heads/main`;
    const org = await trust(service, issuer.url, { subject_pattern: sub.replace(/main$/, '*') });
    const exact = await trust(service, issuer.url, { subject_pattern: sub });
    const younger = await trust(service, issuer.url, { subject_pattern: sub });
    const claimed = await trust(service, issuer.url, {
      subject_pattern: sub.replace(/main$/, '*'),
      claims: { environment: 'production', protected: true },
    });
    const ruleOf = async (claims: object) => {
      const { body } = await exchange(service, await issuer.token({ sub, ...claims }));
      return decodeJwt(body.access_token as string).sub;
    };
    expect(await ruleOf({})).toBe(exact.key_id);
    expect(await ruleOf({ environment: 'production', protected: true })).toBe(claimed.key_id);
    expect(await ruleOf({ environment: 'production', protected: 'true' })).toBe(exact.key_id);
    const claims = { environment: 'production', protected: true };
    for (const [paused, next] of [
      [claimed, exact],
      [exact, younger],
      [younger, org],
    ] as const) {
      await service.admin('POST', `/apiKeys/${paused.key_id}:pause`);
      expect(await ruleOf(claims)).toBe(next.key_id);
    }
  });

  it('400 invalid_scope: a scope that the rule does not grant', async () => {
    const token = await issuer.token();
    const refused = await exchange(service, token, { scope: 'orders:read admin' });
    expect(errorsOf(refused)).toEqual([400, 'invalid_scope']);
    const { body } = await exchange(service, token, { scope: 'orders:read' });
    expect(body.scope).toBe('orders:read');
  });

  const now = () => Math.floor(Date.now() / 1000);
  it.each<[string, () => Record<string, unknown>]>([
    ['another issuer', () => ({ iss: 'https://evil.example.com' })],
    ['an issuer that only begins alike', () => ({ iss: `${issuer.url}/` })],
    ['another audience', () => ({ aud: 'https://other.example.com' })],
    ['a further audience', () => ({ aud: [AUDIENCE, 'https://other.example.com'] })],
    ['no audience', () => ({ aud: null })],
    ['another subject', () => ({ sub: 'repo:octo-org/octo-repo:ref:refs/heads/dev' })],
    ['a subject that begins alike', () => ({ sub: `${MAIN}-2` })],
    ['a subject with a new line', () => ({ sub: `${MAIN}\n` })],
    ['the subject on a line of its own', () => ({ sub: `x\n${MAIN}` })],
    ['no subject', () => ({ sub: null })],
    ['a subject that is no text', () => ({ sub: [MAIN] })],
    ['no expiry', () => ({ exp: null })],
    ['an expiry that is over', () => ({ iat: now() - 600, nbf: now() - 600, exp: now() - 61 })],
    ['a beginning in the future', () => ({ nbf: now() + 120 })],
    ['no time of issue', () => ({ iat: null })],
    ['a time of issue in the future', () => ({ iat: now() + 120 })],
    ['a time of issue a day ago', () => ({ iat: now() - 86_500, exp: now() + 60 })],
  ])('400 invalid_grant: %s', async (_, claims) => {
    const answer = await exchange(service, await issuer.token(claims()));
    expect(errorsOf(answer)).toEqual([400, 'invalid_grant']);
  });

  it('400 invalid_grant: no signature, one of a shared secret, of another key, or altered', async () => {
    const token = await issuer.token();
    const [header = '', payload = '', signature = ''] = token.split('.');
    const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const { kid } = decodeProtectedHeader(token);
    const published = await (await fetch(`${issuer.url}/jwks`)).json();
    const secret = Buffer.from(JSON.stringify((published as JSONWebKeySet).keys[0]));
    const other = await startIssuer();
    const forged = [
      `${encoded({ alg: 'none' })}.${payload}.`,
      `${encoded({ alg: 'none', kid })}.${payload}.${signature}`,
      await new SignJWT(decodeJwt(token)).setProtectedHeader({ alg: 'HS256', kid }).sign(secret),
      await other.token({ iss: issuer.url }),
      await other.token({ iss: issuer.url }, { kid: String(kid) }),
      `${header}.${encoded({ ...decodeJwt(token), sub: 'x' })}.${signature}`,
      `${header}.${payload}`,
      'not.a.token',
      'x'.repeat(8_000),
    ];
    await other.close();
    for (const each of forged) {
      expect([each, ...errorsOf(await exchange(service, each))]).toEqual([
        each,
        400,
        'invalid_grant',
      ]);
    }
    expect((await exchange(service, token)).status).toBe(200);
  });

  it('asks no issuer that no rule names', async () => {
    const stranger = await startIssuer();
    const answer = await exchange(service, await stranger.token());
    expect(errorsOf(answer)).toEqual([400, 'invalid_grant']);
    expect(stranger.requests).toEqual([]);
    await stranger.close();
  });

  it('is accepted once by a rule that says so, whichever replica gets it', async () => {
    const sub = `repo:octo-org/${randomUUID()}`;
    await trust(service, issuer.url, { subject_pattern: sub, single_use: true });
    const token = await issuer.token({ sub });
    // A refusal for another reason does not use it up.
    expect(errorsOf(await exchange(service, token, { scope: 'admin' }))).toEqual([
      400,
      'invalid_scope',
    ]);
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) => exchange(service, token, {}, { replica: n % 2 })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(400)]);
    const late = await exchange(service, token, {}, { replica: 1 });
    expect(errorsOf(late)).toEqual([400, 'invalid_grant']);
    expect(late.body.error_description).toContain('exchanged before');
    const without = await exchange(service, await issuer.token({ sub, jti: null }));
    expect(without.body.error_description).toContain('jti');
    expect((await exchange(service, await issuer.token({ sub }))).status).toBe(200);
    const rows = await service.database.query<{ left: number }>(
      'SELECT extract(epoch FROM expire_time - now())::integer AS left FROM keys.used_tokens',
    );
    expect(rows).toHaveLength(2);
    for (const { left } of rows) expect(left).toBeLessThanOrEqual(360);
  });
});

describe('a change of a rule counts on both replicas within a second', () => {
  let sub: string;
  const made = async () => {
    sub = `repo:octo-org/${randomUUID()}`;
    const rule = await trust(service, issuer.url, { subject_pattern: sub });
    const { body } = await exchange(service, await issuer.token({ sub }));
    const access = body.access_token as string;
    for (const replica of [0, 1]) {
      expect((await service.verify(access, {}, { replica })).body.is_valid).toBe(true);
      expect((await exchange(service, await issuer.token({ sub }), {}, { replica })).status).toBe(
        200,
      );
    }
    return { id: rule.key_id, access };
  };
  const onBoth = (error: string | undefined, status: number, access: string) =>
    eventually(
      async () => {
        for (const replica of [0, 1]) {
          const verified = await service.verify(access, {}, { replica });
          expect(verified.body.error_code).toBe(error);
          const exchanged = await exchange(service, await issuer.token({ sub }), {}, { replica });
          expect(exchanged.status).toBe(status);
        }
      },
      { timeoutMs: HINT_MS_MAX },
    );

  it('paused and resumed, revoked and undeleted', async () => {
    const { id, access } = await made();
    const change = (method: string) => service.admin('POST', `/apiKeys/${id}:${method}`);
    await change('pause');
    await onBoth('VERIFICATION_ERROR_PAUSED', 400, access);
    await change('resume');
    await onBoth(undefined, 200, access);
    await change('revoke');
    await onBoth('VERIFICATION_ERROR_REVOKED', 400, access);
    await change('undelete');
    await onBoth(undefined, 200, access);
  });

  it('another pattern: no new tokens, while those it gave stay', async () => {
    const { id, access } = await made();
    await service.admin('PATCH', `/trustRules/${id}`, { subject_pattern: `${sub}:x` });
    await onBoth(undefined, 400, access);
    await service.admin('PATCH', `/trustRules/${id}`, { scopes: ['orders:read'] });
    await eventually(
      async () => {
        for (const replica of [0, 1]) {
          expect((await service.verify(access, {}, { replica })).body.scopes).toEqual([
            'orders:read',
          ]);
        }
      },
      { timeoutMs: HINT_MS_MAX },
    );
  });
});

it('429 after 30 refusals of a client in a minute, on all replicas together; others go on', async () => {
  const { secret } = await service.issue();
  const client = { headers: newClient() };
  const guess = (n: number) =>
    exchangeKey(service, `guess-${n}-0123456789`, {}, { ...client, replica: n % 2 });
  const guesses = [];
  for (let n = 0; n < 34; n += 1) guesses.push(await guess(n));
  const statuses = guesses.map(({ status }) => status);
  expect(statuses.slice(0, 30)).toEqual(Array(30).fill(400));
  expect(statuses.slice(30)).toEqual(Array(4).fill(429));
  for (const replica of [0, 1]) {
    const refused = await exchangeKey(service, secret, {}, { ...client, replica });
    expect(errorsOf(refused)).toEqual([429, 'temporarily_unavailable']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  }
  expect((await exchangeKey(service, secret)).status).toBe(200);
  const many = { headers: newClient() };
  for (let n = 0; n < 40; n += 1) {
    expect((await exchangeKey(service, secret, {}, many)).status).toBe(200);
  }
});

it('a JWT of a former version, whose act is a text, is valid until it expires', async () => {
  const { secret, key } = await service.issue({ scopes: ['a'] });
  const claims = decodeJwt(await service.tokenOf(secret));
  const [row] = await service.database.query<{ kid: string; sealed_private_jwk: string }>(
    'SELECT kid, sealed_private_jwk FROM keys.signing_keys',
  );
  const { kid = '', sealed_private_jwk: sealed = '' } = row ?? {};
  const jwk = openText(KeyRing.fromTexts([ENCRYPTION_KEY]), sealed, `keys.signing_keys:${kid}`);
  const former = await new SignJWT({ ...claims, act: 'user_1' })
    .setProtectedHeader({ alg: 'EdDSA', kid, typ: 'JWT' })
    .sign(await importJWK(JSON.parse(jwk) as JWK, 'EdDSA'));
  expect((await service.verify(former)).body).toMatchObject({
    is_valid: true,
    key_id: key.key_id,
    actor_id: 'user_1',
    scopes: ['a'],
  });
});

describe('GET /.well-known/oauth-authorization-server', () => {
  it('200: metadata that openid-client discovers, and exchanges a token with', async () => {
    const url = service.replicas[0]?.http.url ?? '';
    const client = await discovery(new URL(EXTERNAL), 'ci', undefined, None(), {
      algorithm: 'oauth2',
      execute: [allowInsecureRequests],
      [customFetch]: (address, options) => fetch(address.replace(EXTERNAL, url), options),
    });
    expect(client.serverMetadata()).toMatchObject({
      issuer: EXTERNAL,
      token_endpoint: `${EXTERNAL}/oauth/token`,
      jwks_uri: `${EXTERNAL}/v2alpha1/derivedKeys/jwks.json`,
      grant_types_supported: [GRANT],
      response_types_supported: [],
      token_endpoint_auth_methods_supported: ['none'],
    });
    const { secret } = await service.issue({ scopes: ['a'] });
    const granted = await genericGrantRequest(client, GRANT, {
      subject_token: secret,
      subject_token_type: KEY_TYPE,
      audience: 'orders',
    });
    expect(granted).toMatchObject({ token_type: 'bearer', scope: 'a' });
    const { payload } = await jwtVerify(granted.access_token, await keySet(), {
      issuer: client.serverMetadata().issuer,
      audience: 'orders',
    });
    expect(payload.act).toEqual({ sub: 'user_1' });
  });
});
