import { type Statement } from '@gatehouse/service-kit';
import pg from 'pg';
import { LIST_ALL_EVENTS, LIST_EVENTS, LIST_EVENTS_OF_SOME } from '../../src/events/event.sql.js';
import { useFixture } from '../fixture.js';
import { type Json } from '../harness.js';

// A page of the log must not cost more in a larger log: rows that are read for a page of 50, in a log of
// 100,000 events, of 2,000 directories and four days.

const fixture = useFixture();
const EVENTS = 100_000;
const LIMIT = 50;

type Value = string | number | Date | null | readonly (string | undefined)[] | undefined;

let newest: string;
let directories: string[];
let quiet: string;

beforeAll(async () => {
  const { query } = fixture.database;
  await query(
    `INSERT INTO dsync.directories (id, name, tenant, product, type)
      SELECT dsync.uuid_v7(), 'd', 't-' || n, 'p', 'okta-scim-v2' FROM generate_series(1, 2000) n`,
  );
  const rows = await query<{ id: string }>(`SELECT id FROM dsync.directories WHERE product = 'p'`);
  directories = rows.map(({ id }) => id);
  quiet = (await fixture.test.newDirectory({ tenant: 'quiet' })).id;
  await query(`SELECT dsync.create_partitions(current_date - 4, current_date)`);
  await query(
    `INSERT INTO dsync.events (source_id, type, data, created_at)
      SELECT ($1::uuid[])[1 + n % 2000], 'user.created', '{"raw": {}}',
        now() - interval '4 days' + n * interval '3.4 seconds'
      FROM generate_series(1, $2::integer) n`,
    [directories, EVENTS],
  );
  await query('ANALYZE dsync.events, dsync.directories');
  const [last] = await query<{ last: string }>('SELECT max(sequence) AS last FROM dsync.events');
  newest = last?.last ?? '';
});

/** The rows that a statement reads from the log. */
async function rowsRead({ text }: Statement, values: Value[], plans: string): Promise<number> {
  const client = new pg.Client({ connectionString: fixture.database.url });
  await client.connect();
  try {
    const literals = values.map((value) => literalOf(client, value)).join(', ');
    await client.query(`SET plan_cache_mode = force_${plans}_plan; PREPARE page AS ${text}`);
    const { rows } = await client.query<{ 'QUERY PLAN': Json }>(
      `EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE page (${literals})`,
    );
    return readBy(rows[0]?.['QUERY PLAN'][0].Plan);
  } finally {
    await client.end();
  }
}

function literalOf(client: pg.Client, value: Value): string {
  if (value === null || value === undefined) return 'NULL';
  if (typeof value === 'object' && 'join' in value)
    return client.escapeLiteral(`{${value.join(',')}}`);
  if (value instanceof Date) return client.escapeLiteral(value.toISOString());
  return client.escapeLiteral(String(value));
}

function readBy(node: Json): number {
  const removed =
    (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
  const own = /^events/.test(node['Relation Name'] ?? '')
    ? (node['Actual Rows'] + removed) * node['Actual Loops']
    : 0;
  return (node.Plans ?? []).reduce((sum: number, each: Json) => sum + readBy(each), own);
}

const page = (after = '0', createdAt: Date | null = null): Value[] => {
  return [after, newest, LIMIT, 1_000_000, createdAt];
};

it('a page of the log of all directories reads its own events', async () => {
  // Its plan is never one for any values.
  expect(LIST_ALL_EVENTS.name).toBeUndefined();
  const middle = String(BigInt(newest) - 50_000n);
  for (const start of [page(), page(middle), page(newest, new Date())]) {
    const read = await rowsRead(LIST_ALL_EVENTS, [...start, null, null], 'custom');
    expect(read).toBeLessThanOrEqual(3 * LIMIT);
  }
});

describe.each(['custom', 'generic'])('with a %s plan, a page of the log', (plans) => {
  it('of one directory reads its own events', async () => {
    for (const id of [directories[7], quiet]) {
      const read = await rowsRead(LIST_EVENTS, [...page(), id], plans);
      expect(read).toBeLessThanOrEqual(2 * LIMIT);
    }
  });

  it('of a few directories reads a page of each, and nothing of quiet ones', async () => {
    const three = directories.slice(0, 3);
    expect(await rowsRead(LIST_EVENTS_OF_SOME, [...page(), three], plans)).toBeLessThanOrEqual(150);
    expect(await rowsRead(LIST_EVENTS_OF_SOME, [...page(), [quiet]], plans)).toBe(0);
  });
});

it('the log of a tenant without events is read without that of others', async () => {
  const { sync } = fixture.test;
  const { data } = await sync.events.getAll({ tenant: 'quiet' });
  expect(data).toEqual([]);
  const found = await sync.events.getAll({ tenant: 't-5', limit: LIMIT });
  expect(found.data).toHaveLength(LIMIT);
  expect(new Set(found.data?.map(({ tenant }) => tenant))).toEqual(new Set(['t-5']));
  const after = found.data?.[9]?.id;
  const rest = await sync.events.getAll({ tenant: 't-5', after, limit: 10 });
  expect(rest.data).toEqual(found.data?.slice(10, 20));
  const all = await sync.events.getAll({ product: 'p', limit: 5 });
  expect(all.data?.map(({ tenant }) => tenant)).toHaveLength(5);
});
