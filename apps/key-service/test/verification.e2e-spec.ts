import { randomBytes } from 'node:crypto';
import { eventually } from '@gatehouse/testing';
import {
  type KeyServiceStack,
  namedFields,
  startKeyService,
  UNKNOWN_CREDENTIAL,
} from './key-stack.js';

let service: KeyServiceStack;

beforeAll(async () => {
  service = await startKeyService({ ISSUER: 'https://keys.example.com' });
});
afterAll(() => service.close());

describe('POST /v2alpha1/admin/apiKeys:verify', () => {
  describe('200', () => {
    it('returns the owner and the scopes of the credential', async () => {
      const { secret, key } = await service.issue({
        scopes: ['a', 'b'],
        metadata: { n: [1, 'é'] },
      });
      const { status, body } = await service.verify(secret);
      expect(status).toBe(200);
      expect(body).toEqual({
        is_valid: true,
        audiences: [],
        status: 'KEY_STATUS_ACTIVE',
        key_id: key.key_id,
        actor_id: 'user_1',
        scopes: ['a', 'b'],
        metadata: { n: [1, 'é'] },
        expire_time: key.expire_time,
        visibility: 'KEY_VISIBILITY_SECRET',
        issuer: 'https://keys.example.com',
        rate_limit_policy: null,
        rate_limit_reset_time: null,
      });
    });

    it('the same answer for unknown, altered and malformed credentials', async () => {
      const { secret } = await service.issue();
      const last = secret.at(-1) === 'a' ? 'b' : 'a';
      const credentials = [
        secret.slice(0, -1) + last,
        secret.replace('gate_sk', 'other_sk'),
        secret.slice(0, -5),
        `${secret}1`,
        'garbage',
        'sk_live_unknown_imported_key',
        'nul\u0000inside',
        '{"json":true}',
        'x'.repeat(8_192),
      ];
      for (const credential of credentials) {
        const { status, body } = await service.verify(credential);
        expect([status, body]).toEqual([200, UNKNOWN_CREDENTIAL]);
      }
    });

    it('a credential of more than 8,192 bytes has an invalid format', async () => {
      const { body } = await service.verify('x'.repeat(8_193));
      expect(body.error_code).toBe('VERIFICATION_ERROR_INVALID_FORMAT');
    });

    it('REVOKED has precedence over EXPIRED, and both include the owner', async () => {
      const { secret, key } = await service.issue({ ttl: '1s', scopes: ['a'] });
      await eventually(async () => {
        expect((await service.verify(secret)).body).toMatchObject({
          is_valid: false,
          status: 'KEY_STATUS_EXPIRED',
          key_id: key.key_id,
          error_code: 'VERIFICATION_ERROR_EXPIRED',
        });
      });
      await service.admin('POST', `/apiKeys/${key.key_id}:revoke`, {});
      expect((await service.verify(secret)).body).toMatchObject({
        is_valid: false,
        status: 'KEY_STATUS_REVOKED',
        key_id: key.key_id,
        scopes: ['a'],
        error_code: 'VERIFICATION_ERROR_REVOKED',
      });
    });

    it('is never valid after the expiry, also from the cache', async () => {
      const { secret, key } = await service.issue({ ttl: '1s' });
      const expireMs = Date.parse(key.expire_time);
      for (;;) {
        const sentMs = Date.now();
        const { body } = await service.verify(secret);
        if (sentMs >= expireMs) expect(body.is_valid).toBe(false);
        if (!body.is_valid) break;
        expect(sentMs).toBeLessThan(expireMs);
      }
    });

    it('INSUFFICIENT_SCOPE when a required scope is missing', async () => {
      const { secret } = await service.issue({ scopes: ['a', 'b'] });
      const good = await service.verify(secret, { required_scopes: ['b', 'a'] });
      expect(good.body.is_valid).toBe(true);
      const bad = await service.verify(secret, { requiredScopes: ['a', 'c'] });
      expect(bad.body).toMatchObject({
        is_valid: false,
        status: 'KEY_STATUS_ACTIVE',
        error_code: 'VERIFICATION_ERROR_INSUFFICIENT_SCOPE',
      });
    });

    it('IP_NOT_ALLOWED outside the allowed networks, which are not disclosed', async () => {
      const inside = await service.issue({ ip_restriction: { allowed_cidrs: ['127.0.0.0/8'] } });
      expect((await service.verify(inside.secret)).body.is_valid).toBe(true);
      const outside = await service.issue({ ip_restriction: { allowed_cidrs: ['10.9.0.0/16'] } });
      const { body } = await service.verify(outside.secret);
      expect(body.error_code).toBe('VERIFICATION_ERROR_IP_NOT_ALLOWED');
      expect(JSON.stringify(body)).not.toContain('10.9.0.0');
    });

    it('checks in the order revoked, expired, address, scopes, rate limit', async () => {
      const { secret, key } = await service.issue({
        ip_restriction: { allowed_cidrs: ['10.0.0.0/8'] },
        rate_limit_policy: { quota: 1, window: '1h' },
      });
      const code = async () =>
        (await service.verify(secret, { required_scopes: ['x'] })).body.error_code as string;
      const update = (body: object, mask: string) =>
        service.admin('PATCH', `/issuedApiKeys/${key.key_id}?update_mask=${mask}`, body);
      expect(await code()).toBe('VERIFICATION_ERROR_IP_NOT_ALLOWED');
      await update({}, 'ip_restriction');
      expect(await code()).toBe('VERIFICATION_ERROR_INSUFFICIENT_SCOPE');
      await update({ scopes: ['x'] }, 'scopes');
      expect(await code()).toBeUndefined();
      expect(await code()).toBe('VERIFICATION_ERROR_RATE_LIMITED');
      await update({}, 'scopes');
      expect(await code()).toBe('VERIFICATION_ERROR_INSUFFICIENT_SCOPE');
      await service.admin('POST', `/apiKeys/${key.key_id}:revoke`, {});
      expect(await code()).toBe('VERIFICATION_ERROR_REVOKED');
    });

    it('RATE_LIMITED over the quota, with the headers of the IETF draft', async () => {
      const { secret } = await service.issue({ rate_limit_policy: { quota: 2, window: '1h' } });
      const first = await service.verify(secret);
      expect(first.body).toMatchObject({
        is_valid: true,
        rate_limit_policy: { quota: '2', unit: 'requests', window: '3600s' },
        rate_limit_remaining: '1',
      });
      expect(first.headers.get('ratelimit-policy')).toBe('"key";q=2;w=3600');
      expect(first.headers.get('ratelimit')).toMatch(/^"key";r=1;t=(1800|1799)$/);
      expect(first.headers.get('retry-after')).toBeNull();
      const resetMs = Date.parse(first.body.rate_limit_reset_time) - Date.now();
      expect(resetMs).toBeGreaterThan(1_790_000);
      expect(resetMs).toBeLessThanOrEqual(1_800_000);
      expect((await service.verify(secret)).body.rate_limit_remaining).toBe('0');
      const over = await service.verify(secret);
      expect(over.body).toMatchObject({
        is_valid: false,
        status: 'KEY_STATUS_ACTIVE',
        rate_limit_remaining: '0',
        error_code: 'VERIFICATION_ERROR_RATE_LIMITED',
      });
      expect(Number(over.headers.get('retry-after'))).toBeGreaterThan(1_700);
    });

    it('the quota comes back evenly over the window', async () => {
      const { secret } = await service.issue({ rate_limit_policy: { quota: 1, window: '3s' } });
      expect((await service.verify(secret)).body.is_valid).toBe(true);
      expect((await service.verify(secret)).body.is_valid).toBe(false);
      await eventually(async () => {
        expect((await service.verify(secret)).body.is_valid).toBe(true);
      });
    });

    it('records the first use soon, without changing update_time', async () => {
      const { secret, key } = await service.issue();
      await service.verify(secret);
      await eventually(
        async () => {
          const { body } = await service.admin('GET', `/issuedApiKeys/${key.key_id}`);
          expect(body.last_used_time).not.toBeNull();
          expect(body.update_time).toBe(key.update_time);
        },
        { timeoutMs: 15_000 },
      );
    });
  });

  describe('the cache', () => {
    const state = async (secret: string, headers: Record<string, string> = {}) => {
      const answer = await service.verify(secret, {}, { headers });
      expect(answer.headers.get('ory-talos-cache')).toBe(answer.headers.get('x-cache'));
      return answer.headers.get('x-cache');
    };

    it('misses once, then hits', async () => {
      const { secret } = await service.issue();
      expect([await state(secret), await state(secret)]).toEqual(['MISS', 'HIT']);
    });

    it('no-store bypasses the cache, no-cache and Pragma refresh it', async () => {
      const { secret } = await service.issue();
      expect(await state(secret, { 'cache-control': 'no-store' })).toBe('SKIP');
      expect(await state(secret)).toBe('MISS');
      expect(await state(secret, { 'cache-control': 'max-age=0, No-Store' })).toBe('SKIP');
      const other = await service.issue();
      expect(await state(other.secret, { 'cache-control': 'No-Cache' })).toBe('SKIP');
      expect(await state(other.secret)).toBe('HIT');
      const third = await service.issue();
      expect(await state(third.secret, { pragma: 'no-cache' })).toBe('SKIP');
      expect(await state(third.secret, { 'cache-control': 'max-age=0' })).toBe('HIT');
    });

    it('drops a key that changes', async () => {
      const { secret, key } = await service.issue();
      await service.verify(secret);
      const path = `/issuedApiKeys/${key.key_id}`;
      await service.admin('PATCH', path, { scopes: ['new'] });
      const { body, headers } = await service.verify(secret);
      expect([headers.get('x-cache'), body.scopes]).toEqual(['MISS', ['new']]);
    });

    it('caches an unknown raw key only for a short time', async () => {
      const raw_key = `later_${randomBytes(8).toString('hex')}`;
      expect((await service.verify(raw_key)).body.is_valid).toBe(false);
      const fields = { raw_key, name: 'Later', actor_id: 'user_1' };
      expect((await service.admin('POST', '/importedApiKeys', fields)).status).toBe(201);
      expect((await service.verify(raw_key)).body.is_valid).toBe(true);
    });

    it('gives 50 concurrent first verifications the same answer', async () => {
      const { secret } = await service.issue();
      const answers = await Promise.all(Array.from({ length: 50 }, () => service.verify(secret)));
      expect(answers.every(({ body }) => body.is_valid)).toBe(true);
    });
  });

  describe('400', () => {
    it.each([
      ['credential', {}],
      ['credential', { credential: '' }],
      ['credential', { credential: 7 }],
      ['credential', { credential: null }],
      ['required_scopes', { credential: 'x', required_scopes: 'a' }],
      ['required_scopes[0]', { credential: 'x', required_scopes: [''] }],
      ['audience', { credential: 'x', audience: 7 }],
      ['expected_audiences', { credential: 'x', expected_audiences: 'a' }],
      ['expected_audiences[1]', { credential: 'x', expected_audiences: ['a', ''] }],
      ['expected_audiences[0]', { credential: 'x', expected_audiences: [null] }],
      ['expected_audiences', { credential: 'x', expected_audiences: ['a'], audience: 'a' }],
      ['body', '[]'],
    ])('%s', async (field, body) => {
      const answer = await service.admin('POST', '/apiKeys:verify', body);
      expect(answer.status).toBe(400);
      expect(namedFields(answer)).toEqual([field]);
    });

    it.each(['{', '{"credential":"x"', '\u0000', '{"credential":"x","__proto__":{}}'])(
      'a body that is no JSON: %j',
      async (body) => {
        const answer = await service.admin('POST', '/apiKeys:verify', body);
        expect(answer.status).toBe(400);
        expect(answer.body.error.code).toBe(400);
      },
    );
  });

  it('200 with INVALID_FORMAT: a credential beyond the maximum length', async () => {
    const { status, body } = await service.verify('x'.repeat(600_000));
    expect([status, body.error_code]).toEqual([200, 'VERIFICATION_ERROR_INVALID_FORMAT']);
  });
});
