import { parseListQuery, SqlParameters, userResourceType } from '@gatehouse/scim';
import { filtered, group, type Json, type TestDirectory, user } from '../harness.js';
import { useFixture } from '../fixture.js';
import { listText } from '../../src/scim/lists/list.repository.js';

const fixture = useFixture();

const SIZE = { rows: 100, bytes: 1_000_000 };

const idsOf = (data: Json): string[] => data.Resources.map(({ id }: Json) => id as string);

/** Inserts many users by SQL, as the library would store them. */
async function fill(directory: TestDirectory, count: number): Promise<void> {
  await fixture.database.query(
    `INSERT INTO dsync.users (directory_id, id, user_name, user_name_lower, external_id,
        display_name, display_name_lower, emails_lower, active, raw, created_at, updated_at)
      SELECT $1, dsync.uuid_v7(), 'User-' || n, 'user-' || n, 'Ext-' || n, 'Name ' || n,
        'name ' || n, ARRAY['user-' || n || '@example.com'], n % 50 <> 0,
        jsonb_build_object('userName', 'User-' || n, 'emails', jsonb_build_array(
          jsonb_build_object('type', 'work', 'value', 'User-' || n || '@example.com'))),
        '2026-01-01'::timestamptz + n * interval '1 second',
        '2026-02-01'::timestamptz + n * interval '1 second'
      FROM generate_series(1, $2::integer) n`,
    [directory.id, count],
  );
}

describe('paging', () => {
  let directory: TestDirectory;

  beforeAll(async () => {
    directory = await fixture.test.newDirectory();
    await fill(directory, 25);
    await fixture.database.query(
      `UPDATE dsync.users SET display_name = NULL, display_name_lower = NULL
        WHERE directory_id = $1 AND user_name LIKE '%3'`,
      [directory.id],
    );
  });

  it('by index has the correct total on every page, in a stable order', async () => {
    const seen: string[] = [];
    for (const startIndex of [1, 11, 21, 31]) {
      const { data } = await directory.send('GET', `/Users?startIndex=${startIndex}&count=10`);
      expect([data.totalResults, data.itemsPerPage]).toEqual([25, data.Resources.length]);
      seen.push(...idsOf(data));
    }
    expect(new Set(seen).size).toBe(25);
    const none = await directory.send('GET', '/Users?count=0');
    expect(none.data).toMatchObject({ totalResults: 25, Resources: [] });
  });

  it.each([
    '',
    '&sortBy=userName',
    '&sortBy=displayName',
    '&sortBy=displayName&sortOrder=descending',
    '&sortBy=name.familyName&sortOrder=descending',
  ])('by cursor visits every user once (%s)', async (sort) => {
    const expected = idsOf((await directory.send('GET', `/Users?count=100${sort}`)).data);
    const seen: string[] = [];
    let cursor: string | undefined = '';
    while (cursor !== undefined) {
      const { data }: Json = await directory.send('GET', `/Users?cursor=${cursor}&count=7${sort}`);
      expect(data.totalResults).toBe(25);
      seen.push(...idsOf(data));
      cursor = data.nextCursor;
    }
    expect(seen).toEqual(expected);
  });

  it('by cursor counts for the first page, and the pages after it carry the total', async () => {
    const growing = await fixture.test.newDirectory();
    await fill(growing, 3);
    const read = async (path: string) => (await growing.send('GET', path)).data;
    const first = await read('/Users?cursor=&count=2');
    await growing.send('POST', '/Users', user('later'));
    const second = await read(`/Users?cursor=${first.nextCursor}&count=2`);
    expect([first.totalResults, second.totalResults]).toEqual([3, 3]);
    await growing.send('POST', '/Groups', group('devs'));
    for (const path of ['', '.search']) {
      const query = { cursor: '', count: 2 };
      const { data }: Json = path
        ? await growing.send('POST', `/${path}`, { ...query })
        : await growing.send('GET', '/?cursor=&count=2');
      expect([path, data.totalResults]).toEqual([path, 5]);
    }
    expect((await read('/Users?cursor=&count=0')).totalResults).toBe(4);
    expect((await read('/Groups?cursor=&count=9')).totalResults).toBe(1);
    expect((await read(filtered('Users', 'userName eq "no"', '&cursor='))).totalResults).toBe(0);
  });

  it('by cursor refuses a cursor of another directory or filter', async () => {
    const { data } = await directory.send('GET', '/Users?cursor=&count=1');
    const sibling = await fixture.test.newDirectory();
    await fill(sibling, 2);
    for (const answer of [
      await sibling.send('GET', `/Users?cursor=${data.nextCursor}&count=1`),
      await directory.send(
        'GET',
        filtered('Users', 'active eq true', `&cursor=${data.nextCursor}`),
      ),
      await directory.send('GET', `/Groups?cursor=${data.nextCursor}`),
    ]) {
      expect([answer.status, answer.data.scimType]).toEqual([400, 'invalidCursor']);
    }
  });

  it('at the root lists users, then groups, by index and by cursor', async () => {
    const both = await fixture.test.newDirectory();
    await fill(both, 3);
    for (const name of ['a', 'b', 'c']) await both.send('POST', '/Groups', group(name));
    const search = (more: object) =>
      both.send('POST', '/.search', {
        schemas: ['urn:ietf:params:scim:api:messages:2.0:SearchRequest'],
        ...more,
      });
    const all = (await search({})).data;
    expect(all.totalResults).toBe(6);
    const page = (await search({ startIndex: 3, count: 2 })).data;
    expect(idsOf(page)).toEqual(idsOf(all).slice(2, 4));
    const seen: string[] = [];
    let cursor: string | undefined = '';
    while (cursor !== undefined) {
      const { data }: Json = await search({ cursor, count: 2 });
      seen.push(...idsOf(data));
      cursor = data.nextCursor;
    }
    expect(seen).toEqual(idsOf(all));
  });
});

describe('filters', () => {
  // The plan is asked for with a directory of 20,000 among others, as PostgreSQL would have it.
  let directory: TestDirectory;

  beforeAll(async () => {
    directory = await fixture.test.newDirectory();
    await fill(directory, 20_000);
    await fill(await fixture.test.newDirectory(), 2_000);
    await fixture.database.query('ANALYZE dsync.users');
  });

  async function planOf(parameters: Record<string, string>): Promise<string> {
    const query = parseListQuery(parameters, userResourceType, {
      pageSizeDefault: 100,
      pageSizeMax: 1_000,
    });
    const bound = new SqlParameters(2);
    const text = listText(
      'User',
      { columns: 'u.id', bytes: 'u.raw_bytes' },
      query,
      { offset: 0 },
      SIZE,
      bound,
    );
    const rows = await fixture.database.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${text}`, [
      directory.id,
      ...bound.values,
    ]);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  }

  it.each([
    ['id eq "01a1f93f-0b95-7596-9437-3cfc7b3a3199"', 'users_id'],
    ['userName eq "USER-77"', 'users_user_name'],
    ['userName sw "user-777"', 'users_user_name'],
    ['externalId eq "Ext-77"', 'users_external_id'],
    ['emails.value eq "user-77@example.com"', 'users_emails'],
    ['emails[type eq "work"].value eq "user-77@example.com"', 'users_emails'],
    ['emails eq "USER-77@example.com"', 'users_emails'],
    ['displayName eq "NAME 77"', 'users_display_name'],
    ['active eq false', 'users_active'],
    ['meta.created gt "2026-01-01T05:33:10Z"', 'users_created_at'],
    ['meta.lastModified ge "2026-02-01T05:33:10Z"', 'users_updated_at'],
    ['userName eq "user-1" or externalId eq "Ext-2"', 'users_external_id'],
  ])('%s is answered by the index %s', async (filter, index) => {
    const plan = await planOf({ filter });
    expect(plan).toContain(index);
    expect(plan).not.toMatch(/Seq Scan on users/);
  });

  it('without a filter, and after a cursor, read the primary key', async () => {
    expect(await planOf({})).toMatch(/Index.* Scan using users_pkey/);
    const bound = new SqlParameters(2);
    const query = parseListQuery({ cursor: '' }, userResourceType, {
      pageSizeDefault: 100,
      pageSizeMax: 1_000,
    });
    const start = { lastKey: null, lastId: crypto.randomUUID() };
    const text = listText(
      'User',
      { columns: 'u.id', bytes: 'u.raw_bytes' },
      query,
      start,
      SIZE,
      bound,
    );
    const rows = await fixture.database.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${text}`, [
      directory.id,
      ...bound.values,
    ]);
    expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toMatch(
      /users_pkey[^]*Index Cond: .*id > /,
    );
  });

  it('that would take too long to evaluate are refused quickly', async () => {
    const clauses = Array.from({ length: 10_000 }, (_, n) => `userName eq "${n}"`).join(' or ');
    const nested = `${'('.repeat(1_000)}active eq true${')'.repeat(1_000)}`;
    const timed = async (filter: string): Promise<[number, number, string]> => {
      const startedAt = performance.now();
      const { status, data } = await directory.send('GET', filtered('Users', filter));
      return [performance.now() - startedAt, status, data.scimType];
    };
    const [ordinaryMs, accepted] = await timed('userName eq "1"');
    expect(accepted).toBe(200);
    for (const filter of [clauses, nested]) {
      const [refusedMs, ...refusal] = await timed(filter);
      expect(refusal).toEqual([400, 'invalidFilter']);
      expect(refusedMs).toBeLessThan(100 * Math.max(ordinaryMs, 20));
    }
  });

  it('bind their values as parameters', async () => {
    const { status, data } = await directory.send(
      'GET',
      filtered('Users', `userName eq "x' OR '1'='1" or title eq "'; DROP TABLE dsync.users; --"`),
    );
    expect([status, data.totalResults]).toEqual([200, 0]);
  });
});
