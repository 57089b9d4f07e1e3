/** Settings that change the behavior of the API; config.spec.ts covers their validation. */
import { type Answer } from '@gatehouse/testing';
import { type KeyServiceStack, namedFields, reasonOf, startKeyService } from './key-stack.js';

let service: KeyServiceStack;
afterEach(() => service.close());
const startWith = async (settings: Record<string, string>) => {
  service = await startKeyService(settings);
};
const lifeSeconds = ({ create_time, expire_time }: Record<string, string>) =>
  (Date.parse(expire_time ?? '') - Date.parse(create_time ?? '')) / 1000;

it('MAX_TTL cuts the default ttl and refuses a longer explicit one', async () => {
  await startWith({ MAX_TTL: '2h' });
  const { secret, key } = await service.issue();
  expect(lifeSeconds(key)).toBe(7200);
  for (const [path, body, field] of [
    ['/issuedApiKeys', { name: 'x', actor_id: 'x', ttl: '7201s' }, 'ttl'],
    ['/importedApiKeys', { raw_key: 'raw-key-y', name: 'x', actor_id: 'x', ttl: '3h' }, 'ttl'],
    [`/issuedApiKeys/${key.key_id}:rotate`, { grace_period: '121m' }, 'grace_period'],
    ['/apiKeys:derive', { credential: secret, ttl: '121m' }, 'ttl'],
  ] as const) {
    const answer = await service.admin('POST', path, body);
    expect([path, answer.status, namedFields(answer)]).toEqual([path, 400, [field]]);
  }
  const { body } = await service.admin('POST', '/apiKeys:derive', { credential: secret });
  expect(body.token.claims.exp - body.token.claims.iat).toBe(3600);
});

it('DEFAULT_TTL=0 creates keys without an expiry, whose tokens still expire', async () => {
  await startWith({ DEFAULT_TTL: '0' });
  const { secret, key } = await service.issue();
  expect(key.expire_time).toBeNull();
  expect((await service.verify(secret)).body).toMatchObject({ is_valid: true, expire_time: null });
  const { body } = await service.admin('POST', '/apiKeys:derive', { credential: secret });
  expect(body.token.claims.exp - body.token.claims.iat).toBe(3600);
  const tooLong = { credential: secret, ttl: '2y' };
  expect((await service.admin('POST', '/apiKeys:derive', tooLong)).status).toBe(400);
  const rotated = await service.admin('POST', `/issuedApiKeys/${key.key_id}:rotate`, {
    grace_period: '1h',
  });
  expect(rotated.body.issued_api_key.expire_time).toBeNull();
  expect(rotated.body.old_issued_api_key.expire_time).not.toBeNull();
});

it('prefixes can be changed; retired ones stay accepted, removed ones do not', async () => {
  await startWith({});
  const old = [await service.issue(), await service.issue({ visibility: 2 })];
  const changed = { SECRET_PREFIX: 'acme_sk', PUBLIC_PREFIX: 'acme_pk' };
  await service.start({ ...changed, RETIRED_PREFIXES: 'gate_sk,gate_pk' });
  await service.start(changed);
  const body = { name: 'x', actor_id: 'x' };
  const made = await service.admin('POST', '/issuedApiKeys', body, { replica: 1 });
  expect(made.body.secret).toMatch(/^acme_sk_v1_/);
  for (const { secret } of old) {
    expect((await service.verify(secret, {}, { replica: 1 })).body.is_valid).toBe(true);
    expect((await service.verify(secret, {}, { replica: 2 })).body.error_code).toBe(
      'VERIFICATION_ERROR_NOT_FOUND',
    );
  }
});

it('issuers choose among the prefixes of a visibility, and a rotation keeps the choice', async () => {
  await startWith({ SECRET_PREFIX: 'gate_sk,pay_sk', PUBLIC_PREFIX: 'gate_pk, pay_pk' });
  const issue = (more: object) =>
    service.admin('POST', '/issuedApiKeys', { name: 'x', actor_id: 'x', ...more });
  const prefixOf = ({ body }: Answer) => (body.secret as string).split('_v1_')[0];
  const chosen = await issue({ prefix: 'pay_sk' });
  expect([await issue({}), await issue({ prefix: '' }), chosen].map(prefixOf)).toEqual([
    'gate_sk',
    'gate_sk',
    'pay_sk',
  ]);
  expect(chosen.body.issued_api_key.key_preview).toMatch(/^pay_sk_v1_…/);
  expect((await service.verify(chosen.body.secret)).body.is_valid).toBe(true);
  expect(prefixOf(await issue({ visibility: 2, prefix: 'pay_pk' }))).toBe('pay_pk');
  const others = [
    { prefix: 'gate' },
    { prefix: 'pay_pk' },
    { prefix: 5 },
    { visibility: 2, prefix: 'pay_sk' },
  ];
  for (const other of others) {
    const refused = await issue(other);
    expect([refused.status, namedFields(refused)]).toEqual([400, ['prefix']]);
  }

  const rotate = ({ body }: Answer, more = {}) =>
    service.admin('POST', `/issuedApiKeys/${body.issued_api_key.key_id}:rotate`, more);
  const kept = await rotate(chosen);
  const changed = await rotate(kept, { prefix: 'gate_sk' });
  const unknown = await rotate(changed, { prefix: 'pay_pk' });
  expect([unknown.status, namedFields(unknown)]).toEqual([400, ['prefix']]);
  const made = await rotate(changed, { visibility: 2 });
  expect([kept, changed, made].map(prefixOf)).toEqual(['pay_sk', 'gate_sk', 'gate_pk']);
});

it('CACHE_TTL=0 caches nothing', async () => {
  await startWith({ CACHE_TTL: '0' });
  const { secret } = await service.issue();
  const answers = [await service.verify(secret), await service.verify(secret)];
  expect(answers.map(({ body }) => body.is_valid as boolean)).toEqual([true, true]);
  expect(answers.map(({ headers }) => headers.get('x-cache'))).toEqual(['MISS', 'MISS']);
});

it.each([
  ['socket', '', 'VERIFICATION_ERROR_IP_NOT_ALLOWED'],
  ['x-real-ip', '127.0.0.0/8', undefined],
  ['x-forwarded-for', '127.0.0.0/8', undefined],
  ['x-real-ip', '192.0.2.0/24', 'VERIFICATION_ERROR_IP_NOT_ALLOWED'],
  ['x-forwarded-for', '192.0.2.0/24', 'VERIFICATION_ERROR_IP_NOT_ALLOWED'],
])('CLIENT_IP_SOURCE=%s behind TRUSTED_PROXIES=%s', async (source, proxies, expected) => {
  await startWith({ CLIENT_IP_SOURCE: source, TRUSTED_PROXIES: proxies, ADMIN_AUTH: 'none' });
  const { secret } = await service.issue({ ip_restriction: { allowed_cidrs: ['203.0.113.0/24'] } });
  const headers = { 'x-real-ip': '203.0.113.7', 'x-forwarded-for': '203.0.113.7' };
  expect((await service.verify(secret, {}, { headers })).body.error_code).toBe(expected);
  const without = (await service.verify(secret)).body.error_code;
  expect(without).toBe('VERIFICATION_ERROR_IP_NOT_ALLOWED');
});

it.each(['x-forwarded-for', 'x-real-ip'])(
  'CLIENT_IP_SOURCE=%s: without the header, the address of the connection counts',
  async (source) => {
    await startWith({ CLIENT_IP_SOURCE: source, TRUSTED_PROXIES: '127.0.0.0/8' });
    const { secret } = await service.issue({ ip_restriction: { allowed_cidrs: ['127.0.0.0/8'] } });
    expect(await service.errorOf(secret)).toBeUndefined();
  },
);

it('CLIENT_IP_SOURCE=socket refuses keys bound to addresses to callers behind a proxy', async () => {
  await startWith({ ADMIN_AUTH: 'none', HOST: '0.0.0.0' });
  expect(service.replicas[0]?.logs()).toContain('CLIENT_IP_SOURCE=socket');
  const { secret } = await service.issue({ ip_restriction: { allowed_cidrs: ['127.0.0.0/8'] } });
  const free = await service.issue();
  expect(await service.errorOf(secret)).toBeUndefined();
  await service.tokenOf(secret);
  for (const name of ['x-forwarded-for', 'forwarded', 'x-real-ip']) {
    const headers = { [name]: '127.0.0.1' };
    const { body } = await service.verify(secret, {}, { headers });
    expect([name, body.error_code]).toEqual([name, 'VERIFICATION_ERROR_IP_NOT_ALLOWED']);
    const derived = { credential: secret };
    const answer = await service.admin('POST', '/apiKeys:derive', derived, { headers });
    expect([answer.status, reasonOf(answer)]).toEqual([401, 'IP_NOT_ALLOWED']);
    expect((await service.verify(free.secret, {}, { headers })).body.is_valid).toBe(true);
  }
});

it('AUDIENCE is expected of tokens by verifications that name none', async () => {
  await startWith({ AUDIENCE: 'orders' });
  const { secret } = await service.issue();
  const ours = await service.tokenOf(secret, { audience: 'orders' });
  const other = await service.tokenOf(secret, { audience: 'billing' });
  expect(await service.errorOf(ours)).toBeUndefined();
  expect(await service.errorOf(other)).toBe('VERIFICATION_ERROR_AUDIENCE_MISMATCH');
  expect(await service.errorOf(other, { audience: 'billing' })).toBeUndefined();
  expect(await service.errorOf(secret)).toBeUndefined();
  const token = await service.tokenOf(secret);
  expect(await service.errorOf(token)).toBe('VERIFICATION_ERROR_AUDIENCE_MISMATCH');
});

it('UNKNOWN_FIELDS=ignore accepts fields and parameters that do not exist', async () => {
  await startWith({ UNKNOWN_FIELDS: 'ignore' });
  const fields = {
    name: 'x',
    actor_id: 'x',
    rate_limit: {},
    ip_restriction: { allowed_cidrs: ['127.0.0.0/8'], cidrs: [] },
  };
  const { status, body } = await service.admin('POST', '/issuedApiKeys?trace=1', fields);
  expect(status).toBe(201);
  expect((await service.admin('GET', '/issuedApiKeys?actor_id=x')).status).toBe(200);
  expect((await service.verify(body.secret as string, { scope: ['x'] })).status).toBe(200);
  const pause = `/apiKeys/${body.issued_api_key.key_id}:pause`;
  expect((await service.admin('POST', pause, { reson: 1 })).status).toBe(200);
});
