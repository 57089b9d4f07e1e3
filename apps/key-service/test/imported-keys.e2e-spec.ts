import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { type KeyServiceStack, namedFields, reasonOf, startKeyService } from './key-stack.js';

let service: KeyServiceStack;

beforeAll(async () => {
  service = await startKeyService();
});
afterAll(() => service.close());

/** The status that arrives before the body is sent; fetch would fail instead. */
function statusOfLargeBody(url: string, bytes: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const headers = { 'content-type': 'application/json', 'content-length': bytes };
    const outgoing = request(url, { method: 'POST', headers }, (response) => {
      resolve(response.statusCode);
      outgoing.destroy();
    });
    outgoing.on('error', () => undefined);
    outgoing.write(' '.repeat(1000));
  });
}

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const VISIBLE_ASCII = Buffer.from(
  Array.from({ length: 94 }, (_, index) => 0x21 + index),
).toString();
const rawKey = () => `ext_${randomBytes(12).toString('hex')}`;
const importKey = (fields: Record<string, unknown> = {}) =>
  service.admin('POST', '/importedApiKeys', {
    raw_key: rawKey(),
    name: 'Imported',
    actor_id: 'user_1',
    ...fields,
  });

describe('POST /v2alpha1/admin/importedApiKeys', () => {
  it('201: the key at top level, with an id that does not depend on the raw key', async () => {
    const raw_key = rawKey();
    const { status, headers, body } = await importKey({ raw_key, scopes: ['a'] });
    expect(status).toBe(201);
    expect(body).toEqual({
      key_id: expect.stringMatching(UUID_V7),
      name: 'Imported',
      actor_id: 'user_1',
      scopes: ['a'],
      metadata: {},
      status: 'KEY_STATUS_ACTIVE',
      create_time: expect.any(String),
      update_time: body.create_time,
      expire_time: expect.any(String),
      last_used_time: null,
      rate_limit_policy: null,
      ip_restriction: null,
      visibility: 'KEY_VISIBILITY_SECRET',
      revocation_description: '',
    });
    expect(headers.get('location')).toBe(`/v2alpha1/admin/importedApiKeys/${body.key_id}`);
    expect((await service.verify(raw_key)).body).toMatchObject({
      is_valid: true,
      key_id: body.key_id,
    });
  });

  it.each([
    ['8 characters', '8-signs.'],
    ['every visible character of ASCII', VISIBLE_ASCII],
    ['4096 characters', 'x'.repeat(4096)],
  ])('201: a raw key with %s verifies, from a body and from each header', async (_, raw_key) => {
    expect((await importKey({ raw_key })).status).toBe(201);
    for (const headers of [
      { 'x-api-key': raw_key },
      { authorization: `Bearer ${raw_key}` },
      { authorization: `Api-Key ${raw_key}` },
    ]) {
      const answer = await service.admin('GET', '/apiKeys:authorize', undefined, {
        headers: headers as unknown as Record<string, string>,
      });
      expect(answer.status).toBe(200);
    }
    expect((await service.verify(raw_key)).body.is_valid).toBe(true);
    expect((await service.verify(`${raw_key}x`)).body.is_valid).toBe(false);
  });

  it('200: with validate_only, a batch says what would come of it, and imports nothing', async () => {
    const [known, fresh] = [rawKey(), rawKey()];
    await importKey({ raw_key: known });
    const item = (raw_key: string) => ({ name: 'x', actor_id: 'x', raw_key });
    const requests = [item(known), item(fresh), item('short')];
    const batch = { requests, validate_only: true };
    for (let round = 0; round < 2; round += 1) {
      const { status, body } = await service.admin('POST', '/importedApiKeys:batchCreate', batch);
      expect([status, body.success_count, body.failure_count]).toEqual([200, 1, 2]);
      expect(body.results[0].error_code).toContain('ALREADY_EXISTS');
      expect(body.results[2].error_code).toContain('INVALID_ARGUMENT');
    }
    expect(await service.errorOf(fresh)).toBe('VERIFICATION_ERROR_NOT_FOUND');
  });

  it('201: a repeated request_id gives the first key', async () => {
    const first = await importKey({ request_id: 'import-1' });
    const again = await importKey({ request_id: 'import-1' });
    expect(again.status).toBe(201);
    expect(again.body).toEqual(first.body);
  });

  it.each([
    ['raw_key', { raw_key: '' }],
    ['raw_key', { raw_key: 7 }],
    ['raw_key', { raw_key: '7-signs' }],
    ['raw_key', { raw_key: 'ünïcode-raw-key' }],
    ['raw_key', { raw_key: 'with blanks' }],
    ['raw_key', { raw_key: 'at-its-end\r\n' }],
    ['raw_key', { raw_key: 'at-its-end\t' }],
    ['raw_key', { raw_key: 'nul\u0000inside' }],
    ['raw_key', { raw_key: 'x'.repeat(4097) }],
    ['name', { name: '' }],
    ['actor_id', { actor_id: undefined }],
    ['ip_restriction.allowed_cidrs', { ip_restriction: {} }],
    ['ip_restriction.allowed_cidrs', { ip_restriction: { allowed_cidrs: null } }],
    ['ip_restriction.allowed_cidrs', { ip_restriction: { allowed_cidrs: [] } }],
    ['ttl', { ttl: 'soon' }],
  ])('400: %s', async (field, fields) => {
    const answer = await importKey(fields);
    expect(answer.status).toBe(400);
    expect(namedFields(answer)).toEqual([field]);
  });

  it('409: a raw key that is already imported, also for one of two concurrent requests', async () => {
    const raw_key = rawKey();
    const answers = await Promise.all([importKey({ raw_key }), importKey({ raw_key })]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
    const again = await importKey({ raw_key });
    expect(again.status).toBe(409);
    expect(again.body.error.status).toBe('ALREADY_EXISTS');
  });

  it('409: a raw key in the format of an issued secret or a token', async () => {
    const { secret } = await service.issue();
    const jwt = 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.c2ln';
    for (const raw_key of [secret, jwt, 'mc_v1_AgJ4']) {
      const answer = await importKey({ raw_key });
      expect(answer.status).toBe(409);
      expect(reasonOf(answer)).toBe('RAW_KEY_SHAPE_TAKEN');
    }
  });

  it('409: a request_id that was used for an issued key', async () => {
    await service.issue({ request_id: 'issue-then-import' });
    expect((await importKey({ request_id: 'issue-then-import' })).status).toBe(409);
  });
});

describe('POST /v2alpha1/admin/importedApiKeys:batchCreate', () => {
  const batch = (requests: unknown, verb = 'batchCreate') =>
    service.admin('POST', `/importedApiKeys:${verb}`, { requests });
  const item = (fields: Record<string, unknown> = {}) => ({
    raw_key: rawKey(),
    name: 'Batch',
    actor_id: 'user_2',
    ...fields,
  });

  it('200: each item succeeds or fails independently, in order', async () => {
    const twice = rawKey();
    const { status, body } = await batch([
      item({ raw_key: twice }),
      item({ name: '' }),
      item({ raw_key: twice }),
      'no object',
      item({ raw_key: 'mc_v1_AgJ4' }),
      item({ rawKey: rawKey(), raw_key: undefined }),
      null,
    ]);
    expect(status).toBe(200);
    expect([body.success_count, body.failure_count]).toEqual([2, 5]);
    const code = (name: string) => `BATCH_CREATE_IMPORTED_API_KEYS_ERROR_${name}`;
    expect(body.results.map((result: { error_code?: string }) => result.error_code)).toEqual([
      undefined,
      code('INVALID_ARGUMENT'),
      code('ALREADY_EXISTS'),
      code('INVALID_ARGUMENT'),
      code('FAILED_PRECONDITION'),
      undefined,
      code('INVALID_ARGUMENT'),
    ]);
    expect(body.results.map((result: { index: number }) => result.index)).toEqual([
      0, 1, 2, 3, 4, 5, 6,
    ]);
    expect(body.results[1].error_message).toBe('requests[1].name: must not be empty');
    expect(body.results[6].error_message).toContain('requests[6].raw_key: must not be empty');
    expect((await service.verify(twice)).body.is_valid).toBe(true);
  });

  it('200: a thousand, also by its other name; a repeat by request_id is a success', async () => {
    const requests = Array.from({ length: 1000 }, (_, index) => item({ request_id: `b-${index}` }));
    const { status, body } = await batch(requests, 'batchImport');
    expect(status).toBe(200);
    expect([body.success_count, body.failure_count]).toEqual([1000, 0]);
    const again = await batch(requests.slice(0, 10));
    expect(
      again.body.results.map((r: { imported_api_key: unknown }) => r.imported_api_key),
    ).toEqual(
      body.results.slice(0, 10).map((r: { imported_api_key: unknown }) => r.imported_api_key),
    );
  });

  it('400: an empty list, too many items, or no list', async () => {
    const many = Array.from({ length: 1001 }, () => ({}));
    for (const requests of [[], many, 'x', undefined]) {
      const answer = await batch(requests);
      expect(answer.status).toBe(400);
      expect(namedFields(answer)).toEqual(['requests']);
    }
  });

  it('400: all failed, most of them for bad fields, which are named', async () => {
    const answer = await batch([item({ name: '' }), item({ ttl: '1' })]);
    expect(answer.status).toBe(400);
    expect(namedFields(answer)).toEqual(['requests[0].name', 'requests[1].ttl']);
  });

  it('409: all failed because they are already imported', async () => {
    const known = item();
    await batch([known]);
    expect((await batch([known])).status).toBe(409);
  });

  it('200 or 413: a body of up to 4 MiB', async () => {
    const metadata = { big: 'x'.repeat(60 * 1024) };
    const large = Array.from({ length: 50 }, () => item({ metadata }));
    expect((await batch(large)).status).toBe(200);
    const url = `${service.replicas[0]?.url}/v2alpha1/admin/importedApiKeys:batchCreate`;
    expect(await statusOfLargeBody(url, 4 * 1024 * 1024 + 1)).toBe(413);
  });
});

describe('GET, PATCH and DELETE /v2alpha1/admin/importedApiKeys/{key_id}', () => {
  it('200: reads and updates the key, wrapped in imported_api_key', async () => {
    const { body: key } = await importKey();
    const path = `/importedApiKeys/${key.key_id}`;
    expect((await service.admin('GET', path)).body).toEqual(key);
    const { status, body } = await service.admin('PATCH', `${path}?update_mask=metadata,name`, {
      imported_api_key: {
        key_id: key.key_id,
        name: 'Renamed',
        metadata: { a: 1 },
        rate_limit_policy: { quota: 1, window: '1m' },
      },
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({ name: 'Renamed', metadata: { a: 1 }, rate_limit_policy: null });
    const limits = { rateLimitPolicy: { quota: '9', window: '60s' } };
    const limited = await service.admin('PATCH', path, { importedApiKey: limits });
    expect(limited.body.rate_limit_policy.quota).toBe('9');
  });

  it('204: deletes the key; then 404, and the raw key may be imported again', async () => {
    const raw_key = rawKey();
    const { body: key } = await importKey({ raw_key });
    expect((await service.verify(raw_key)).body.is_valid).toBe(true);
    const path = `/importedApiKeys/${key.key_id}`;
    const deleted = await service.admin('DELETE', path);
    expect([deleted.status, deleted.text]).toEqual([204, '']);
    expect((await service.verify(raw_key)).body.error_code).toBe('VERIFICATION_ERROR_NOT_FOUND');
    expect((await service.admin('GET', path)).status).toBe(404);
    expect((await service.admin('DELETE', path)).status).toBe(404);
    expect((await service.admin('PATCH', path, { name: 'x' })).status).toBe(404);
    const again = await importKey({ raw_key });
    expect(again.status).toBe(201);
    expect(again.body.key_id).not.toBe(key.key_id);
    expect((await service.verify(raw_key)).body.key_id).toBe(again.body.key_id);
  });

  it('404: issued and imported keys are not interchangeable', async () => {
    const { key } = await service.issue();
    const { body: imported } = await importKey();
    const statuses = await Promise.all([
      service.admin('GET', `/importedApiKeys/${key.key_id}`),
      service.admin('DELETE', `/importedApiKeys/${key.key_id}`),
      service.admin('PATCH', `/importedApiKeys/${key.key_id}`, { name: 'x' }),
      service.admin('GET', `/issuedApiKeys/${imported.key_id}`),
      service.admin('POST', `/issuedApiKeys/${imported.key_id}:rotate`, {}),
      service.admin('POST', `/issuedApiKeys/${imported.key_id}:revoke`, {}),
      service.admin('POST', `/importedApiKeys/${key.key_id}:revoke`, {}),
    ]);
    expect(statuses.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 404, 404]);
  });
});
