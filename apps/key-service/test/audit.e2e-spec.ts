import { checkPayload, eventually } from '@gatehouse/testing';
import { type KeyServiceStack, namedFields, startKeyService } from './key-stack.js';

let service: KeyServiceStack;

beforeAll(async () => {
  service = await startKeyService();
});
afterAll(() => service.close());

describe('GET /v2alpha1/admin/auditEvents', () => {
  it('200: lists changes with caller and key, newest first', async () => {
    const { secret, key } = await service.issue({ actor_id: 'audited one' });
    const { body: rotated } = await service.admin(
      'POST',
      `/issuedApiKeys/${key.key_id}:rotate`,
      {},
      { headers: { 'x-request-id': 'audit-1' } },
    );
    await service.call('POST', '/v2alpha1/apiKeys:selfRevoke', { credential: rotated.secret });
    await service.verify(secret);
    const filter = encodeURIComponent('actor_id="audited one"');
    const { status, body } = await service.admin('GET', `/auditEvents?filter=${filter}`);
    expect(status).toBe(200);
    const events = body.audit_events.filter(
      ({ type }: { type: string }) => type !== 'verification.failed',
    );
    expect(events).toMatchObject([
      { type: 'key.revoked', key_id: rotated.issued_api_key.key_id, caller: 'holder' },
      {
        type: 'key.rotated',
        key_id: rotated.issued_api_key.key_id,
        old_key_id: key.key_id,
        actor_id: 'audited one',
        caller: 'loopback',
        ip: '127.0.0.1',
        request_id: 'audit-1',
      },
      { type: 'key.issued', key_id: key.key_id, details: { name: 'Test' } },
    ]);
    expect(Object.keys(events[0] as object).sort()).toEqual([
      'actor_id',
      'caller',
      'create_time',
      'details',
      'event_id',
      'ip',
      'key_id',
      'old_key_id',
      'request_id',
      'type',
    ]);
  });

  it('200: lists failed verifications, one of a kind in a minute, without the credential', async () => {
    const { secret, key } = await service.issue({ actor_id: 'sampled', scopes: ['a'] });
    const headers = { 'x-request-id': 'sample-1' };
    for (let time = 0; time < 20; time += 1) {
      await service.verify(secret, { required_scopes: ['b'] }, { headers });
    }
    const filter = encodeURIComponent(`key_id=${key.key_id} AND type=verification.failed`);
    await eventually(async () => {
      const { body } = await service.admin('GET', `/auditEvents?filter=${filter}`);
      expect(body.audit_events).toEqual([
        {
          event_id: expect.any(String),
          type: 'verification.failed',
          key_id: key.key_id,
          old_key_id: '',
          actor_id: 'sampled',
          caller: 'loopback',
          ip: '127.0.0.1',
          request_id: 'sample-1',
          create_time: expect.any(String),
          details: { error_code: 'VERIFICATION_ERROR_INSUFFICIENT_SCOPE' },
        },
      ]);
      checkPayload('verification.failed', 'event', body.audit_events[0]);
    });
  });

  it('200: pages, filtered by key and type', async () => {
    const { key } = await service.issue();
    for (const name of ['a', 'b', 'c']) {
      await service.admin('PATCH', `/issuedApiKeys/${key.key_id}`, { name });
    }
    const list = async (more = '') =>
      (
        await service.admin(
          'GET',
          `/auditEvents?page_size=2&filter=${encodeURIComponent(`key_id=${key.key_id} AND type=key.updated`)}${more}`,
        )
      ).body;
    const first = await list();
    expect(first.audit_events).toHaveLength(2);
    const second = await list(`&page_token=${first.next_page_token}`);
    expect(second.audit_events).toHaveLength(1);
    expect(second.next_page_token).toBe('');
  });

  it.each(['filter=status=x', 'filter=actor_id=', 'page_token=x', 'page_size=x'])(
    '400: %s',
    async (query) => {
      const answer = await service.admin('GET', `/auditEvents?${query}`);
      expect([answer.status, namedFields(answer)]).toEqual([400, [query.split('=')[0]]]);
    },
  );

  it('an event exists exactly when the change does', async () => {
    const before = await service.admin('GET', '/auditEvents?page_size=1');
    await service.admin('POST', '/issuedApiKeys', { name: '' });
    await service.admin('POST', `/apiKeys/01900000-0000-7000-8000-000000000000:revoke`, {});
    const after = await service.admin('GET', '/auditEvents?page_size=1');
    expect(after.body.audit_events).toEqual(before.body.audit_events);
  });
});
