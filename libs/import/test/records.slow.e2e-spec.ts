/** Imports of single records, from files of Talos, Unkey and Kratos, into the services that take them. */
import { createHash, createHmac, randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openTestStack, type TestStack } from '@gatehouse/testing';
import { Progress } from '#local-stack/progress.mjs';
import { importKratos } from '../src/kratos/import-kratos.js';
import { serveAnswers } from './recorded-polis.js';
import { rowOfUnkey } from '../src/keys/unkey-row.js';
import { importKeyFile, importTalos } from '../src/talos/import-talos.js';

const ADMIN_KEY = 'test-admin-key-test-admin-key';
const folder = mkdtempSync(join(tmpdir(), 'import-'));
const { signal } = new AbortController();

let printed = '';
const progress = new Progress({ write: (text) => (printed += text) });

let stack: TestStack;
let before: NodeJS.ProcessEnv;
beforeEach(() => {
  before = { ...process.env };
  printed = '';
});
afterEach(async () => {
  process.env = before;
  await stack.close();
});
afterAll(() => rmSync(folder, { recursive: true }));

function fileOf(name: string, content: string): string {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
}

function reported(file: string) {
  const { conflicts, ...counts } = JSON.parse(readFileSync(file, 'utf8')) as {
    conflicts: { record: string; reason: string }[];
    ids: Record<string, string>;
  };
  return { ...counts, conflicts: conflicts.map(({ record, reason }) => `${record}: ${reason}`) };
}

it('keys of Talos are verified here by the secret that their owner has', async () => {
  stack = await openTestStack('key-service', {
    settings: {
      ADMIN_API_KEYS: ADMIN_KEY,
      HMAC_SECRETS: randomBytes(32).toString('hex'),
      ENCRYPTION_KEYS: randomBytes(32).toString('base64'),
    },
  });
  const { url } = await stack.start('key-service');
  const [kept, gone, unknown] = [randomUUID(), randomUUID(), randomUUID()];
  const key = (key_id: string, status: string) => ({
    key_id,
    status,
    name: 'CI',
    actor_id: 'alice',
    scopes: ['orders:read'],
    metadata: { team: 'a' },
    expire_time: new Date(Date.now() + 86_400_000).toISOString(),
  });
  const pages: Record<string, object> = {
    issuedApiKeys: {
      issued_api_keys: [key(kept, 'KEY_STATUS_ACTIVE'), key(unknown, 'KEY_STATUS_ACTIVE')],
    },
    importedApiKeys: { imported_api_keys: [key(gone, 'KEY_STATUS_REVOKED')] },
  };
  const talos = await serveAnswers((path) => {
    const list = /admin\/(\w+)/.exec(path)?.[1] ?? '';
    return Promise.resolve({ status: 200, body: { ...pages[list], next_page_token: '' } });
  });
  Object.assign(process.env, {
    TALOS_URL: talos.url,
    KEY_SERVICE_URL: url,
    KEY_SERVICE_API_KEY: ADMIN_KEY,
  });
  const [first, second, third] = [1, 2, 3].map(() => `talos_${randomBytes(16).toString('hex')}`);
  const keysFile = fileOf(
    'keys.csv',
    `key_id,raw_key,name,actor_id,scopes,metadata,hash
${kept},${first},,,,,
${gone},${second},,,,,
,${third},Deploy,bob,deploy:run deploy:stop,"{""a"":1}",
,,Old,bob,,,5f2a91bc
,${third},Twice,bob,,,
`,
  );
  const reportFile = join(folder, 'keys.json');
  const options = { isApplied: false, keysFile, reportFile };
  const conflicts = [`${gone}: not_active`, 'record 4: hash', 'record 5: key_twice'];
  conflicts.push(`${unknown}: no_secret`);
  expect(await importTalos(options, progress, signal)).toBe(3);
  expect(reported(reportFile)).toMatchObject({ imported: 2, dry_run: true, conflicts });
  expect(await importTalos({ ...options, isApplied: true }, progress, signal)).toBe(3);
  const { ids, ...counts } = reported(reportFile);
  expect(counts).toMatchObject({ imported: 2, unchanged: 0, conflicts });
  for (const isApplied of [false, true]) {
    expect(await importTalos({ ...options, isApplied }, progress, signal)).toBe(3);
    expect(reported(reportFile)).toMatchObject({ imported: 0, unchanged: 2, conflicts });
  }
  await talos.close();
  const verify = async (credential: string) => {
    const response = await fetch(`${url}/v2alpha1/admin/apiKeys:verify`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${ADMIN_KEY}` },
      body: JSON.stringify({ credential }),
    });
    return response.json();
  };
  expect(await verify(first!)).toMatchObject({
    is_valid: true,
    key_id: ids[kept],
    actor_id: 'alice',
    scopes: ['orders:read'],
    metadata: { team: 'a' },
  });
  expect(await verify(third!)).toMatchObject({
    is_valid: true,
    actor_id: 'bob',
    scopes: ['deploy:run', 'deploy:stop'],
    metadata: { a: 1 },
  });
  expect(await verify(second!)).toMatchObject({ is_valid: false });
  for (const secret of [first, second, third, ADMIN_KEY]) expect(printed).not.toContain(secret);
});

it('hashes of Unkey and of other systems open for the keys that their owners have', async () => {
  stack = await openTestStack('key-service', {
    settings: {
      ADMIN_API_KEYS: ADMIN_KEY,
      HMAC_SECRETS: randomBytes(32).toString('hex'),
      ENCRYPTION_KEYS: randomBytes(32).toString('base64'),
    },
  });
  const { url } = await stack.start('key-service');
  const hmacKey = randomBytes(32).toString('hex');
  const environment = { KEY_SERVICE_URL: url, KEY_SERVICE_API_KEY: ADMIN_KEY };
  Object.assign(process.env, environment, { IMPORT_HMAC_KEY: hmacKey });
  process.env.IMPORT_HMAC_KEY_ENCODING = 'hex';
  const keys = [1, 2, 3, 4].map(() => `old_${randomBytes(16).toString('hex')}`);
  const [live, limited, keyed, salted] = keys as [string, string, string, string];
  const sha256 = (text: string) => createHash('sha256').update(text);
  const unkeyFile = fileOf(
    'unkey.csv',
    `id,hash,start,name,owner_id,meta,expires,deleted_at,enabled,remaining_requests,ratelimit_limit,ratelimit_duration
key_1,${sha256(live).digest('base64')},old_1,CI,alice,"{""team"":""a""}",2027-01-31 00:00:00.000,,1,,100,60000
key_2,${sha256(limited).digest('base64')},old_2,,alice,,,,1,5,,
key_3,${sha256('gone').digest('base64')},old_3,,alice,,,2024-01-31 00:00:00.000,1,,,
key_4,${sha256('off').digest('base64')},old_4,,alice,,,,0,,,
`,
  );
  const hmac = createHmac('sha256', Buffer.from(hmacKey, 'hex')).update(keyed).digest('hex');
  const rows = [
    { key_id: 'hmac', name: 'Keyed', actor_id: 'bob', hash: hmac, hash_algorithm: 'hmac-sha256' },
    {
      key_id: 'salted',
      name: 'Salted',
      actor_id: 'bob',
      hash_algorithm: 'sha256',
      hash: sha256(`salt${salted}`).digest('hex'),
      salt: 'salt',
      lookup_prefix: salted.slice(0, 10),
    },
    { key_id: 'costly', name: 'Costly', actor_id: 'bob', hash: `$2b$31$${'a'.repeat(53)}` },
  ];
  const keysFile = fileOf('keys.jsonl', rows.map((row) => JSON.stringify(row)).join('\n'));
  const reportFile = join(folder, 'hashes.json');
  const run = (file: string, isApplied: boolean) =>
    importKeyFile(
      { isApplied, keysFile: file, reportFile },
      file === unkeyFile ? rowOfUnkey : (row) => row,
      progress,
      signal,
    );
  const conflicts = ['key_3: not_active', 'key_4: not_active'];
  expect(await run(unkeyFile, false)).toBe(3);
  expect(reported(reportFile)).toMatchObject({ imported: 2, dry_run: true, conflicts });
  await run(unkeyFile, true);
  expect(reported(reportFile)).toMatchObject({ imported: 2, unchanged: 0, conflicts });
  await run(unkeyFile, false);
  expect(reported(reportFile)).toMatchObject({ imported: 0, unchanged: 2, conflicts });
  for (const isApplied of [false, true]) {
    await run(keysFile, isApplied);
    expect(reported(reportFile)).toMatchObject({ imported: 2, conflicts: ['costly: refused'] });
  }
  const verify = async (credential: string) => {
    const response = await fetch(`${url}/v2alpha1/admin/apiKeys:verify`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${ADMIN_KEY}` },
      body: JSON.stringify({ credential }),
    });
    return response.json();
  };
  expect(await verify(live)).toMatchObject({
    is_valid: true,
    actor_id: 'alice',
    metadata: { team: 'a' },
    rate_limit_policy: { quota: '100', window: '60s' },
    expire_time: expect.stringMatching(/^2027-01-3/) as string,
  });
  for (const key of [limited, keyed, salted]) {
    expect(await verify(key)).toMatchObject({ is_valid: true });
  }
  await run(unkeyFile, true);
  expect(reported(reportFile)).toMatchObject({ imported: 0, unchanged: 2, conflicts });
  for (const secret of [...keys, hmacKey, hmac]) expect(printed).not.toContain(secret);
});

it('identities of Kratos keep their ids, and are found by their identifiers', async () => {
  stack = await openTestStack('identity-forms', { settings: { ADMIN_API_KEYS: ADMIN_KEY } });
  const { url } = await stack.start('identity-forms');
  Object.assign(process.env, { IDENTITY_FORMS_URL: url, IDENTITY_FORMS_API_KEY: ADMIN_KEY });
  const email = {
    type: 'string',
    format: 'email',
    'ory.sh/kratos': { credentials: { password: { identifier: true } } },
  };
  const schema = {
    $id: 'https://schemas.example.com/person',
    type: 'object',
    properties: { traits: { type: 'object', properties: { email }, required: ['email'] } },
  };
  const schemasFile = fileOf(
    'schemas.json',
    JSON.stringify([
      { id: 'person', schema },
      { id: 'preset://email', schema },
    ]),
  );
  const identity = (address: string, more: object = {}) => ({
    id: randomUUID(),
    schema_id: 'person',
    traits: { email: address },
    state: 'active',
    credentials: { password: { type: 'password' } },
    ...more,
  });
  const [ada, same, off, lost, bad] = [
    identity('ada@acme.example'),
    identity('ADA@acme.example'),
    identity('off@acme.example', { state: 'inactive' }),
    identity('lost@acme.example', { schema_id: 'unknown' }),
    identity('no address'),
  ];
  const identitiesFile = fileOf(
    'identities.jsonl',
    [ada, same, off, lost, bad].map((each) => JSON.stringify(each)).join('\n'),
  );
  const reportFile = join(folder, 'identities.json');
  const options = { isApplied: false, identitiesFile, schemasFile, reportFile };
  expect(await importKratos(options, progress, signal)).toBe(3);
  expect(reported(reportFile)).toMatchObject({ imported: 3, dry_run: true });
  expect(await importKratos({ ...options, isApplied: true }, progress, signal)).toBe(3);
  const first = reported(reportFile);
  expect(first).toMatchObject({ imported: 1, unchanged: 0 });
  // The records are sent at once, so either of the two with the same address is the first.
  const api = async (path: string) => {
    const headers = { Authorization: `Bearer ${ADMIN_KEY}` };
    return (await fetch(url + path, { headers })).json() as Promise<{ identities: object[] }>;
  };
  const { identities } = await api('/v1/identities?identifier=ada@acme.example');
  expect([ada?.id, same?.id]).toContain((identities[0] as { id: string }).id);
  expect(first.conflicts.map((line) => line.split(': ').at(-1)).sort()).toEqual(
    ['inactive', 'no_schema', 'refused', 'refused', 'schema_id'].sort(),
  );
  await importKratos({ ...options, isApplied: true }, progress, signal);
  expect(reported(reportFile)).toMatchObject({ imported: 0, unchanged: 1 });
  expect(printed).toContain('Not moved: credentials of 5 identities.');
  expect(printed).not.toContain('acme.example');
});
