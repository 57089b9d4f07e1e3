import { type KeyServiceStack, namedFields, reasonOf, startKeyService } from './key-stack.js';

let service: KeyServiceStack;

beforeAll(async () => {
  service = await startKeyService();
});
afterAll(() => service.close());

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('POST /v2alpha1/admin/issuedApiKeys', () => {
  describe('201', () => {
    it('returns the key, its secret and its location', async () => {
      const { status, headers, body } = await service.admin('POST', '/issuedApiKeys', {
        name: 'Build server',
        actor_id: 'user_1',
      });
      expect(status).toBe(201);
      const { issued_api_key: key, secret } = body;
      expect(headers.get('location')).toBe(`/v2alpha1/admin/issuedApiKeys/${key.key_id}`);
      expect(secret).toMatch(/^gate_sk_v1_[1-9A-HJ-NP-Za-km-z]+_[1-9A-HJ-NP-Za-km-z]+$/);
      expect(key).toEqual({
        key_id: expect.stringMatching(UUID),
        name: 'Build server',
        actor_id: 'user_1',
        scopes: [],
        status: 'KEY_STATUS_ACTIVE',
        metadata: {},
        create_time: expect.any(String),
        update_time: key.create_time,
        expire_time: expect.any(String),
        last_used_time: null,
        rate_limit_policy: null,
        ip_restriction: null,
        visibility: 'KEY_VISIBILITY_SECRET',
        revocation_description: '',
        key_preview: `gate_sk_v1_…${secret.slice(-4)}`,
      });
      const lifeMs = Date.parse(key.expire_time) - Date.parse(key.create_time);
      expect(lifeMs).toBe(8760 * 3_600_000);
    });

    it('keeps every field, in snake_case and in lowerCamelCase', async () => {
      const fields = {
        name: 'Full',
        actor_id: 'Ünïcode@example.com',
        scopes: ['orders:read', 'orders:write'],
        ttl: '1h30m',
        metadata: { plan: 'gold', nested: { list: [1, 'two', null, true] } },
        tags: ['eu', 'team:a/b_c.d-9', 'eu'],
        rate_limit_policy: { quota: 100, window: '1m' },
        ip_restriction: { allowed_cidrs: ['10.0.0.0/8', '2001:db8::/32'] },
        visibility: 'KEY_VISIBILITY_PUBLIC',
      };
      const expected = {
        name: fields.name,
        actor_id: fields.actor_id,
        scopes: fields.scopes,
        metadata: fields.metadata,
        tags: ['eu', 'team:a/b_c.d-9'],
        rate_limit_policy: { quota: '100', unit: 'requests', window: '60s' },
        ip_restriction: fields.ip_restriction,
        visibility: 'KEY_VISIBILITY_PUBLIC',
      };
      const snake = await service.issue(fields);
      expect(snake.key).toMatchObject(expected);
      expect(snake.secret).toMatch(/^gate_pk_v1_/);
      expect(Date.parse(snake.key.expire_time) - Date.parse(snake.key.create_time)).toBe(5_400_000);

      const camel = await service.admin('POST', '/issuedApiKeys', {
        name: fields.name,
        actorId: fields.actor_id,
        scopes: fields.scopes,
        metadata: fields.metadata,
        tags: fields.tags,
        rateLimitPolicy: { quota: '100', window: '60s', unit: 'requests' },
        ipRestriction: { allowedCidrs: fields.ip_restriction.allowed_cidrs },
        visibility: 2,
      });
      expect(camel.body.issued_api_key).toMatchObject(expected);
    });

    it('treats null as unset', async () => {
      const { key } = await service.issue({ scopes: null, metadata: null, ttl: null });
      expect(key).toMatchObject({ scopes: [], metadata: {} });
    });

    it('answers a repeated request_id with the first key and no secret', async () => {
      const first = await service.issue({ request_id: 'repeat-1', name: 'First' });
      const again = await service.issue({ request_id: 'repeat-1', name: 'Another body' });
      expect(again).toEqual({ secret: '', key: first.key });
    });

    it('creates one key for many concurrent requests with one request_id', async () => {
      const all = await Promise.all(
        Array.from({ length: 20 }, () => service.issue({ request_id: 'repeat-20' })),
      );
      expect(new Set(all.map(({ key }) => key.key_id)).size).toBe(1);
      expect(all.filter(({ secret }) => secret !== '')).toHaveLength(1);
    });

    it('creates 100 different keys for 100 concurrent requests', async () => {
      const all = await Promise.all(Array.from({ length: 100 }, () => service.issue()));
      expect(new Set(all.map(({ key }) => key.key_id)).size).toBe(100);
      expect(new Set(all.map(({ secret }) => secret)).size).toBe(100);
    });
  });

  describe('400 names the field', () => {
    const long = (length: number) => 'x'.repeat(length);
    const quota = (value: unknown) => ({ rate_limit_policy: { quota: value, window: '1m' } });
    const cidrs = (...allowed: unknown[]) => ({ ip_restriction: { allowed_cidrs: allowed } });
    const deep = JSON.parse(`${'{"a":'.repeat(40)}1${'}'.repeat(40)}`) as object;
    it.each<[string, Record<string, unknown>]>([
      ['name', { name: '' }],
      ['name', { name: undefined }],
      ['name', { name: long(256) }],
      ['name', { name: 7 }],
      ['name', { name: 'nul\u0000' }],
      ['name', { name: 'half \ud800 pair' }],
      ['actor_id', { actor_id: '' }],
      ['actor_id', { actor_id: long(256) }],
      ['actor_id', { actor_id: 'quote"' }],
      ['actor_id', { actor_id: '_other' }],
      ['actor_id', { actor_id: 'back\\slash' }],
      ['actor_id', { actor_id: 'line\nbreak' }],
      ['actor_id', { actor_id: 'next\u0085line' }],
      ['scopes', { scopes: 'read' }],
      ['scopes', { scopes: Array.from({ length: 257 }, (_, i) => `s${i}`) }],
      ['scopes[1]', { scopes: ['ok', ''] }],
      ['scopes[0]', { scopes: ['white space'] }],
      ['scopes[0]', { scopes: [long(256)] }],
      ['scopes[0]', { scopes: [1] }],
      ['metadata', { metadata: [] }],
      ['metadata', { metadata: 'text' }],
      ['metadata', { metadata: { big: long(64 * 1024) } }],
      ['metadata', { metadata: { nul: '\u0000' } }],
      ['metadata', { metadata: { 'half \udfff': 1 } }],
      ['metadata', { metadata: deep }],
      ['ttl', { ttl: '3600' }],
      ['ttl', { ttl: 3600 }],
      ['ttl', { ttl: '0s' }],
      ['ttl', { ttl: '-1h' }],
      ['ttl', { ttl: '5M' }],
      ['ttl', { ttl: '8761h' }],
      ['ttl', { ttl: '11y' }],
      ['rate_limit_policy', { rate_limit_policy: 5 }],
      ['rate_limit_policy.quota', quota(0)],
      ['rate_limit_policy.quota', quota(-1)],
      ['rate_limit_policy.quota', quota(1.5)],
      ['rate_limit_policy.quota', quota('9223372036854775808')],
      ['rate_limit_policy.quota', quota(undefined)],
      ['rate_limit_policy.window', { rate_limit_policy: { quota: 1 } }],
      ['rate_limit_policy.window', { rate_limit_policy: { quota: 1, window: '0s' } }],
      ['rate_limit_policy.unit', { rate_limit_policy: { quota: 1, window: '1m', unit: 'a"b' } }],
      ['ip_restriction.allowed_cidrs', { ip_restriction: {} }],
      ['ip_restriction.allowed_cidrs', { ip_restriction: { allowed_cidrs: null } }],
      ['ip_restriction.allowed_cidrs', { ip_restriction: { allowed_cidrs: [] } }],
      ['ip_restriction.allowed_cidrs[0]', cidrs('10.0.0.1')],
      ['ip_restriction.allowed_cidrs[0]', cidrs('10.0.0.0/33')],
      ['ip_restriction.allowed_cidrs[1]', cidrs('10.0.0.0/8', '10.1/16')],
      ['ip_restriction.allowed_cidrs[0]', cidrs('::/129')],
      ['ip_restriction.allowed_cidrs[0]', cidrs(7)],
      ['ip_restriction.allowed_cidrs', cidrs(...Array.from({ length: 257 }, () => '10.0.0.0/8'))],
      ['visibility', { visibility: 'KEY_VISIBILITY_OTHER' }],
      ['visibility', { visibility: 3 }],
      ['request_id', { request_id: long(37) }],
    ])('%s', async (field, fields) => {
      const answer = await service.admin('POST', '/issuedApiKeys', {
        name: 'Test',
        actor_id: 'user_1',
        ...fields,
      });
      expect(answer.status).toBe(400);
      expect(answer.body.error).toMatchObject({ code: 400, status: 'INVALID_ARGUMENT' });
      expect(namedFields(answer)).toEqual([field]);
    });

    it('and all of them together', async () => {
      const answer = await service.admin('POST', '/issuedApiKeys', { scopes: 1, ttl: 'x' });
      expect(namedFields(answer)).toEqual(['name', 'actor_id', 'scopes', 'ttl']);
    });

    it.each([
      ['{', undefined],
      ['[]', 'body'],
      ['"text"', 'body'],
      ['1', 'body'],
      ['{"__proto__":{}}', '__proto__'],
      ['{"metadata":{"__proto__":{}}}', 'metadata.__proto__'],
      ['{"a":[7,{"constructor":{"prototype":1}}]}', 'a[1].constructor'],
    ])('refuses the body %s', async (body, field) => {
      const answer = await service.admin('POST', '/issuedApiKeys', body);
      expect(answer.status).toBe(400);
      expect(answer.body.error.status).toBe('INVALID_ARGUMENT');
      if (field !== undefined) expect(namedFields(answer)).toEqual([field]);
    });

    it('accepts values exactly at their limits', async () => {
      const { key } = await service.issue({
        name: '😀'.repeat(255),
        actor_id: 'x'.repeat(255),
        scopes: Array.from({ length: 256 }, (_, i) => `${i}`.padStart(255, 's')),
        ttl: '8760h',
        metadata: { big: 'x'.repeat(64 * 1024 - 10) },
        rate_limit_policy: { quota: '9223372036854775807', window: '10y' },
        request_id: 'x'.repeat(36),
      });
      expect(key.rate_limit_policy).toEqual({
        quota: '9223372036854775807',
        unit: 'requests',
        window: '315360000s',
      });
    });
  });

  it('413: a body over 1 MiB', async () => {
    const answer = await service.admin('POST', '/issuedApiKeys', {
      name: 'x'.repeat(1024 * 1024),
    });
    expect(answer.status).toBe(413);
    expect(answer.body.error.status).toBe('RESOURCE_EXHAUSTED');
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/scim+json', 'nonsense'])(
    '415: a body of type %s',
    async (type) => {
      const headers = { 'content-type': type };
      const answer = await service.admin('POST', '/issuedApiKeys', '{}', { headers });
      expect(answer.status).toBe(415);
      expect(answer.body.error.status).toBe('INVALID_ARGUMENT');
    },
  );
});

describe('GET /v2alpha1/admin/issuedApiKeys/{key_id}', () => {
  it('200: the key, without its secret', async () => {
    const { key } = await service.issue();
    const answer = await service.admin('GET', `/issuedApiKeys/${key.key_id}`);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual(key);
  });

  it.each([
    '01900000-0000-7000-8000-000000000000',
    'nonsense',
    'a'.repeat(15_000),
    '%00',
    'ünïcode',
  ])('404: %s', async (keyId) => {
    const answer = await service.admin('GET', `/issuedApiKeys/${keyId}`);
    expect(answer.status).toBe(404);
    expect(reasonOf(answer)).toBe('API_KEY_NOT_FOUND');
  });
});
