/** The cost of finding a key by a part of its secret does not grow with the table. */
import { IssuedSecretCodec, KeyRing, parsePartialSecret } from '@gatehouse/crypto';
import { uuidv7 } from '@gatehouse/kit/ids';
import { rowsRead, type TestDatabase } from '@gatehouse/testing';
import { type KeyFilter, NO_FILTER } from '../src/store/keys/key.record.js';
import { listStatement } from '../src/store/keys/keys.sql.js';
import { createKeyDatabase } from './key-database.js';
import { HMAC_SECRET } from './key-stack.js';

const KEYS = 20_000;
const SECOND_MS = 1_000;
const NEWEST_MS = Date.parse('2026-06-01T12:00:00Z');
const LIMIT = 51;

/** The oldest key, which a scan from the newest one reaches last. */
const ID = uuidv7(NEWEST_MS - KEYS * SECOND_MS);
const codec = new IssuedSecretCodec(KeyRing.fromTexts([HMAC_SECRET]));
const SECRET = codec.issue('gate_sk', ID);
const PAYLOAD = SECRET.slice('gate_sk_v1_'.length);

let database: TestDatabase;

beforeAll(async () => {
  database = await createKeyDatabase();
  // Every fourth key is imported.
  await database.query(
    `INSERT INTO keys.api_keys (key_id, kind, name, actor_id, scopes, metadata, visibility,
       allowed_cidrs, secret_hash, hash_key_id, key_preview, create_time, update_time)
     SELECT id, CASE WHEN is_imported THEN 'imported' ELSE 'issued' END, 'n', 'actor', '{}', '{}', 1,
       '{}', sha256(id::bytea), CASE WHEN is_imported THEN 'h' END,
       CASE WHEN is_imported THEN '' WHEN id = $2 THEN $3 ELSE 'gate_sk_v1_…' || left(md5(id), 4) END,
       at, at
     FROM unnest($1::text[]) WITH ORDINALITY AS made (id, n),
       LATERAL (SELECT n % 4 = 1 AS is_imported, $4::timestamptz - n * interval '1 second' AS at) of_n`,
    [
      [...Array.from({ length: KEYS - 1 }, (_, n) => uuidv7(NEWEST_MS - (n + 1) * SECOND_MS)), ID],
      ID,
      `gate_sk_v1_…${SECRET.slice(-4)}`,
      new Date(NEWEST_MS),
    ],
  );
  await database.query('ANALYZE keys.api_keys');
});
afterAll(() => database.drop());

const rowsFor = async (text: string, more: Partial<KeyFilter> = {}) => {
  const filter = { ...NO_FILTER, secret: parsePartialSecret(text) ?? undefined, ...more };
  const { statement, values } = listStatement({
    kind: 'issued',
    filter,
    after: undefined,
    limit: LIMIT,
  });
  const found = await database.query<{ key_id: string }>(statement.text, values);
  // Rows that an index skips are not read, but cost as much as the index is long.
  const plan = await database.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${statement.text}`, values);
  const place = { url: database.url, table: 'api_keys', plan: 'custom' } as const;
  const read = await rowsRead(place, statement, values as (string | number | Date)[]);
  return {
    found: found.map(({ key_id: id }) => id),
    read,
    plan: plan.map((line) => line['QUERY PLAN']).join('\n'),
  };
};

it.each([
  ['the last four characters', `…${SECRET.slice(-4)}`, {}],
  ['the preview', `gate_sk_v1_…${SECRET.slice(-4)}`, {}],
  ['the last four characters and the actor', `…${SECRET.slice(-4)}`, { actorId: 'actor' }],
  ['the first 8 characters', `gate_sk_v1_${PAYLOAD.slice(0, 8)}…`, {}],
  ['the first 24 characters', `gate_sk_v1_${PAYLOAD.slice(0, 24)}…`, {}],
  [
    'the first 8 characters and the actor',
    `gate_sk_v1_${PAYLOAD.slice(0, 8)}…`,
    { actorId: 'actor' },
  ],
  ['both ends', `gate_sk_v1_${PAYLOAD.slice(0, 6)}…${SECRET.slice(-4)}`, {}],
] as const)('by %s, the oldest of many keys is found in a few rows', async (_, text, more) => {
  const { found, read, plan } = await rowsFor(text, more);
  expect(found).toEqual([ID]);
  expect(plan).toMatch(/(on|using) api_keys_(last_four|pkey)/);
  expect(read).toBeLessThan(10);
});

it('by few first characters, a page reads little more than its keys', async () => {
  const secret = codec.issue('gate_sk', uuidv7(NEWEST_MS - (KEYS / 2) * SECOND_MS));
  const { found, read, plan } = await rowsFor(`${secret.slice(0, 'gate_sk_v1_'.length + 4)}…`);
  expect(found).toHaveLength(LIMIT);
  expect(plan).toContain('using api_keys_pkey');
  expect(plan).not.toContain('Sort');
  expect(read).toBeLessThan(4 * LIMIT);
});
