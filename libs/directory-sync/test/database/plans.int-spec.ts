import {
  groupResourceType,
  parseListQuery,
  SqlParameters,
  userResourceType,
} from '@gatehouse/scim';
import { fillGroup, newGroup } from '../groups.js';
import { type TestDirectory } from '../harness.js';
import { useFixture } from '../fixture.js';
import { newestIds } from '../../src/directories/directory.sql.js';
import { LIST_USER_RECORDS_BY } from '../../src/users/user.sql.js';
import { LIST_MEMBERS } from '../../src/groups/member.sql.js';
import { listText, type PageStart } from '../../src/scim/lists/list.repository.js';

// The cost of a request must not depend on rows outside of its page. These are query plans for a
// directory of 20,000 users, each in one of 2,000 groups, next to a small directory.

const fixture = useFixture();

const SIZE = { rows: 100, bytes: 1_000_000 };

const LIMITS = { pageSizeDefault: 100, pageSizeMax: 1_000 };

let directory: TestDirectory;

beforeAll(async () => {
  directory = await fixture.test.newDirectory();
  await fill(directory, 20_000, 2_000);
  await fill(await fixture.test.newDirectory(), 20, 2);
  await fixture.database.query('ANALYZE dsync.users, dsync.groups, dsync.group_members');
});

async function fill({ id }: TestDirectory, users: number, groups: number): Promise<void> {
  await fixture.database.query(
    `INSERT INTO dsync.users (directory_id, id, user_name, user_name_lower, external_id,
        display_name, display_name_lower, emails_lower, active, raw)
      SELECT $1, dsync.uuid_v7(), 'user-' || n, 'user-' || n, held, held, held, '{}', true,
        jsonb_build_object('title', repeat('x', 600))
      FROM generate_series(1, $2::integer) n,
        LATERAL (SELECT CASE WHEN n % 2 = 0 THEN 'a-' || n END AS held) half`,
    [id, users],
  );
  await fixture.database.query(
    `INSERT INTO dsync.groups (directory_id, id, display_name, display_name_lower, raw)
      SELECT $1, dsync.uuid_v7(), 'Group-' || n, 'group-' || n, '{}'
      FROM generate_series(1, $2::integer) n`,
    [id, groups],
  );
  await fixture.database.query(
    `INSERT INTO dsync.group_members (directory_id, group_id, user_id)
      SELECT $1, g.id, u.id
      FROM (SELECT id, row_number() OVER () AS n FROM dsync.users WHERE directory_id = $1) u
      JOIN (SELECT id, row_number() OVER () AS n FROM dsync.groups WHERE directory_id = $1) g
        ON u.n % $2::integer = g.n - 1`,
    [id, groups],
  );
}

async function planOf(text: string, values: readonly unknown[]): Promise<string> {
  const rows = await fixture.database.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${text}`, [
    ...values,
  ]);
  return rows.map((row) => row['QUERY PLAN']).join('\n');
}

it('a filter on group names reads the members of the matching groups only', async () => {
  const query = parseListQuery({ filter: 'groups.display eq "group-7"' }, userResourceType, LIMITS);
  const bound = new SqlParameters(2);
  const text = listText(
    'User',
    { columns: 'u.id', bytes: 'u.raw_bytes' },
    query,
    { offset: 0 },
    SIZE,
    bound,
  );
  const plan = await planOf(text, [directory.id, ...bound.values]);
  expect(plan).toMatch(/groups_display_name[^]*Index Cond: .*directory_id = .* AND .*display_name/);
  expect(plan).not.toContain('Seq Scan');
});

it.each(['members[value eq "ID"]', 'members.value eq "ID"', 'members eq "ID"'])(
  'a group filter by %s uses the index of members',
  async (filter) => {
    const query = parseListQuery(
      { filter: filter.replace('ID', crypto.randomUUID()) },
      groupResourceType,
      LIMITS,
    );
    const bound = new SqlParameters(2);
    const text = listText(
      'Group',
      { columns: 'g.id', bytes: 'g.raw_bytes' },
      query,
      { offset: 0 },
      SIZE,
      bound,
    );
    const plan = await planOf(text, [directory.id, ...bound.values]);
    expect(plan).toContain('group_members_user');
    expect(plan).not.toContain('Seq Scan');
  },
);

describe.each([
  ['displayName', 'users_display_name'],
  ['externalId', 'users_external_id'],
])('users by %s, which half of them lack,', (sortBy, index) => {
  const lastId = crypto.randomUUID();

  it.each<[string, string, PageStart]>([
    ['ascending', 'the first page', { offset: 0 }],
    ['ascending', 'a page of those that have it', { lastKey: 'a-7', lastId }],
    ['ascending', 'a page of those that lack it', { lastKey: null, lastId }],
    ['descending', 'the first page', { offset: 0 }],
    ['descending', 'a page of those that lack it', { lastKey: null, lastId }],
    ['descending', 'a page of those that have it', { lastKey: 'a-7', lastId }],
  ])('%s: %s is a part of the index', async (sortOrder, _page, start) => {
    const query = parseListQuery({ sortBy, sortOrder }, userResourceType, LIMITS);
    const bound = new SqlParameters(2);
    const text = listText(
      'User',
      { columns: 'u.id', bytes: 'u.raw_bytes' },
      query,
      start,
      SIZE,
      bound,
    );
    const plan = await planOf(text, [directory.id, ...bound.values]);
    expect(plan).toContain(index);
    expect(plan).not.toMatch(/Seq Scan on users|users_pkey/);
  });
});

it.each(['users', 'groups'] as const)(
  'a page of the %s of a tenant is the newest part of the key',
  async (table) => {
    const { tenant, product } = directory;
    const plan = await planOf(newestIds(table), [tenant, product, null, 0, 50]);
    expect(plan).toMatch(new RegExp(`Index Only Scan Backward using ${table}_pkey`));
    expect(plan).not.toContain('Seq Scan on ' + table);
  },
);

it.each([
  ['userName', /Index (Only )?Scan.* using users_user_name/],
  ['externalId', /Index (Only )?Scan.* using users_external_id/],
  ['email', /Bitmap Index Scan on users_emails/],
] as const)(
  'a look-up by %s over the directories of a tenant reads its index',
  async (by, index) => {
    const { tenant } = directory;
    const { text } = LIST_USER_RECORDS_BY[by];
    const plan = await planOf(text, [tenant, null, null, 0, 50, 1_000_000, 'user-7']);
    expect(plan).toMatch(index);
    expect(plan).not.toMatch(/Seq Scan on users|using users_pkey/);
  },
);

it('a page of the members of a group is a part of the key', async () => {
  const { id } = fixture.directory;
  const group = await newGroup(fixture.directory, 'large');
  await fillGroup(fixture, group, 5_000);
  const plan = await planOf(LIST_MEMBERS.text, [null, null, id, group, true, group, 0, 51]);
  expect(plan).toMatch(/Index Scan Backward using group_members_pkey[^]*member_id < /);
  expect(plan).not.toMatch(/Seq Scan on (users|group_members)/);
});

it('pages of a tenant cover its directories, newest first, each row once', async () => {
  const scope = { tenant: 'of-two', product: 'product' };
  const both = [await fixture.test.newDirectory(scope), await fixture.test.newDirectory(scope)];
  for (let index = 0; index < 6; index++) {
    const body = { userName: `user-${index}`, displayName: `group-${index}` };
    await both[index % 2]?.send('POST', '/Users', body);
    await both[index % 2]?.send('POST', '/Groups', body);
  }
  const { users, groups } = fixture.test.sync;
  const names: unknown[] = [];
  for (const pageOffset of [0, 2, 4, 6]) {
    const page = { pageOffset, pageLimit: 2 };
    const ofUsers = await users.setTenantAndProduct('of-two', 'product').getAll(page);
    const ofGroups = await groups.setTenantAndProduct('of-two', 'product').getAll(page);
    names.push([
      ofUsers.data?.map(({ raw }) => raw.userName),
      ofGroups.data?.map(({ name }) => name),
    ]);
  }
  expect(names).toEqual([
    [
      ['user-5', 'user-4'],
      ['group-5', 'group-4'],
    ],
    [
      ['user-3', 'user-2'],
      ['group-3', 'group-2'],
    ],
    [
      ['user-1', 'user-0'],
      ['group-1', 'group-0'],
    ],
    [[], []],
  ]);
});
