/** Keys that are imported by the hash that another system has made of them. */
import { createHash, randomBytes } from 'node:crypto';
import { eventually } from '@gatehouse/testing';
import { HASH_VECTORS } from './hash-vectors.js';
import {
  ENCRYPTION_KEY,
  type KeyServiceStack,
  namedFields,
  reasonOf,
  startKeyService,
} from './key-stack.js';

let service: KeyServiceStack;

beforeAll(async () => {
  service = await startKeyService({}, 2);
});
afterAll(() => service.close());

const newKey = () => `old_${randomBytes(12).toString('hex')}`;
const sha256 = (key: string) => ({
  algorithm: 'HASH_ALGORITHM_SHA256',
  value: createHash('sha256').update(key).digest('hex'),
});
const salted = (key: string, length = 12) => ({
  ...sha256(`${key}salt`),
  salt: 'salt',
  salt_position: 'SALT_POSITION_AFTER',
  lookup_prefix: key.slice(0, length),
});
const BCRYPT = {
  algorithm: 'HASH_ALGORITHM_BCRYPT',
  value: '$2b$10$/Xg.OUhlOfEf2IVMjCarXeRzlj4AqG4.hHTGZFJrCsaW2ZsMkyF1O',
};
const importHash = (hash: unknown, fields: Record<string, unknown> = {}) =>
  service.admin('POST', '/importedApiKeys', {
    hash,
    name: 'Imported',
    actor_id: 'user_1',
    scopes: ['a'],
    ...fields,
  });
const noStore = { headers: { 'cache-control': 'no-store' } };
const stored = (keyId: string) =>
  service.database.query<{ hash: string; is_gone: boolean; is_rekeyed: boolean }>(
    `SELECT encode(k.secret_hash, 'hex') AS hash, h.prefix IS NULL AND h.sealed_hash IS NULL AS is_gone,
      h.rekey_time IS NOT NULL AS is_rekeyed
     FROM keys.api_keys k JOIN keys.imported_hashes h USING (key_id) WHERE k.key_id = '${keyId}'`,
  );
const countsOf = async (algorithm: string) => {
  const { body } = await service.admin('GET', '/importedHashes');
  const all = body.algorithms as Record<string, number | string | null>[];
  return all.find((each) => each.algorithm === `HASH_ALGORITHM_${algorithm}`);
};

describe('a key that was imported by its hash', () => {
  it.each(HASH_VECTORS)('verifies, and is re-keyed at its first use: $name', async (vector) => {
    const { key, hash } = vector;
    const { status, body } = await importHash(hash);
    expect(status).toBe(201);
    expect(JSON.stringify(body)).not.toContain(hash.value as string);
    const [before] = await stored(body.key_id as string);
    expect((await service.verify(`${key}x`)).body.is_valid).toBe(false);
    const valid = { is_valid: true, key_id: body.key_id, scopes: ['a'] };
    // A slow hash is refused for a moment once slow hashes have used their share of the processor.
    const verified = await eventually(async () => {
      const answer = await service.verify(key);
      expect(answer.body.error_code).not.toBe('VERIFICATION_ERROR_INTERNAL');
      return answer;
    });
    expect(verified.body).toMatchObject(valid);
    await eventually(async () => {
      const [after] = await stored(body.key_id as string);
      expect(after).toMatchObject({ is_rekeyed: true, is_gone: true });
      expect(after?.hash).not.toBe(before?.hash);
    });
    for (const replica of [0, 1]) {
      expect((await service.verify(key, {}, { ...noStore, replica })).body).toMatchObject(valid);
    }
    const again = await importHash(hash);
    expect([again.status, reasonOf(again)]).toEqual([409, 'API_KEY_ALREADY_EXISTS']);
    const { body: gone, status: deleted } = await service.admin(
      'DELETE',
      `/importedApiKeys/${body.key_id}`,
    );
    expect([deleted, gone]).toEqual([204, undefined]);
    expect(await stored(body.key_id as string)).toEqual([]);
    expect((await service.verify(key)).body.is_valid).toBe(false);
  });

  it('is known to the other replica at once, and re-keyed once by both together', async () => {
    const [fast, slow] = [newKey(), newKey()];
    for (const key of [fast, slow]) {
      await service.verify(newKey(), {}, { replica: 1 });
      await importHash(key === fast ? sha256(key) : salted(key));
      const answers = await Promise.all(
        [0, 1, 0, 1].map((replica) => service.verify(key, {}, { ...noStore, replica })),
      );
      expect(answers.map(({ body }) => body.is_valid)).toEqual([true, true, true, true]);
    }
  });

  it('stays revoked, paused or expired if that happened before its first use', async () => {
    const [revoked, paused, expired] = [newKey(), newKey(), newKey()];
    const { body: first } = await importHash(salted(revoked));
    const { body: second } = await importHash(sha256(paused));
    await importHash(sha256(expired), { ttl: '1s' });
    await service.admin('POST', `/apiKeys/${first.key_id}:revoke`, {});
    await service.admin('POST', `/apiKeys/${second.key_id}:pause`, {});
    expect(await service.errorOf(revoked)).toBe('VERIFICATION_ERROR_REVOKED');
    expect(await service.errorOf(paused)).toBe('VERIFICATION_ERROR_PAUSED');
    await service.untilExpired(expired);
  });

  it('is not opened by its hash, nor by a key that bcrypt would cut to the same', async () => {
    const key = newKey();
    await importHash(sha256(key));
    const { value } = sha256(key);
    for (const text of [value, `sha256:${value}`, `lookup:sha256:${value}`]) {
      expect((await service.verify(text)).body.is_valid).toBe(false);
    }
    await importHash({ ...BCRYPT, lookup_prefix: 'acme_live_bc' });
    const longer = `acme_live_bcrypt-key-0001\0${'x'.repeat(80)}`;
    expect((await service.verify(longer)).body.is_valid).toBe(false);
  });

  it('leaves nothing in the database that helps to guess it', async () => {
    const key = newKey();
    const hmacKey = 'the key of the old system';
    await importHash(salted(key));
    await importHash({ ...sha256(key), algorithm: 'HASH_ALGORITHM_HMAC_SHA256', key: hmacKey });
    const rows = await service.database.query<{ row: string }>(
      `SELECT h::text AS row FROM keys.imported_hashes h
       UNION ALL SELECT g::text FROM keys.imported_hash_groups g
       UNION ALL SELECT k::text FROM keys.api_keys k`,
    );
    const text = rows.map(({ row }) => row).join('\n');
    for (const secret of [key, hmacKey, sha256(key).value, salted(key).value]) {
      for (const encoding of ['utf8', 'hex', 'base64'] as const) {
        expect(text).not.toContain(Buffer.from(secret).toString(encoding));
      }
      const digest = Buffer.from(secret, 'hex');
      if (digest.length === 32) expect(text).not.toContain(digest.toString('base64'));
    }
  });
});

describe('POST /v2alpha1/admin/importedApiKeys with a hash', () => {
  const bcrypt = (cost: string) => ({
    ...BCRYPT,
    value: BCRYPT.value.replace('$10$', `$${cost}$`),
  });
  const argon2 = (parameters: string) => ({
    algorithm: 'HASH_ALGORITHM_ARGON2ID',
    lookup_prefix: 'pass',
    value: `$argon2id$v=19$${parameters}$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc`,
  });
  const scrypt = (fields: object) => ({
    algorithm: 'HASH_ALGORITHM_SCRYPT',
    value: 'ab'.repeat(32),
    lookup_prefix: 'pass',
    ...fields,
  });
  const prefix = { lookup_prefix: 'acme_live_' };

  it.each<[string[], unknown]>([
    [['hash'], 'sha256'],
    [['hash.algorithm'], {}],
    [['hash.algorithm'], { ...sha256('x'), algorithm: 'HASH_ALGORITHM_UNSPECIFIED' }],
    [['hash.algorithm'], { algorithm: 'md5', value: 'ab'.repeat(32) }],
    [['hash.value'], { ...sha256('x'), value: 'ab' }],
    [['hash.value'], { ...sha256('x'), encoding: 'HASH_ENCODING_BASE64URL', value: '++++' }],
    [['hash.lookup_prefix'], { ...sha256('x'), ...prefix }],
    [['hash.lookup_prefix'], { ...sha256('x'), salt: 's' }],
    [['hash.lookup_prefix'], { ...salted('abc'), lookup_prefix: 'abc' }],
    [['hash.key'], { ...sha256('x'), key: 'a key of another algorithm' }],
    [['hash.key'], { ...sha256('x'), algorithm: 'HASH_ALGORITHM_HMAC_SHA256', key: 'short' }],
    [['hash.value'], { ...bcrypt('14'), ...prefix }],
    [['hash.value'], { ...bcrypt('03'), ...prefix }],
    [['hash.value'], { ...prefix, ...BCRYPT, value: BCRYPT.value.replace('$2b$', '$2x$') }],
    [['hash.lookup_prefix'], { ...BCRYPT, lookup_prefix: 'abc' }],
    [['hash.lookup_prefix'], { ...BCRYPT, lookup_prefix: 'ünïcode' }],
    [['hash.salt'], { ...prefix, ...BCRYPT, salt: 'abc' }],
    [['hash.value'], argon2('m=131073,t=1,p=1')],
    [['hash.value'], argon2('m=131072,t=5,p=1')],
    [['hash.value'], argon2('m=4096,t=1,p=9')],
    [['hash.n'], scrypt({ n: 2 ** 17, r: 8, p: 2 })],
    [['hash.n'], scrypt({ n: 1000, r: 8, p: 1 })],
    [['hash.n'], scrypt({})],
  ])('400: %j', async (fields, hash) => {
    const answer = await importHash(hash);
    expect(answer.status).toBe(400);
    expect(namedFields(answer)).toEqual(fields);
  });

  it('400: a hash with a raw key, or neither', async () => {
    const both = await importHash(sha256('x'), { raw_key: newKey() });
    expect([both.status, namedFields(both)]).toEqual([400, ['hash']]);
    const neither = await importHash(undefined);
    expect([neither.status, namedFields(neither)]).toEqual([400, ['raw_key']]);
  });

  it('409: more hashes than may have one prefix, or lengths of prefixes', async () => {
    const full = 'full_prefix_';
    const items = Array.from({ length: 6 }, () => ({
      hash: salted(full + newKey()),
      name: 'Batch',
      actor_id: 'user_2',
    }));
    const { body } = await service.admin('POST', '/importedApiKeys:batchCreate', {
      requests: items,
    });
    expect([body.success_count, body.failure_count]).toEqual([4, 2]);
    const more = await importHash(salted(full + newKey()));
    expect([more.status, reasonOf(more)]).toEqual([409, 'HASH_PREFIX_FULL']);
    const outcomes: number[] = [];
    for (const length of [13, 14, 15, 16]) {
      outcomes.push((await importHash(salted(newKey(), length))).status);
    }
    expect(outcomes).toContain(409);
    expect(outcomes.indexOf(409)).toBeGreaterThan(0);
  });

  it('200: a batch mixes raw keys and hashes, and refuses a hash that it has twice', async () => {
    const [raw, hashed] = [newKey(), newKey()];
    const common = { name: 'Batch', actor_id: 'user_2' };
    const requests = [{ raw_key: raw }, { hash: sha256(hashed) }, { hash: sha256(hashed) }];
    const { body } = await service.admin('POST', '/importedApiKeys:batchImport', {
      requests: requests.map((each) => ({ ...common, ...each })),
    });
    expect(body.results.map(({ error_code }: { error_code?: string }) => error_code)).toEqual([
      undefined,
      undefined,
      'BATCH_CREATE_IMPORTED_API_KEYS_ERROR_ALREADY_EXISTS',
    ]);
    for (const key of [raw, hashed]) expect((await service.verify(key)).body.is_valid).toBe(true);
  });
});

describe('the end of a migration', () => {
  it('counts keys by algorithm, and revokes those that are not used by the date', async () => {
    const algorithms = ['HASH_ALGORITHM_SHA512'];
    const keys = [newKey(), newKey()];
    const sha512 = (key: string) => ({
      algorithm: 'HASH_ALGORITHM_SHA512',
      value: createHash('sha512').update(key).digest('hex'),
    });
    for (const key of keys) await importHash(sha512(key));
    const [used, unused] = keys as [string, string];
    await service.verify(used);
    await eventually(async () => {
      expect(await countsOf('SHA512')).toMatchObject({ pending_count: 1, dropped_count: 0 });
    });
    const later = { drop_time: '2999-01-01T00:00:00Z', algorithms };
    await service.admin('POST', '/importedHashes:drop', later);
    expect(await countsOf('SHA512')).toMatchObject({ drop_time: '2999-01-01T00:00:00.000Z' });
    await service.admin('POST', '/importedHashes:keep', { algorithms });
    expect(await countsOf('SHA512')).toMatchObject({ drop_time: null, pending_count: 1 });
    const now = { drop_time: '2020-01-01T00:00:00Z', algorithms };
    const { status } = await service.admin('POST', '/importedHashes:drop', now);
    expect(status).toBe(200);
    expect(await countsOf('SHA512')).toMatchObject({ pending_count: 0, dropped_count: 1 });
    expect((await service.verify(unused)).body.is_valid).toBe(false);
    expect((await service.verify(used)).body.is_valid).toBe(true);
    const { body } = await service.admin(
      'GET',
      '/auditEvents?filter=type="imported_hashes.planned"',
    );
    expect(body.audit_events).toHaveLength(3);
  });

  it.each([
    ['drop_time', { drop_time: 'tomorrow' }],
    ['drop_time', {}],
    ['algorithms[0]', { drop_time: '2999-01-01T00:00:00Z', algorithms: ['md5'] }],
  ])('400: %s', async (field, body) => {
    const answer = await service.admin('POST', '/importedHashes:drop', body);
    expect([answer.status, namedFields(answer)]).toEqual([400, [field]]);
  });
});

it('hashes are sealed again when ENCRYPTION_KEYS changes, and still found', async () => {
  const key = newKey();
  expect((await importHash(salted(key))).status).toBe(201);
  const places = () =>
    service.database.query<{ ring: string }>(
      `SELECT DISTINCT split_part(sealed_hash, '.', 2) AS ring FROM keys.imported_hashes
       WHERE sealed_hash IS NOT NULL`,
    );
  const [before] = await places();
  const renewed = randomBytes(32).toString('base64');
  await service.start({ ENCRYPTION_KEYS: `${renewed},${ENCRYPTION_KEY}` });
  await eventually(
    async () => {
      const after = await places();
      expect(after).toHaveLength(1);
      expect(after).not.toContainEqual(before);
    },
    { timeoutMs: 20_000 },
  );
  expect((await service.verify(key, {}, { replica: 2 })).body.is_valid).toBe(true);
});
