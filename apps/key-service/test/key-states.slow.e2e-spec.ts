/** A key is paused and resumed, its revocation is taken back, and its personal data is erased. */
import { type Answer, eventually } from '@gatehouse/testing';
import { ADMIN_KEY, bearer, type KeyServiceStack, reasonOf, startKeyService } from './key-stack.js';

let service: KeyServiceStack;

beforeAll(async () => {
  service = await startKeyService({ ADMIN_API_KEYS: ADMIN_KEY, KEY_EXPIRY_SCAN_INTERVAL: '1s' }, 2);
});
afterAll(() => service.close());

/** Generous for a busy machine. Without the message it takes CACHE_TTL (30 s). */
const HINT = { timeoutMs: 4_000 };

const asAdmin = { headers: bearer(ADMIN_KEY) };
const admin = (method: string, path: string, body?: unknown, replica = 0) =>
  service.admin(method, path, body, { ...asAdmin, replica });
const issue = async (fields: object = {}) => {
  const { status, body } = await admin('POST', '/issuedApiKeys', {
    name: 'Test',
    actor_id: 'user_1',
    ...fields,
  });
  if (status !== 201) throw new Error(JSON.stringify(body));
  return { id: body.issued_api_key.key_id as string, secret: body.secret as string };
};
const change = (id: string, verb: string, body?: object) =>
  admin('POST', `/apiKeys/${id}:${verb}`, body);
const fault = (answer: Answer) => [answer.status, reasonOf(answer)];
const verify = async (credential: string, replica = 0) =>
  (await admin('POST', '/apiKeys:verify', { credential }, replica)).body;
const onBoth = (credential: string, error: string | undefined) =>
  eventually(async () => {
    for (const replica of [0, 1]) {
      expect((await verify(credential, replica)).error_code).toBe(error);
    }
  }, HINT);
const eventsOf = async (id: string) => {
  const { body } = await admin('GET', '/events?page_size=1000');
  const events = body.events as { event: string; data: Record<string, unknown> }[];
  return events.filter(({ data }) => data.key_id === id);
};
const audited = async (id: string) => {
  const { body } = await admin('GET', `/auditEvents?filter=${encodeURIComponent(`key_id=${id}`)}`);
  const types = (body.audit_events as { type: string }[]).map(({ type }) => type);
  return types.filter((type) => type !== 'verification.failed');
};

describe(':pause and :resume', () => {
  it('200: all replicas refuse a paused key and its tokens, and accept them when it is resumed', async () => {
    const { id, secret } = await issue({ scopes: ['a'] });
    const derived = await admin('POST', '/apiKeys:derive', { credential: secret });
    const token = derived.body.token.token as string;
    await onBoth(secret, undefined);
    await onBoth(token, undefined);
    const paused = await change(id, 'pause');
    expect(paused.body.issued_api_key).toMatchObject({ key_id: id, status: 'KEY_STATUS_PAUSED' });
    await onBoth(secret, 'VERIFICATION_ERROR_PAUSED');
    await onBoth(token, 'VERIFICATION_ERROR_PAUSED');
    expect(await verify(secret)).toMatchObject({ status: 'KEY_STATUS_PAUSED', key_id: id });
    const refused = await admin('POST', '/apiKeys:derive', { credential: secret });
    expect(fault(refused)).toEqual([403, 'API_KEY_PAUSED']);
    const gateway = await service.admin('GET', '/apiKeys:authorize', undefined, {
      headers: { 'x-admin-authorization': ADMIN_KEY, 'x-api-key': secret },
    });
    expect(fault(gateway)).toEqual([403, 'CREDENTIAL_PAUSED']);

    const resumed = await change(id, 'resume');
    expect(resumed.body.issued_api_key.status).toBe('KEY_STATUS_ACTIVE');
    await onBoth(secret, undefined);
    await onBoth(token, undefined);
  });

  it('200: the second time changes nothing, and each change is one event and audited', async () => {
    const { id } = await issue();
    for (const verb of ['resume', 'pause', 'pause', 'resume', 'resume']) {
      expect((await change(id, verb)).status).toBe(200);
    }
    const names = ['key.issued', 'key.paused', 'key.resumed'];
    expect((await eventsOf(id)).map(({ event }) => event)).toEqual(names);
    expect((await audited(id)).reverse()).toEqual(names);
  });

  it('200: lists find paused keys by their status, and active ones without them', async () => {
    const { id } = await issue({ actor_id: 'lister' });
    await change(id, 'pause');
    const found = async (status: string) => {
      const filter = encodeURIComponent(`actor_id=lister AND status=${status}`);
      return (await admin('GET', `/issuedApiKeys?filter=${filter}`)).body.issued_api_keys.length;
    };
    expect([await found('KEY_STATUS_PAUSED'), await found('KEY_STATUS_ACTIVE')]).toEqual([1, 0]);
  });

  it('a paused key can be changed and revoked, but not rotated', async () => {
    const { id, secret } = await issue();
    await change(id, 'pause');
    const renamed = await admin('PATCH', `/issuedApiKeys/${id}`, { name: 'Other' });
    expect(renamed.body).toMatchObject({ name: 'Other', status: 'KEY_STATUS_PAUSED' });
    expect(fault(await admin('POST', `/issuedApiKeys/${id}:rotate`, {}))).toEqual([
      409,
      'API_KEY_NOT_ACTIVE',
    ]);
    const revoked = await service.call('POST', '/v2alpha1/apiKeys:selfRevoke', {
      credential: secret,
    });
    expect(revoked.status).toBe(200);
    await onBoth(secret, 'VERIFICATION_ERROR_REVOKED');
  });

  it('an imported key can be paused as well', async () => {
    const raw = 'imported-and-paused';
    const fields = { raw_key: raw, name: 'Raw', actor_id: 'raw' };
    const { body } = await admin('POST', '/importedApiKeys', fields);
    const paused = await change(body.key_id, 'pause');
    expect(paused.body.imported_api_key.status).toBe('KEY_STATUS_PAUSED');
    await onBoth(raw, 'VERIFICATION_ERROR_PAUSED');
  });

  it('403 where the admin may not: pausing needs keys:revoke, resuming what the key holds', async () => {
    const revoker = await issue({ scopes: ['keys:revoke'] });
    const issuer = await issue({ scopes: ['keys:issue'] });
    const { id } = await issue({ scopes: ['keys:admin'] });
    const by = async ({ secret }: { secret: string }, verb: string) =>
      (await service.admin('POST', `/apiKeys/${id}:${verb}`, {}, { headers: bearer(secret) }))
        .status;
    expect([await by(issuer, 'pause'), await by(revoker, 'pause')]).toEqual([403, 200]);
    expect([await by(revoker, 'resume'), await by(issuer, 'resume')]).toEqual([403, 403]);
    await change(id, 'revoke');
    expect([await by(revoker, 'undelete'), await by(issuer, 'undelete')]).toEqual([403, 403]);
    expect([await by(issuer, 'erase'), await by(revoker, 'erase')]).toEqual([403, 200]);
  });

  it('404 and 409: an unknown key, a revoked one and an expired one', async () => {
    const unknown = '01900000-0000-7000-8000-000000000000';
    const expired = await issue({ ttl: '1s' });
    const revoked = await issue();
    await change(revoked.id, 'revoke');
    await eventually(async () => {
      expect((await verify(expired.secret)).error_code).toBe('VERIFICATION_ERROR_EXPIRED');
    });
    for (const verb of ['pause', 'resume']) {
      expect(fault(await change(unknown, verb))).toEqual([404, 'API_KEY_NOT_FOUND']);
      expect(fault(await change(expired.id, verb))).toEqual([409, 'API_KEY_NOT_ACTIVE']);
      expect(fault(await change(revoked.id, verb))).toEqual([409, 'API_KEY_ALREADY_REVOKED']);
    }
  });
});

describe(':undelete', () => {
  it('200: takes a revocation back, on all replicas', async () => {
    const { id, secret } = await issue();
    await change(id, 'revoke', {
      reason: 'REVOCATION_REASON_PRIVILEGE_WITHDRAWN',
      description: 'left',
    });
    await onBoth(secret, 'VERIFICATION_ERROR_REVOKED');
    const { status, body } = await change(id, 'undelete');
    expect(status).toBe(200);
    expect(body.issued_api_key).toMatchObject({
      status: 'KEY_STATUS_ACTIVE',
      revocation_description: '',
    });
    expect(body.issued_api_key).not.toHaveProperty('revocation_reason');
    await onBoth(secret, undefined);
    const names = ['key.issued', 'key.revoked', 'key.undeleted'];
    expect((await eventsOf(id)).map(({ event }) => event)).toEqual(names);
    expect((await audited(id)).reverse()).toEqual(names);
  });

  it('200: a key that was paused before stays paused', async () => {
    const { id } = await issue();
    await change(id, 'pause');
    await change(id, 'revoke');
    expect((await change(id, 'undelete')).body.issued_api_key.status).toBe('KEY_STATUS_PAUSED');
  });

  it('409: exposed, by the holder, rotated, erased, expired or more than an hour ago', async () => {
    const keys = await Promise.all(Array.from({ length: 7 }, () => issue()));
    const [exposed, held, rotated, rotating, erased, old, expired] = keys as [
      ...[Key, Key, Key, Key, Key, Key, Key],
    ];
    await change(exposed.id, 'revoke', { reason: 'REVOCATION_REASON_KEY_COMPROMISE' });
    await service.call('POST', '/v2alpha1/apiKeys:selfRevoke', { credential: held.secret });
    await admin('POST', `/issuedApiKeys/${rotated.id}:rotate`, {});
    await admin('POST', `/issuedApiKeys/${rotating.id}:rotate`, { grace_period: '1h' });
    for (const { id } of [rotating, erased, old, expired]) await change(id, 'revoke');
    await change(erased.id, 'erase');
    const shift = (column: string, id: string) =>
      service.database.query(
        `UPDATE keys.api_keys SET ${column} = ${column} - interval '1 hour' WHERE key_id = $1`,
        [id],
      );
    await shift('undelete_until', old.id);
    await service.database.query(
      `UPDATE keys.api_keys SET expire_time = now() - interval '1 second' WHERE key_id = $1`,
      [expired.id],
    );
    for (const { id, secret } of keys) {
      expect(fault(await change(id, 'undelete'))).toEqual([409, 'REVOCATION_FINAL']);
      expect((await verify(secret)).error_code).toBe('VERIFICATION_ERROR_REVOKED');
    }
  });

  it('409: a key that is not revoked', async () => {
    const { id } = await issue();
    expect(fault(await change(id, 'undelete'))).toEqual([409, 'API_KEY_NOT_REVOKED']);
    await change(id, 'revoke');
    await change(id, 'undelete');
    expect(fault(await change(id, 'undelete'))).toEqual([409, 'API_KEY_NOT_REVOKED']);
  });

  it('402: there are as many keys as MAX_KEYS allows', async () => {
    const { id } = await issue();
    await change(id, 'revoke');
    await service.start({ ADMIN_API_KEYS: ADMIN_KEY, MAX_KEYS: '1' });
    expect((await admin('POST', `/apiKeys/${id}:undelete`, {}, 2)).status).toBe(402);
    expect((await change(id, 'undelete')).status).toBe(200);
  });
});

describe(':erase', () => {
  const personal = {
    name: 'Given Surname',
    actor_id: 'mail@person.example',
    tags: ['person'],
    metadata: { phone: '+1 555 0100' },
    ip_restriction: { allowed_cidrs: ['127.0.0.0/8'] },
    rate_limits: [{ name: 'own', quota: 9, window: '1h', scope: 'tag', tag: 'person' }],
    request_id: 'asked-by-a-person',
  };

  it('200: removes personal data from the record and the events, and keeps the fact', async () => {
    const { id, secret } = await issue({ ...personal, scopes: ['a'] });
    await admin('PATCH', `/issuedApiKeys/${id}`, { name: 'Given Other' });
    const other = await issue({ name: 'Kept', actor_id: 'kept' });
    await change(id, 'revoke', {
      reason: 'REVOCATION_REASON_PRIVILEGE_WITHDRAWN',
      description: 'Surname left',
    });
    const { status, body } = await change(id, 'erase');
    expect(status).toBe(200);
    expect(body.issued_api_key).toMatchObject({
      key_id: id,
      name: '',
      actor_id: '',
      metadata: {},
      ip_restriction: null,
      scopes: ['a'],
      status: 'KEY_STATUS_REVOKED',
      revocation_description: '',
      revocation_reason: 'REVOCATION_REASON_PRIVILEGE_WITHDRAWN',
    });
    expect(await verify(secret)).toMatchObject({
      error_code: 'VERIFICATION_ERROR_REVOKED',
      key_id: id,
      actor_id: '',
      metadata: {},
    });
    await eventually(async () => {
      const events = await eventsOf(id);
      expect(events.map(({ event }) => event)).toEqual([
        'key.issued',
        'key.updated',
        'key.revoked',
        'key.erased',
      ]);
      for (const { data } of events) {
        expect(data).toMatchObject({ key_id: id, name: '', actor_id: '', metadata: {} });
        expect(data).not.toHaveProperty('tags');
      }
    });
    expect((await eventsOf(other.id))[0]?.data).toMatchObject({ name: 'Kept', actor_id: 'kept' });
    const rows = await service.database.query<{ row: string }>(
      `SELECT row_to_json(k)::text AS row FROM keys.api_keys k WHERE key_id = $1
       UNION ALL SELECT data::text FROM keys.events WHERE data->>'key_id' = $1`,
      [id],
    );
    expect(rows.map(({ row }) => row).join()).not.toMatch(/person|Surname|Given|555|127\.0/);
  });

  it('200: an expired key, and once more', async () => {
    const { id, secret } = await issue({ ...personal, request_id: 'another', ttl: '1s' });
    await eventually(async () => {
      expect((await verify(secret)).error_code).toBe('VERIFICATION_ERROR_EXPIRED');
    });
    const erased = { status: 'KEY_STATUS_EXPIRED', actor_id: '' };
    for (const verb of ['erase', 'erase']) {
      expect((await change(id, verb)).body.issued_api_key).toMatchObject(erased);
    }
  });

  it('409: a key that is active or paused', async () => {
    const { id } = await issue();
    expect(fault(await change(id, 'erase'))).toEqual([409, 'API_KEY_NOT_ENDED']);
    await change(id, 'pause');
    expect(fault(await change(id, 'erase'))).toEqual([409, 'API_KEY_NOT_ENDED']);
  });
});

type Key = Awaited<ReturnType<typeof issue>>;
