/** The cost of a search does not grow with the table, nor with the keys that match. */
import { type Statement } from '@gatehouse/kit/sql';
import { rowsRead, type TestDatabase } from '@gatehouse/testing';
import { FIND_ACTORS, FIND_BY_NAME } from '../src/store/keys/key-search.repository.js';
import { createKeyDatabase } from './key-database.js';

const KEYS = 30_000;
const LIMIT = 6;

let database: TestDatabase;

beforeAll(async () => {
  database = await createKeyDatabase();
  // All names begin alike. Every third key is imported, and half of the keys belong to one actor.
  await database.query(
    `INSERT INTO keys.api_keys (key_id, kind, name, actor_id, scopes, metadata, visibility,
       allowed_cidrs, secret_hash, hash_key_id, key_preview, create_time, update_time)
     SELECT md5(n::text), CASE WHEN n % 3 = 0 THEN 'imported' ELSE 'issued' END,
       'Service ' || n, CASE WHEN n % 2 = 0 THEN 'Most' ELSE 'user-' || n END, '{}', '{}', 1, '{}',
       sha256(n::text::bytea), CASE WHEN n % 3 = 0 THEN 'h' END, '', now(), now()
     FROM generate_series(1, $1::integer) AS n`,
    [KEYS],
  );
  await database.query('ANALYZE keys.api_keys');
});
afterAll(() => database.drop());

const PLANS = ['custom', 'generic'] as const;
type Value = string | number;

async function costOf(statement: Statement, values: Value[], plan: (typeof PLANS)[number]) {
  const found = await database.query<object>(statement.text, values);
  const read = await rowsRead({ url: database.url, table: 'api_keys', plan }, statement, values);
  const lines = await database.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${statement.text}`, values);
  return { found: found.length, read, plan: lines.map((line) => line['QUERY PLAN']).join('\n') };
}

describe.each(PLANS)('with a %s plan', (plan) => {
  it.each([
    ['s', LIMIT],
    ['SERVICE', LIMIT],
    ['service 2999', LIMIT],
    ['service 29999', 1],
    ['t', 0],
    ['%', 0],
    ['_ervice', 0],
    ['\\', 0],
    ['😀', 0],
  ])('keys whose name begins with %j are the first rows of the index', async (prefix, count) => {
    const values = ['issued', prefix, LIMIT];
    const { found, read, ...cost } = await costOf(FIND_BY_NAME, values, plan);
    expect(found).toBe(count);
    expect(cost.plan).toContain('api_keys_name_prefix');
    expect(cost.plan).not.toMatch(/Sort|Seq Scan/);
    expect(read).toBeLessThanOrEqual(2 * LIMIT);
  });

  it.each([
    ['u', LIMIT],
    ['user-2999', LIMIT],
    ['m', 1],
    ['most', 1],
    ['n', 0],
    ['%', 0],
  ])('actors that begin with %j skip the keys of one another', async (prefix, count) => {
    const { found, read, ...cost } = await costOf(FIND_ACTORS, [prefix, LIMIT], plan);
    expect(found).toBe(count);
    expect(cost.plan).toContain('api_keys_actor_prefix');
    expect(cost.plan).not.toContain('Seq Scan');
    expect(read).toBeLessThanOrEqual(2 * LIMIT);
  });
});
