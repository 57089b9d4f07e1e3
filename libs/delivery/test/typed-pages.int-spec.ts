// Pages of the events of one type: each looks at a part of the log, and none is left out.
import { PageTokens } from '@gatehouse/kit/paging';
import { type SqlExecutor } from '@gatehouse/kit/sql';
import { rowsRead } from '@gatehouse/testing';
import { EventLog } from '../src/index.js';
import { LOOKED_MAX } from '../src/log/event-log.sql.js';
import { EventAdmin } from '../src/management/event-admin.js';
import { SCHEMA, useDelivery } from './fixture.js';

const fixture = useDelivery();
const TYPES = ['parcel.sent', 'parcel.lost', 'parcel.found'];

/** So few rows are read whole once PostgreSQL has counted them, which it must not do between two statements. */
beforeEach(async () => {
  const partitions = await fixture.database.query<{ name: string }>(
    `SELECT inhrelid::regclass::text AS name FROM pg_inherits
      WHERE inhparent = '${SCHEMA}.events'::regclass`,
  );
  for (const { name } of partitions) {
    await fixture.database.query(`ALTER TABLE ${name} SET (autovacuum_enabled = false)`);
  }
});

const insert = (types: string, count: number) =>
  fixture.database.query(
    `INSERT INTO ${SCHEMA}.events (source_id, type, data)
      SELECT s.id, ${types}, json_build_object('n', n)
      FROM generate_series(1, $2) AS n, (VALUES ($1::uuid), (gen_random_uuid())) AS s (id)
      ORDER BY n`,
    [fixture.sourceId, count],
  );

/** The events of each page until the last. */
const pagesOf = async (query: Record<string, string>) => {
  const admin = new EventAdmin({
    sql: fixture.sql,
    schema: SCHEMA,
    types: TYPES,
    audit: { insert: () => Promise.resolve() },
    pages: new PageTokens(() => [Buffer.alloc(32)]),
    input: {},
    wake: () => undefined,
    find: (id) => fixture.log.find(id),
    body: () => ({}),
  });
  const pages: { id: string; n: number }[][] = [];
  for (let token: string | undefined; token !== '';) {
    const sent = { ...query, ...(token && { page_token: token }) };
    const { events, next_page_token } = await admin.list(fixture.sourceId, sent);
    const shown = events as { id: string; data: { n: number } }[];
    pages.push(shown.map(({ id, data }) => ({ id, n: data.n })));
    token = next_page_token;
  }
  return pages;
};
const numbersOf = async (query: Record<string, string>) =>
  (await pagesOf(query)).map((page) => page.map(({ n }) => n));

/** The rows of the log that the first page of 50 events of a type reads. */
const rowsOfPage = async (type: string) => {
  const ran: Parameters<SqlExecutor['rows']>[] = [];
  const rows: SqlExecutor['rows'] = (...call) => {
    ran.push(call);
    return fixture.sql.rows(...call);
  };
  await new EventLog({ ...fixture.sql, rows }, SCHEMA).page(fixture.sourceId, undefined, 51, type);
  const options = { url: fixture.database.url, table: 'events', plan: 'generic' } as const;
  let count = 0;
  for (const [statement, values = []] of ran) {
    count += await rowsRead(options, statement, values as string[]);
  }
  return count;
};

it('a type that only the newest event has is found behind empty pages', async () => {
  await insert(`'parcel.sent'`, 25_000);
  await fixture.write(7, 'parcel.lost');
  expect(await numbersOf({ type: 'parcel.lost' })).toEqual([[], [], [7]]);
  expect(await numbersOf({ type: 'parcel.found' })).toEqual([[], [], []]);
  expect(await rowsOfPage('parcel.lost')).toBeLessThanOrEqual(LOOKED_MAX);
});

it('a type that many events have is looked for until the page is full', async () => {
  await insert(`CASE n % 2 WHEN 0 THEN 'parcel.sent' ELSE 'parcel.lost' END`, LOOKED_MAX);
  expect(await rowsOfPage('parcel.lost')).toBeLessThan(500);
  expect((await numbersOf({ type: 'parcel.lost' })).map(({ length }) => length)).toEqual(
    Array(100).fill(50),
  );
});

it('no event is left out or repeated where a page ends', async () => {
  await insert(
    `CASE WHEN n IN (1, ${LOOKED_MAX - 1}, ${LOOKED_MAX}, ${LOOKED_MAX + 1}) THEN 'parcel.lost'
      ELSE 'parcel.sent' END`,
    LOOKED_MAX + 1,
  );
  const query = { type: 'parcel.lost' };
  const ends = [LOOKED_MAX - 1, LOOKED_MAX, LOOKED_MAX + 1];
  expect(await numbersOf(query)).toEqual([[1, ...ends.slice(0, 2)], ends.slice(2)]);
  expect(await numbersOf({ ...query, page_size: '3' })).toEqual([
    [1, ...ends.slice(0, 2)],
    ends.slice(2),
  ]);
  expect(await numbersOf({ ...query, page_size: '2' })).toEqual([
    [1, LOOKED_MAX - 1],
    ends.slice(1),
  ]);
  expect((await numbersOf({ ...query, page_size: '1' })).flat()).toEqual([1, ...ends]);
  const [[first] = []] = await pagesOf(query);
  expect(await numbersOf({ ...query, after: first?.id ?? '' })).toEqual([ends, []]);
});

it('a log of as many events as a page looks at ends with an empty page', async () => {
  await insert(`'parcel.sent'`, LOOKED_MAX);
  expect(await numbersOf({ type: 'parcel.lost' })).toEqual([[], []]);
  const all = await pagesOf({ page_size: '1000' });
  expect(all.map(({ length }) => length)).toEqual(Array(10).fill(1_000));
});
