/** Why a key was refused: on every route that verifies, from any replica, without the credential. */
import { randomUUID } from 'node:crypto';
import { eventually } from '@gatehouse/testing';
import { type KeyServiceStack, reasonOf, startKeyService } from './key-stack.js';

let service: KeyServiceStack;
beforeAll(async () => {
  service = await startKeyService({}, 2);
});
afterAll(() => service.close());

interface Refusal {
  error_code: string;
  limit: string;
  network: string;
  first_time: string;
  last_time: string;
  count: string;
}
const refusalsOf = async (keyId: string): Promise<Refusal[]> => {
  const { status, body } = await service.admin('GET', `/apiKeys/${keyId}/refusals`);
  expect(status).toBe(200);
  return body.refusals;
};
const refused = (code: string, network: string, count: number, limit = '') => {
  const times = { first_time: expect.any(String), last_time: expect.any(String) };
  return { error_code: `VERIFICATION_ERROR_${code}`, limit, network, count: `${count}`, ...times };
};
const eventuallyRefused = (keyId: string, expected: readonly object[]) =>
  eventually(async () => {
    const found = await refusalsOf(keyId);
    expect(found).toHaveLength(expected.length);
    expect(found).toEqual(expect.arrayContaining([...expected]));
    return found;
  });
const LOCAL = '127.0.0.0/24';

describe('GET /v2alpha1/admin/apiKeys/{key_id}/refusals', () => {
  it('200: counts refusals of every route, also of tokens, and no valid verification', async () => {
    const { secret, key } = await service.issue({ scopes: ['a'] });
    const token = await service.tokenOf(secret);
    const before = Date.now();
    expect(await service.errorOf(secret)).toBeUndefined();
    const more = { required_scopes: ['b'], client_ip: '2001:db8:1:2::3' };
    await service.verify(secret, more);
    await service.admin('POST', '/apiKeys:batchVerify', {
      requests: [
        { credential: secret, required_scopes: ['b'] },
        { credential: secret },
        { credential: token, required_scopes: ['b'] },
      ],
    });
    const headers = { 'x-api-key': secret };
    await service.admin('GET', '/apiKeys:authorize?scope=b', undefined, { headers });
    await service.admin('POST', `/apiKeys/${key.key_id}:pause`);
    // The direct route, and the same on the other replica.
    await service.verify(secret);
    await service.verify(secret, {}, { replica: 1 });
    await service.verify(token, {}, { replica: 1 });

    const found = await eventuallyRefused(key.key_id, [
      refused('INSUFFICIENT_SCOPE', '2001:db8:1::/48', 1),
      refused('INSUFFICIENT_SCOPE', LOCAL, 3),
      refused('PAUSED', LOCAL, 3),
    ]);
    expect(found[0]?.error_code).toBe('VERIFICATION_ERROR_PAUSED');
    for (const { first_time: first, last_time: last } of found) {
      expect(Date.parse(first)).toBeGreaterThanOrEqual(before);
      expect(Date.parse(last)).toBeGreaterThanOrEqual(Date.parse(first));
    }
    expect(JSON.stringify(found)).not.toContain(secret.slice(20, 40));
  });

  it('200: names the limit that refused', async () => {
    const { secret, key } = await service.issue({
      rate_limits: [{ name: 'exports', quota: '1', window: '1h' }],
      rate_limit_policy: { quota: '100', window: '1h' },
    });
    await service.verify(secret);
    await service.verify(secret);
    await service.verify(secret, { peek: true });
    await eventuallyRefused(key.key_id, [refused('RATE_LIMITED', LOCAL, 1, 'exports')]);
  });

  it('200: of an imported key, until it is deleted', async () => {
    const fields = { name: 'x', actor_id: 'x', raw_key: 'imported-and-refused' };
    const { body } = await service.admin('POST', '/importedApiKeys', fields);
    expect(await refusalsOf(body.key_id)).toEqual([]);
    await service.verify(fields.raw_key, { required_scopes: ['b'] });
    await eventuallyRefused(body.key_id, [refused('INSUFFICIENT_SCOPE', LOCAL, 1)]);
    await service.admin('DELETE', `/importedApiKeys/${body.key_id}`);
    expect((await service.admin('GET', `/apiKeys/${body.key_id}/refusals`)).status).toBe(404);
    const rows = await service.database.query('SELECT FROM keys.refusals WHERE key_id = $1', [
      body.key_id,
    ]);
    expect(rows).toHaveLength(0);
  });

  it('200: none of a key that was erased', async () => {
    const { secret, key } = await service.issue();
    await service.admin('POST', `/apiKeys/${key.key_id}:revoke`, {});
    await service.verify(secret);
    await eventuallyRefused(key.key_id, [refused('REVOKED', LOCAL, 1)]);
    await service.admin('POST', `/apiKeys/${key.key_id}:erase`);
    expect(await refusalsOf(key.key_id)).toEqual([]);
  });

  it('404: an unknown key', async () => {
    for (const id of [randomUUID(), 'x']) {
      const answer = await service.admin('GET', `/apiKeys/${id}/refusals`);
      expect([answer.status, reasonOf(answer)]).toEqual([404, 'API_KEY_NOT_FOUND']);
    }
  });

  it('200: what a process has noted is written when it ends', async () => {
    const { secret, key } = await service.issue();
    await service.admin('POST', `/apiKeys/${key.key_id}:revoke`, {});
    const leaving = await service.start();
    const replica = service.replicas.indexOf(leaving);
    for (let n = 0; n < 5; n += 1) await service.verify(secret, {}, { replica });
    expect(await leaving.stop()).toBe(0);
    expect(await refusalsOf(key.key_id)).toEqual([refused('REVOKED', LOCAL, 5)]);
  });
});
