import { type KeyServiceStack, namedFields, startKeyService } from './key-stack.js';

let service: KeyServiceStack;

beforeAll(async () => {
  service = await startKeyService();
});
afterAll(() => service.close());

describe('PATCH /v2alpha1/admin/issuedApiKeys/{key_id}', () => {
  const full = {
    scopes: ['a'],
    metadata: { a: 1 },
    tags: ['eu', 'team:a'],
    rate_limit_policy: { quota: 5, window: '1m' },
    ip_restriction: { allowed_cidrs: ['127.0.0.0/8'] },
  };
  const patch = async (keyId: string, mask: string | undefined, body: unknown) =>
    service.admin(
      'PATCH',
      `/issuedApiKeys/${keyId}${mask === undefined ? '' : `?update_mask=${encodeURIComponent(mask)}`}`,
      body,
    );

  it('200: sets the fields in the mask and the body', async () => {
    const { key } = await service.issue(full);
    const answer = await patch(key.key_id, 'name,rateLimitPolicy', {
      issued_api_key: {
        key_id: key.key_id,
        name: 'New',
        scopes: ['ignored'],
        rate_limit_policy: { quota: '7', window: '2m' },
      },
    });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      ...key,
      name: 'New',
      rate_limit_policy: { quota: '7', unit: 'requests', window: '120s' },
      update_time: answer.body.update_time,
    });
    expect(Date.parse(answer.body.update_time)).toBeGreaterThan(Date.parse(key.update_time));
  });

  it('200: resets the fields in the mask that the body leaves out', async () => {
    const { key } = await service.issue(full);
    const answer = await patch(key.key_id, '*', {});
    expect(answer.body).toMatchObject({
      name: '',
      scopes: [],
      metadata: {},
      rate_limit_policy: null,
      ip_restriction: null,
      actor_id: 'user_1',
    });
    expect(answer.body).not.toHaveProperty('tags');
  });

  it('200: without a mask, sets every populated field, bare or wrapped', async () => {
    const { key } = await service.issue(full);
    const bare = await patch(key.key_id, undefined, { name: 'Bare', scopes: [], metadata: {} });
    expect(bare.body).toMatchObject({ name: 'Bare', scopes: ['a'], metadata: { a: 1 } });
    const wrapped = await patch(key.key_id, undefined, { issuedApiKey: { metadata: { b: 2 } } });
    expect(wrapped.body).toMatchObject({ name: 'Bare', metadata: { b: 2 } });
  });

  it('200: without a mask, empty values reset nothing', async () => {
    const { key } = await service.issue(full);
    const empty = {
      name: '',
      scopes: [],
      metadata: {},
      tags: [],
      rate_limit_policy: {},
      ip_restriction: null,
    };
    for (const body of [empty, { issued_api_key: empty }, { name: null, scopes: null }]) {
      expect((await patch(key.key_id, undefined, body)).body).toEqual(key);
    }
  });

  it('200: a mask resets each field by an empty value as well', async () => {
    const { key } = await service.issue(full);
    const body = {
      name: '',
      scopes: [],
      metadata: {},
      rate_limit_policy: {},
      ip_restriction: null,
    };
    const mask = 'name,scopes,metadata,rate_limit_policy,ip_restriction';
    expect((await patch(key.key_id, mask, body)).body).toMatchObject({
      name: '',
      scopes: [],
      metadata: {},
      rate_limit_policy: null,
      ip_restriction: null,
    });
  });

  it('200: a whole record can be sent back', async () => {
    const { key } = await service.issue(full);
    const answer = await patch(key.key_id, undefined, { ...key, name: 'Same otherwise' });
    const { update_time } = answer.body;
    expect(answer.body).toEqual({ ...key, name: 'Same otherwise', update_time });
  });

  it('200: a revoked key may be changed and stays revoked', async () => {
    const { key } = await service.issue();
    await service.admin('POST', `/apiKeys/${key.key_id}:revoke`, {});
    const answer = await patch(key.key_id, 'name', { name: 'Still revoked' });
    expect(answer.body).toMatchObject({ name: 'Still revoked', status: 'KEY_STATUS_REVOKED' });
  });

  it.each(['unknown', 'actor_id', 'key_id', 'metadata.a', 'name,', 'name,*', 'expire_time', ' '])(
    '400: the mask "%s"',
    async (mask) => {
      const { key } = await service.issue();
      const answer = await patch(key.key_id, mask, { name: 'x' });
      expect(answer.status).toBe(400);
      expect(namedFields(answer)).toEqual(['update_mask']);
    },
  );

  it.each<[string, object]>([
    ['name', { name: [] }],
    ['name', { name: 'x'.repeat(256) }],
    ['scopes', { scopes: {} }],
    ['scopes', { scopes: '' }],
    ['metadata', { metadata: '' }],
    ['metadata', { metadata: [] }],
    ['metadata', { metadata: { big: 'x'.repeat(64 * 1024) } }],
    ['tags', { tags: 'eu' }],
    ['tags', { tags: Array.from({ length: 17 }, (_, n) => `t${n}`) }],
    ...['', 'a b', '-a', 'é', 'a"b', 'x'.repeat(65), 5, null].map((tag): [string, object] => [
      'tags[1]',
      { tags: ['eu', tag] },
    ]),
    ['rate_limit_policy', { rate_limit_policy: [] }],
    ['rate_limit_policy', { rate_limit_policy: '' }],
    ['rate_limit_policy.quota', { rate_limit_policy: { window: '1m' } }],
    ['rate_limit_policy.window', { rate_limit_policy: { quota: 1 } }],
    ['ip_restriction', { ip_restriction: [] }],
    ['ip_restriction.allowed_cidrs', { ip_restriction: {} }],
    ['ip_restriction.allowed_cidrs', { ip_restriction: { allowed_cidrs: null } }],
    ['ip_restriction.allowed_cidrs', { ip_restriction: { allowed_cidrs: [] } }],
    ['ip_restriction.allowed_cidrs', { ip_restriction: { allowed_cidrs: '' } }],
    ['ip_restriction.allowed_cidrs[0]', { ip_restriction: { allowed_cidrs: ['x'] } }],
  ])('400: %s with a wrong type, with and without a mask', async (field, body) => {
    const { key } = await service.issue(full);
    for (const mask of [undefined, field.split(/[.[]/)[0]]) {
      const answer = await patch(key.key_id, mask, body);
      expect([answer.status, namedFields(answer)]).toEqual([400, [field]]);
    }
  });

  it.each(['issued_api_key', 'issuedApiKey'])('400: %s that is no object', async (wrapper) => {
    const { key } = await service.issue();
    const answer = await patch(key.key_id, undefined, { [wrapper]: 'x' });
    expect([answer.status, namedFields(answer)]).toEqual([400, ['issued_api_key']]);
  });

  it('400: an invalid value, and no other field is written', async () => {
    const { key } = await service.issue();
    const answer = await patch(key.key_id, undefined, { name: 'New', scopes: ['white space'] });
    expect(answer.status).toBe(400);
    expect(namedFields(answer)).toEqual(['scopes[0]']);
    expect((await service.admin('GET', `/issuedApiKeys/${key.key_id}`)).body).toEqual(key);
  });

  it('404: no such key', async () => {
    expect((await patch('nonsense', 'name', { name: 'x' })).status).toBe(404);
    expect((await patch('nonsense', undefined, {})).status).toBe(404);
  });
});
