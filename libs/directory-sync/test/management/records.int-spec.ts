import { newGroup, newUsers } from '../groups.js';
import { group, openSync, user } from '../harness.js';
import { useFixture } from '../fixture.js';

const fixture = useFixture();

const odd = (name: string): object => ({ [name]: 'odd' });

describe('users and groups of a tenant and product', () => {
  it('have the present groups of users and the first 200 members of groups in raw', async () => {
    const directory = await fixture.test.newDirectory();
    const ids: string[] = [];
    for (const name of ['a', 'b']) {
      const body = user(name, { groups: [{ value: 'of-the-provider' }], roles: 'viewer,editor' });
      ids.push((await directory.send('POST', '/Users', body)).data.id as string);
    }
    const created = await directory.send('POST', '/Groups', group('devs', ids.slice(0, 1)));
    const value = created.data.id as string;
    const $ref = `${directory.scim.endpoint}/Groups/${value}`;
    const scope = { directoryId: directory.id };
    const users = fixture.test.sync.users.inScope(scope);
    const expected = [[], [{ value, $ref, display: 'devs', type: 'direct' }]];
    expect((await users.getAll()).data?.map(({ raw }) => raw.groups)).toEqual(expected);
    const one = (await users.get(ids[0] ?? '')).data;
    expect([one?.raw.groups, one?.raw.id, one?.roles]).toEqual([
      expected[1],
      ids[0],
      ['viewer', 'editor'],
    ]);

    const groups = fixture.test.sync.groups.inScope(scope);
    expect((await groups.getAll()).data?.[0]).toEqual({
      id: value,
      directory_id: directory.id,
      name: 'devs',
      raw: { ...group('devs'), id: value, members: [{ value: ids[0], display: 'a' }] },
      members_total: 1,
    });
    await fixture.database.query(
      `WITH made AS (
          INSERT INTO dsync.users
            (directory_id, id, user_name, user_name_lower, emails_lower, active, raw)
          SELECT $1, dsync.uuid_v7(), 'u-' || n, 'u-' || n, '{}', true, '{}'
          FROM generate_series(1, 250) n RETURNING id),
        joined AS (
          INSERT INTO dsync.group_members (directory_id, group_id, user_id)
          SELECT $1, $2, id FROM made)
        UPDATE dsync.groups SET member_count = member_count + 250 WHERE id = $2`,
      [directory.id, value],
    );
    const { raw, members_total } = (await groups.getAll()).data?.[0] ?? {};
    expect([(raw?.members as unknown[]).length, members_total]).toEqual([200, 251]);
  });

  it('are looked up by name, e-mail address or external id in the directories of a tenant', async () => {
    const tenant = 'looked-up';
    const made = [];
    const directoryIds = [];
    for (const product of ['app', 'shop']) {
      const directory = await fixture.test.newDirectory({ tenant, product });
      const emails = [{ value: 'Ann@Example.com' }, { value: `${product}@example.com` }];
      const body = user('ANN', { externalId: 'e-1', emails });
      await directory.send('POST', '/Users', user('bob', { externalId: 'E-1' }));
      made.push((await directory.send('POST', '/Users', body)).data.id as string);
      directoryIds.push(directory.id);
    }
    const other = await fixture.test.newDirectory();
    await other.send('POST', '/Users', user('ann', { externalId: 'e-1' }));
    const { users } = fixture.test.sync;
    const found = async (options: object, scope: object = { tenant }) =>
      (await users.inScope(scope).getAll(options)).data?.map(({ id }) => id);
    const both = [...made].reverse();
    expect(await found({ userName: 'ann' })).toEqual(both);
    const named = (await users.inScope({ tenant }).getAll({ userName: 'ann' })).data;
    expect(named?.map(({ directory_id }) => directory_id)).toEqual([...directoryIds].reverse());
    expect(await found({ email: 'ANN@example.COM' })).toEqual(both);
    expect(await found({ external_id: 'e-1' })).toEqual(both);
    expect(await found({ email: 'shop@example.com' })).toEqual([made[1]]);
    expect(await found({ email: 'ann' })).toEqual([]);
    expect(await found({ userName: 'ann' }, { tenant, product: 'app' })).toEqual([made[0]]);
    expect(await found({ userName: 'ann' }, { directoryId: other.id })).toHaveLength(1);
    expect(await found({ email: 'ann@example.com', pageLimit: 1 })).toEqual([made[1]]);
    for (const [options, message] of [
      [{ userName: 'ann', email: 'ann@example.com' }, 'email: cannot be combined with userName'],
      [{ email: '' }, 'email: is required'],
      [{ userName: ['a', 'b'] }, 'userName: must be given only once'],
      [{}, 'tenant: tenant and product, or directoryId, are required'],
    ] as const) {
      const { error } = await users.inScope({ tenant }).getAll(options as object);
      expect([error?.code, error?.message]).toEqual([400, message]);
    }
  });

  it('are listed with the offset of the next page, and a page of large ones ends early', async () => {
    const small = await openSync(fixture.database.url, { limits: { pageBytesMax: 25_000 } });
    const directory = await small.newDirectory();
    for (const name of ['a', 'b', 'c']) {
      await directory.send('POST', '/Users', user(name, { title: name.repeat(10_000) }));
    }
    const users = small.sync.users.inScope({ directoryId: directory.id });
    const page = async (options: object) => {
      const { data } = await users.getPage(options);
      return [data?.items.map(({ raw }) => raw.userName), data?.nextOffset];
    };
    expect(await page({})).toEqual([['c', 'b'], 2]);
    expect(await page({ pageOffset: 2 })).toEqual([['a'], null]);
    expect(await page({ pageLimit: 1 })).toEqual([['c'], 1]);
    expect(await page({ pageOffset: 3 })).toEqual([[], null]);
    await small.close();
  });

  it('inside a group are listed by page, newest first, and the groups inside it where asked for', async () => {
    const { directory } = fixture;
    const [a = '', b = ''] = await newUsers(directory, 'a', 'b');
    const inner = await newGroup(directory, 'inner');
    const groupId = await newGroup(directory, 'outer', [a, b, inner]);
    const groups = fixture.test.sync.groups.inScope({ directoryId: directory.id });
    const page = async (options: object) =>
      (await groups.getGroupMembersPage({ groupId, ...options })).data;
    const users = [
      { user_id: b, name: 'b' },
      { user_id: a, name: 'a' },
    ];
    const all = [{ group_id: inner, name: 'inner' }, ...users];
    expect(await page({})).toEqual({ items: users, nextOffset: null });
    expect(await page({ groups: 'true' })).toEqual({ items: all, nextOffset: null });
    expect(await page({ groups: true, pageLimit: 2 })).toEqual({
      items: all.slice(0, 2),
      nextOffset: 2,
    });
    expect(await page({ groups: true, pageOffset: 2, pageLimit: 2 })).toEqual({
      items: all.slice(2),
      nextOffset: null,
    });
    expect(await page({ groups: true, after: b })).toEqual({
      items: all.slice(2),
      nextOffset: null,
    });
    expect(await page({ after: a })).toEqual({ items: [], nextOffset: null });
    expect((await groups.getGroupMembers({ groupId: inner })).data).toEqual([]);
    const { data } = await groups.get(groupId, { members: false });
    expect(data).toMatchObject({ name: 'outer', members_total: 3 });
    expect([data?.members, data?.raw.members]).toEqual([undefined, undefined]);
    for (const [message, { error }] of [
      [
        'groups: must be true or false',
        await groups.getGroupMembers({ groupId, ...odd('groups') }),
      ],
      [
        'after: must be the id of a member',
        await groups.getGroupMembers({ groupId, after: 'odd' }),
      ],
      ['members: must be true or false', await groups.get(groupId, odd('members'))],
    ] as const) {
      expect([error?.code, error?.message]).toEqual([400, message]);
    }
  });

  it('are listed by page, with members, and only in their own scope', async () => {
    const directory = await fixture.test.newDirectory({ tenant: 'reads', product: 'app' });
    const ids: string[] = [];
    for (const name of ['a', 'b', 'c']) {
      ids.push((await directory.send('POST', '/Users', user(name))).data.id as string);
    }
    const groupId = (await directory.send('POST', '/Groups', group('devs', ids))).data.id as string;
    const groups = fixture.test.sync.groups.setTenantAndProduct('reads', 'app');
    expect((await groups.getAll()).data).toMatchObject([{ id: groupId, name: 'devs' }]);
    const { data } = await groups.get(groupId);
    expect(data?.members).toEqual(ids.map((user_id) => ({ group_id: groupId, user_id })));
    expect(data?.raw.members).toMatchObject(ids.map((value) => ({ value })));
    const page = await groups.getGroupMembers({ groupId, pageOffset: 1, pageLimit: 1 });
    expect(page.data).toEqual([{ user_id: ids[1], name: 'b' }]);

    const users = fixture.test.sync.users.setTenantAndProduct('reads', 'app');
    expect((await users.getAll({ pageLimit: 2 })).data?.map(({ id }) => id)).toEqual([
      ids[2],
      ids[1],
    ]);
    const foreign = fixture.test.sync.groups.setTenantAndProduct('reads', 'other');
    expect((await foreign.getGroupMembers({ groupId })).error?.code).toBe(404);
    const elsewhere = fixture.test.sync.users.setTenantAndProduct('reads', 'other');
    expect(await elsewhere.get(ids[0] ?? '')).toEqual({
      data: null,
      error: { message: 'User not found', code: 404 },
    });
    expect((await groups.get('x')).error).toEqual({
      message: 'Group with id x not found.',
      code: 404,
    });
    expect(
      (await fixture.test.sync.users.setTenantAndProduct('', 'app').getAll()).error?.code,
    ).toBe(400);
  });
});
