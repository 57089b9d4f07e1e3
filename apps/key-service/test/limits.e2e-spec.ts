/** Named limits over HTTP. */
import { type KeyServiceStack, namedFields, startKeyService } from './key-stack.js';

let service: KeyServiceStack;
beforeAll(async () => {
  service = await startKeyService();
});
afterAll(() => service.close());

const exports = { name: 'exports', quota: '2', window: '1h' };
const calls = { name: 'calls', quota: '100', window: '60s', scope: 'actor', on_error: 'deny' };
const NEW = { name: 'x', actor_id: 'x' };

describe('rate_limits of a key', () => {
  it('are stored with their defaults, updated, reset and inherited by a rotation', async () => {
    const { key } = await service.issue({
      rate_limits: [exports, { ...calls, burst: 10, strict: true }],
    });
    const stored = [
      { ...exports, window: '3600s', burst: '2', scope: 'key', strict: false },
      { ...calls, burst: '10', strict: true },
    ];
    expect(key.rate_limits).toEqual(stored);
    const path = `/issuedApiKeys/${key.key_id}`;
    expect((await service.admin('GET', path)).body.rate_limits).toEqual(stored);
    const renamed = await service.admin('PATCH', path, { name: 'y' });
    expect(renamed.body.rate_limits).toEqual(stored);
    const rotated = await service.admin('POST', `${path}:rotate`, { grace_period: '1h' });
    expect(rotated.body.issued_api_key.rate_limits).toEqual(stored);
    const one = await service.admin('PATCH', path, { rateLimits: [{ ...exports, quota: 5 }] });
    expect(one.body.rate_limits).toMatchObject([{ name: 'exports', quota: '5', burst: '5' }]);
    const none = await service.admin('PATCH', `${path}?update_mask=rate_limits`, {});
    expect(none.body).not.toHaveProperty('rate_limits');
    const imported = { raw_key: 'limits-raw-key-1', ...NEW, rate_limits: [exports] };
    const { body } = await service.admin('POST', '/importedApiKeys', imported);
    expect(body.rate_limits).toHaveLength(1);
  });

  it.each([
    ['rate_limits', 5],
    ['rate_limits', Array.from({ length: 9 }, (_, n) => ({ ...exports, name: `l${n}` }))],
    ['rate_limits[0]', ['exports']],
    ['rate_limits[0].name', [{ ...exports, name: 'default' }]],
    ['rate_limits[0].name', [{ ...exports, name: 'A b' }]],
    ['rate_limits[0].name', [{ quota: 1, window: '1s' }]],
    ['rate_limits[1].name', [exports, exports]],
    ['rate_limits[0].quota', [{ ...exports, quota: 0 }]],
    ['rate_limits[0].quota', [{ ...exports, quota: '1000000000001' }]],
    ['rate_limits[0].quota', [{ ...exports, quota: 1e300 }]],
    ['rate_limits[0].burst', [{ ...exports, burst: 3 }]],
    ['rate_limits[0].burst', [{ ...exports, burst: '0' }]],
    ['rate_limits[0].window', [{ ...exports, window: '367d' }]],
    ['rate_limits[0].window', [{ ...exports, window: '' }]],
    ['rate_limits[0].scope', [{ ...exports, scope: 'ip' }]],
    ['rate_limits[0].tag', [{ ...exports, scope: 'tag' }]],
    ['rate_limits[0].tag', [{ ...exports, tag: 'a' }]],
    ['rate_limits[0].on_error', [{ ...exports, on_error: 'open' }]],
    ['rate_limits[0].strict', [{ ...exports, strict: 'yes' }]],
    ['rate_limits[0].qouta', [{ ...exports, qouta: 1 }]],
  ])('400: %s', async (field, rate_limits) => {
    const answer = await service.admin('POST', '/issuedApiKeys', { ...NEW, rate_limits });
    expect([answer.status, namedFields(answer)]).toEqual([400, [field]]);
  });
});

describe('a verification', () => {
  it('tells the state of each limit, and which one refused', async () => {
    const { secret } = await service.issue({ rate_limits: [exports, calls], actor_id: 'teller' });
    const first = await service.verify(secret);
    const reset_time = expect.any(String) as unknown;
    expect(first.body).toMatchObject({
      is_valid: true,
      rate_limit_policy: null,
      rate_limit_reset_time: null,
      rate_limits: [
        { name: 'exports', quota: '2', remaining: '1', reset_time, exceeded: false },
        { name: 'calls', quota: '100', remaining: '99', reset_time, exceeded: false },
      ],
    });
    expect(first.headers.get('ratelimit-policy')).toBe('"exports";q=2;w=3600, "calls";q=100;w=60');
    expect(first.headers.get('ratelimit')).toMatch(/^"exports";r=1;t=1800, "calls";r=99;t=1$/);
    const costly = { limits: [{ name: 'exports', cost: 2 }, { name: 'unknown' }] };
    const over = await service.verify(secret, costly);
    expect(over.body).toMatchObject({
      is_valid: false,
      error_code: 'VERIFICATION_ERROR_RATE_LIMITED',
      error_message: 'The credential exceeds its limit "exports".',
      rate_limits: [
        { name: 'exports', remaining: '1', exceeded: true, retry_after: '1800s' },
        { name: 'calls', exceeded: false },
      ],
    });
    expect(over.headers.get('retry-after')).toBe('1800');
    const looked = await service.verify(secret, { peek: true });
    expect(looked.body.rate_limits[0].remaining).toBe('1');
    const cheap = await service.verify(secret, { limits: [{ name: 'exports', cost: 0 }] });
    expect(cheap.body.rate_limits[0].remaining).toBe('1');
    expect((await service.verify(secret)).body.rate_limits[0].remaining).toBe('0');
    const gateway = await service.admin('GET', '/apiKeys:authorize', undefined, {
      headers: { 'x-api-key': secret },
    });
    expect([gateway.status, gateway.headers.get('retry-after')]).toEqual([429, '1800']);
  });

  it('counts rate_limit_policy as the limit default', async () => {
    const { secret } = await service.issue({
      rate_limit_policy: { quota: 10, window: '1h' },
      rate_limits: [exports],
    });
    const { body, headers } = await service.verify(secret, {
      limits: [{ name: 'default', cost: 4 }],
    });
    expect(body.rate_limit_remaining).toBe('6');
    expect(body.rate_limits).toMatchObject([
      { name: 'default', remaining: '6' },
      { name: 'exports', remaining: '1' },
    ]);
    expect(headers.get('ratelimit')).toMatch(/^"key";r=6;t=\d+, "exports";r=1;t=\d+$/);
  });

  it('in a batch: each item has costs of its own', async () => {
    const { secret } = await service.issue({ rate_limits: [{ ...exports, quota: 9 }] });
    const item = (cost: number) => ({ credential: secret, limits: [{ name: 'exports', cost }] });
    const requests = [item(4), item(9), item(5)];
    const { body } = await service.admin('POST', '/apiKeys:batchVerify', { requests });
    const valid = (body.results as { is_valid: boolean }[]).map(({ is_valid }) => is_valid);
    expect(valid).toEqual([true, false, true]);
  });

  it.each([
    ['limits', { limits: {} }],
    ['limits[0].name', { limits: [{ cost: 1 }] }],
    ['limits[1].name', { limits: [{ name: 'a' }, { name: 'a' }] }],
    ['limits[0].cost', { limits: [{ name: 'a', cost: -1 }] }],
    ['limits[0].cost', { limits: [{ name: 'a', cost: 0.5 }] }],
    ['limits[0].cost', { limits: [{ name: 'a', cost: 1_000_000_001 }] }],
    ['limits[0].price', { limits: [{ name: 'a', price: 1 }] }],
    ['peek', { peek: 1 }],
  ])('400: %s', async (field, more) => {
    const answer = await service.verify('gate_sk_v1_any', more);
    expect([answer.status, namedFields(answer)]).toEqual([400, [field]]);
  });
});
