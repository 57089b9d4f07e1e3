import { type KeyServiceStack, namedFields, reasonOf, startKeyService } from './key-stack.js';

let service: KeyServiceStack;

beforeAll(async () => {
  service = await startKeyService();
});
afterAll(() => service.close());

describe('POST /v2alpha1/admin/issuedApiKeys/{key_id}:rotate', () => {
  const rotate = (keyId: string, body: unknown = {}) =>
    service.admin('POST', `/issuedApiKeys/${keyId}:rotate`, body);

  it('201: creates a new key and revokes the old one', async () => {
    const { key, secret } = await service.issue({
      scopes: ['a'],
      metadata: { a: 1 },
      tags: ['eu'],
      rate_limit_policy: { quota: 5, window: '1m' },
    });
    const { status, headers, body } = await rotate(key.key_id);
    expect(status).toBe(201);
    const made = body.issued_api_key;
    expect(headers.get('location')).toBe(`/v2alpha1/admin/issuedApiKeys/${made.key_id}`);
    expect(made).toMatchObject({
      name: key.name,
      actor_id: key.actor_id,
      scopes: ['a'],
      metadata: { a: 1 },
      tags: ['eu'],
      rate_limit_policy: key.rate_limit_policy,
      expire_time: key.expire_time,
      status: 'KEY_STATUS_ACTIVE',
    });
    expect(body.old_issued_api_key).toMatchObject({
      key_id: key.key_id,
      status: 'KEY_STATUS_REVOKED',
      revocation_reason: 'REVOCATION_REASON_SUPERSEDED',
    });
    expect(made.key_id).not.toBe(key.key_id);
    expect((await service.verify(secret)).body.error_code).toBe('VERIFICATION_ERROR_REVOKED');
    expect((await service.verify(body.secret)).body.is_valid).toBe(true);
  });

  it('201: the body overrides, also with empty values', async () => {
    const { key } = await service.issue({ scopes: ['a'], metadata: { a: 1 }, tags: ['eu'] });
    const { body } = await rotate(key.key_id, {
      name: 'Renamed',
      scopes: [],
      tags: [],
      visibility: 'KEY_VISIBILITY_PUBLIC',
    });
    expect(body.issued_api_key).toMatchObject({ name: 'Renamed', scopes: [], metadata: { a: 1 } });
    expect(body.issued_api_key).not.toHaveProperty('tags');
    expect(body.secret).toMatch(/^gate_pk_/);
  });

  it.each([0, 'KEY_VISIBILITY_UNSPECIFIED', null])(
    '201: a public key stays public when the body says %j',
    async (visibility) => {
      const { key } = await service.issue({ visibility: 'KEY_VISIBILITY_PUBLIC' });
      const { body } = await rotate(key.key_id, { visibility });
      expect(body.issued_api_key.visibility).toBe('KEY_VISIBILITY_PUBLIC');
      expect(body.secret).toMatch(/^gate_pk_/);
    },
  );

  it('201: with a grace period both keys are valid until it ends', async () => {
    const { key, secret } = await service.issue({ ttl: '1h' });
    const { body } = await rotate(key.key_id, { grace_period: '10m' });
    const left = Date.parse(body.old_issued_api_key.expire_time) - Date.now();
    expect(left).toBeGreaterThan(590_000);
    expect(left).toBeLessThanOrEqual(600_000);
    expect(body.old_issued_api_key.status).toBe('KEY_STATUS_ACTIVE');
    expect((await service.verify(secret)).body.is_valid).toBe(true);
    expect((await service.verify(body.secret)).body.is_valid).toBe(true);
    const again = await rotate(key.key_id);
    expect(again.status).toBe(409);
  });

  it('201: a grace period never extends the expiry', async () => {
    const { key } = await service.issue({ ttl: '1m' });
    const { body } = await rotate(key.key_id, { grace_period: '1h' });
    expect(body.old_issued_api_key.expire_time).toBe(key.expire_time);
  });

  it.each([
    ['grace_period', { grace_period: '1' }],
    ['grace_period', { grace_period: '0s' }],
    ['grace_period', { grace_period: '9000h' }],
    ['name', { name: 'x'.repeat(256) }],
    ['scopes[0]', { scopes: [''] }],
    ['metadata', { metadata: [] }],
    ['rate_limit_policy.quota', { rate_limit_policy: { quota: 0, window: '1m' } }],
    ['ip_restriction.allowed_cidrs[0]', { ip_restriction: { allowed_cidrs: ['x'] } }],
    ['ip_restriction.allowed_cidrs', { ip_restriction: {} }],
    ['ip_restriction.allowed_cidrs', { ip_restriction: { allowed_cidrs: null } }],
    ['ip_restriction.allowed_cidrs', { ip_restriction: { allowed_cidrs: [] } }],
    ['visibility', { visibility: 'x' }],
  ])('400: %s', async (field, body) => {
    const { key } = await service.issue();
    const answer = await rotate(key.key_id, body);
    expect(answer.status).toBe(400);
    expect(namedFields(answer)).toEqual([field]);
  });

  it('404: no such key', async () => {
    expect((await rotate('01900000-0000-7000-8000-000000000000')).status).toBe(404);
  });

  it('409: a key that is revoked', async () => {
    const { key } = await service.issue();
    await service.admin('POST', `/apiKeys/${key.key_id}:revoke`, {});
    const answer = await rotate(key.key_id);
    expect(answer.status).toBe(409);
    expect(answer.body.error.status).toBe('FAILED_PRECONDITION');
    expect(reasonOf(answer)).toBe('API_KEY_NOT_ACTIVE');
  });

  it('409: all but one of 20 concurrent rotations', async () => {
    const { key } = await service.issue();
    const answers = await Promise.all(Array.from({ length: 20 }, () => rotate(key.key_id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([
      201,
      ...Array.from({ length: 19 }, () => 409),
    ]);
  });
});
