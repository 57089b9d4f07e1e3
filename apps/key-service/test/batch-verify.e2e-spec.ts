import {
  type KeyServiceStack,
  namedFields,
  startKeyService,
  UNKNOWN_CREDENTIAL,
} from './key-stack.js';

let service: KeyServiceStack;

beforeAll(async () => {
  service = await startKeyService();
});
afterAll(() => service.close());

describe('POST /v2alpha1/admin/apiKeys:batchVerify', () => {
  const batch = (requests: unknown, headers: Record<string, string> = {}) =>
    service.admin('POST', '/apiKeys:batchVerify', { requests }, { headers });

  it('200: one result for each request, in order', async () => {
    const keys = await Promise.all(Array.from({ length: 98 }, () => service.issue()));
    const requests = [
      ...keys.map(({ secret }) => ({ credential: secret })),
      { credential: 'gate_sk_v1_x' },
      { credential: 'x' },
    ];
    for (const expected of ['MISS', 'MISS']) {
      const { status, headers, body } = await batch(requests);
      expect(status).toBe(200);
      expect(headers.get('x-cache')).toBe(expected);
      expect(body.results.slice(0, 98).map((r: { key_id: string }) => r.key_id)).toEqual(
        keys.map(({ key }) => key.key_id),
      );
      expect(body.results[98]).toEqual(UNKNOWN_CREDENTIAL);
      expect(body.results[99]).toEqual(UNKNOWN_CREDENTIAL);
    }
    expect((await batch(requests.slice(0, 98))).headers.get('x-cache')).toBe('HIT');
    const skipped = await batch(requests.slice(0, 98), { 'cache-control': 'no-store' });
    expect(skipped.headers.get('x-cache')).toBe('SKIP');
    expect(skipped.body.results).toHaveLength(98);
  });

  it('200: every item counts against a rate limit', async () => {
    const { secret } = await service.issue({ rate_limit_policy: { quota: 3, window: '1h' } });
    const { body } = await batch(Array.from({ length: 5 }, () => ({ credential: secret })));
    const valid = body.results.filter((result: { is_valid: boolean }) => result.is_valid);
    expect(valid).toHaveLength(3);
  });

  it('200: scopes are checked for each item', async () => {
    const { secret } = await service.issue({ scopes: ['a'] });
    const { body } = await batch([
      { credential: secret, required_scopes: ['a'] },
      { credential: secret, required_scopes: ['b'] },
    ]);
    expect(body.results.map((r: { is_valid: boolean }) => r.is_valid)).toEqual([true, false]);
  });

  it.each([
    ['requests', []],
    ['requests', Array.from({ length: 101 }, () => ({ credential: 'x' }))],
    ['requests', undefined],
    ['requests', 'x'],
    ['requests[1]', [{ credential: 'x' }, 'y']],
    ['requests[0].credential', [{ credential: 7 }]],
    ['requests[0].credential', [{}]],
    ['requests[0].credential', [null]],
    ['requests[1].credential', [{ credential: 'x' }, { credential: '' }]],
    ['requests[1].credential', [{ credential: 'x' }, { credential: null }]],
    ['requests[2].credential', [{ credential: 'x' }, { credential: 'y' }, { tags: ['a'] }]],
  ])('400: %s', async (field, requests) => {
    const answer = await batch(requests);
    expect(answer.status).toBe(400);
    expect(namedFields(answer)).toEqual([field]);
  });
});
