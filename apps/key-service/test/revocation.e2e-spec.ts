import { randomBytes } from 'node:crypto';
import { eventually } from '@gatehouse/testing';
import { type KeyServiceStack, namedFields, reasonOf, startKeyService } from './key-stack.js';

let service: KeyServiceStack;

beforeAll(async () => {
  service = await startKeyService();
});
afterAll(() => service.close());

const importKey = async () => {
  const raw_key = `revoke_${randomBytes(8).toString('hex')}`;
  const fields = { raw_key, name: 'Imported', actor_id: 'user_1' };
  return { raw_key, key: (await service.admin('POST', '/importedApiKeys', fields)).body };
};

describe.each([
  ['apiKeys', 'issued'],
  ['apiKeys', 'imported'],
  ['issuedApiKeys', 'issued'],
  ['importedApiKeys', 'imported'],
])('POST /v2alpha1/admin/%s/{key_id}:revoke of an %s key', (path, kind) => {
  const make = async () => {
    if (kind === 'issued') return service.issue();
    const { raw_key, key } = await importKey();
    return { secret: raw_key, key };
  };
  const revoke = (keyId: string, body?: unknown) =>
    service.admin('POST', `/${path}/${keyId}:revoke`, body);
  const get = async (keyId: string) =>
    (await service.admin('GET', `/${kind}ApiKeys/${keyId}`)).body;

  it('204: permanently, with the reason and the description', async () => {
    const { secret, key } = await make();
    await service.verify(secret);
    const { status, text } = await revoke(key.key_id, {
      reason: 'REVOCATION_REASON_PRIVILEGE_WITHDRAWN',
      description: 'Left the team.',
    });
    expect([status, text]).toEqual([204, '']);
    expect((await service.verify(secret)).body.error_code).toBe('VERIFICATION_ERROR_REVOKED');
    expect(await get(key.key_id)).toMatchObject({
      status: 'KEY_STATUS_REVOKED',
      revocation_reason: 'REVOCATION_REASON_PRIVILEGE_WITHDRAWN',
      revocation_description: 'Left the team.',
    });
  });

  it('204: without a body, and the reason is left out', async () => {
    const { key } = await make();
    expect((await revoke(key.key_id)).status).toBe(204);
    const record = await get(key.key_id);
    expect(record.status).toBe('KEY_STATUS_REVOKED');
    expect(record).not.toHaveProperty('revocation_reason');
  });

  it.each([
    ['reason', { reason: 'BECAUSE' }],
    ['reason', { reason: 5 }],
    ['description', { reason: 1, description: 'not with this reason' }],
    ['description', { description: 'x' }],
    ['description', { reason: 4, description: 'x'.repeat(501) }],
    ['description', { reason: 4, description: 'nul\u0000' }],
  ])('400: %s, and the key stays valid', async (field, body) => {
    const { key } = await make();
    const answer = await revoke(key.key_id, body);
    expect([answer.status, namedFields(answer)]).toEqual([400, [field]]);
    expect((await get(key.key_id)).status).toBe('KEY_STATUS_ACTIVE');
  });

  it('404: no such key', async () => {
    for (const keyId of ['01900000-0000-7000-8000-000000000000', 'nonsense', '%00']) {
      expect((await revoke(keyId, {})).status).toBe(404);
    }
  });

  it('409: already revoked, also for all but one of ten concurrent requests', async () => {
    const { key } = await make();
    const answers = await Promise.all(Array.from({ length: 10 }, () => revoke(key.key_id, {})));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, ...Array(9).fill(409)]);
    const again = await revoke(key.key_id, {});
    expect([again.status, reasonOf(again)]).toEqual([409, 'API_KEY_ALREADY_REVOKED']);
  });
});

describe('POST /v2alpha1/apiKeys:selfRevoke', () => {
  const selfRevoke = (body: unknown) => service.call('POST', '/v2alpha1/apiKeys:selfRevoke', body);

  it('200: by the holder of the secret, idempotent', async () => {
    const { secret, key } = await service.issue();
    const reason = 'REVOCATION_REASON_KEY_COMPROMISE';
    for (let time = 0; time < 2; time += 1) {
      const { status, body } = await selfRevoke({ credential: secret, reason });
      expect([status, body]).toEqual([200, {}]);
    }
    const { body } = await service.admin('GET', `/issuedApiKeys/${key.key_id}`);
    expect(body).toMatchObject({ status: 'KEY_STATUS_REVOKED', revocation_reason: reason });
  });

  it('200: of an imported key, without a reason', async () => {
    const { raw_key } = await importKey();
    expect((await selfRevoke({ credential: raw_key })).status).toBe(200);
    expect((await service.verify(raw_key)).body.error_code).toBe('VERIFICATION_ERROR_REVOKED');
  });

  it('400: no credential, a reason for administrators, a derived token', async () => {
    const { secret } = await service.issue();
    const withdrawn = { credential: secret, reason: 'REVOCATION_REASON_PRIVILEGE_WITHDRAWN' };
    const { body } = await service.admin('POST', '/apiKeys:derive', { credential: secret });
    const answers = [
      await selfRevoke({}),
      await selfRevoke(withdrawn),
      await selfRevoke({ credential: body.token.token }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400]);
    expect(answers.flatMap(namedFields)).toEqual(['credential', 'reason', 'credential']);
    expect((await service.verify(secret)).body.is_valid).toBe(true);
  });

  it('404: unknown, altered and expired credentials get the same answer', async () => {
    const { secret } = await service.issue();
    const expired = await service.issue({ ttl: '1s' });
    await service.untilExpired(expired.secret);
    const unknown = await selfRevoke({ credential: 'unknown' });
    expect(unknown.status).toBe(404);
    const altered = secret.slice(0, -1) + (secret.endsWith('1') ? '2' : '1');
    for (const credential of [altered, expired.secret]) {
      const answer = await selfRevoke({ credential });
      expect([answer.status, answer.body]).toEqual([404, unknown.body]);
    }
    expect((await service.verify(secret)).body.is_valid).toBe(true);
    await eventually(async () => {
      const { body } = await service.admin('GET', '/auditEvents?filter=type=verification.failed');
      const failures = body.audit_events.filter(
        ({ details }: { details: object }) => 'operation' in details,
      );
      expect(failures).toMatchObject([
        {
          key_id: expired.key.key_id,
          caller: 'holder',
          ip: '127.0.0.1',
          details: { error_code: 'VERIFICATION_ERROR_EXPIRED', operation: 'selfRevoke' },
        },
        {
          key_id: '',
          caller: 'holder',
          ip: '127.0.0.1',
          details: { error_code: 'VERIFICATION_ERROR_NOT_FOUND', operation: 'selfRevoke' },
        },
      ]);
    });
  });

  it('429: after 30 attempts of one address in a minute, on all replicas together', async () => {
    const limited = await startKeyService({}, 2);
    try {
      const { secret } = await limited.issue();
      const attempt = (replica: number, credential: string) =>
        limited.call('POST', '/v2alpha1/apiKeys:selfRevoke', { credential }, { replica });
      const guesses = await Promise.all(
        Array.from({ length: 34 }, (_, index) => attempt(index % 2, `guess-${index}`)),
      );
      const [known, limitedAt] = [404, 429];
      expect(guesses.map(({ status }) => status).sort()).toEqual([
        ...Array<number>(30).fill(known),
        ...Array<number>(4).fill(limitedAt),
      ]);
      const refused = await attempt(0, secret);
      expect([refused.status, reasonOf(refused)]).toEqual([429, 'SELF_REVOCATION_LIMITED']);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect((await limited.verify(secret)).body.is_valid).toBe(true);
    } finally {
      await limited.close();
    }
  });
});
