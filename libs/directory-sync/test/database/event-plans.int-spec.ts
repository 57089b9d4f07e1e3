import { type Statement } from '@gatehouse/kit/sql';
import { rowsRead } from '@gatehouse/testing';
import { LIST_ALL_EVENTS, LIST_EVENTS, LIST_EVENTS_OF_SOME } from '../../src/events/event.sql.js';
import { useFixture } from '../fixture.js';

// A page of the log must not cost more in a larger log: rows that are read for a page of 50, in a log of
// 100,000 events, of 2,000 directories and four days, from a noon on: a partition of minutes is read whole.

const fixture = useFixture();
const EVENTS = 100_000;
const LIMIT = 50;

type Values = Parameters<typeof rowsRead>[2];
type Plan = Parameters<typeof rowsRead>[0]['plan'];

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
        date_trunc('day', now(), 'UTC') - interval '84 hours' + n * interval '3.4 seconds'
      FROM generate_series(1, $2::integer) n`,
    [directories, EVENTS],
  );
  await query('ANALYZE dsync.events, dsync.directories');
  const [last] = await query<{ last: string }>('SELECT max(sequence) AS last FROM dsync.events');
  newest = last?.last ?? '';
});

/** The rows that a statement reads from the log. */
function read(statement: Statement, values: Values, plan: Plan = 'custom'): Promise<number> {
  return rowsRead({ url: fixture.database.url, table: 'events', plan }, statement, values);
}

const page = (after = '0', createdAt: Date | null = null): Values => {
  return [after, newest, LIMIT, 1_000_000, createdAt];
};

it('a page of the log of all directories reads its own events', async () => {
  // Its plan is never one for any values.
  expect(LIST_ALL_EVENTS.name).toBeUndefined();
  const middle = String(BigInt(newest) - 50_000n);
  for (const start of [page(), page(middle), page(newest, new Date())]) {
    const rows = await read(LIST_ALL_EVENTS, [...start, null, null]);
    expect(rows).toBeLessThanOrEqual(3 * LIMIT);
  }
});

describe.each(['custom', 'generic'] as const)('with a %s plan, a page of the log', (plan) => {
  it('of one directory reads its own events', async () => {
    for (const id of [directories[7] ?? '', quiet]) {
      const rows = await read(LIST_EVENTS, [...page(), id], plan);
      expect(rows).toBeLessThanOrEqual(2 * LIMIT);
    }
  });

  it('of a few directories reads a page of each, and nothing of quiet ones', async () => {
    const three = directories.slice(0, 3);
    expect(await read(LIST_EVENTS_OF_SOME, [...page(), three], plan)).toBeLessThanOrEqual(150);
    expect(await read(LIST_EVENTS_OF_SOME, [...page(), [quiet]], plan)).toBe(0);
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
