import { filtered, group, type Json, patch, user } from '../harness.js';
import { useFixture } from '../fixture.js';

// Bugs of Ory Polis that must not occur here, one test each. Those about delivery are in
// test/delivery, under "seen in Polis".

const fixture = useFixture();

it('concurrent calls for two tenants do not store the users of one in the other', async () => {
  const [one, two] = [
    await fixture.test.newDirectory({ tenant: 'one' }),
    await fixture.test.newDirectory({ tenant: 'two' }),
  ];
  const handles = [
    fixture.test.sync.users.setTenantAndProduct('one', 'product'),
    fixture.test.sync.users.setTenantAndProduct('two', 'product'),
  ] as const;
  await Promise.all(
    Array.from({ length: 40 }, (_, n) =>
      (n % 2 ? one : two).send('POST', '/Users', user(`${n % 2 ? 'one' : 'two'}-${n}`)),
    ),
  );
  for (const [index, tenant] of ['one', 'two'].entries()) {
    const { data } = await (handles[index] as (typeof handles)[0]).getAll();
    expect(data).toHaveLength(20);
    expect(data?.every(({ raw }) => (raw.userName as string).startsWith(tenant))).toBe(true);
  }
});

it('ten simultaneous POSTs of one userName do not all give 201', async () => {
  const directory = await fixture.test.newDirectory();
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => directory.send('POST', '/Users', user('ann'))),
  );
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  expect((await directory.send('GET', '/Users')).data.totalResults).toBe(1);
});

it('a directory can neither read nor change users of another directory', async () => {
  const directory = await fixture.test.newDirectory({ tenant: 'siblings' });
  const sibling = await fixture.test.newDirectory({ tenant: 'siblings' });
  const { data } = await directory.send('POST', '/Users', user('ann'));
  const path = `/Users/${data.id}`;
  const attempts = [
    sibling.send('GET', path),
    sibling.send('PUT', path, user('taken over')),
    sibling.send('PATCH', path, patch({ op: 'replace', path: 'active', value: false })),
    sibling.send('DELETE', path),
  ];
  expect((await Promise.all(attempts)).map(({ status }) => status)).toEqual([404, 404, 404, 404]);
  for (const query of ['/Users', filtered('Users', `id eq "${data.id}"`)]) {
    expect((await sibling.send('GET', query)).data.totalResults).toBe(0);
  }
  const inGroup = await sibling.send('POST', '/Groups', group('devs', [data.id as string]));
  expect(inGroup.data.members).toEqual([]);
  const body = { ...user('mine'), id: data.id, userId: data.id };
  expect((await sibling.send('POST', '/Users', body)).data.id).not.toBe(data.id);
  expect((await directory.send('GET', path)).data.userName).toBe('ann');
  const foreign = await sibling.send('GET', '/Users', undefined, {
    apiSecret: directory.scim.secret,
  });
  expect(foreign.status).toBe(401);
});

it('after a rename, filters find the new name and the old name is free', async () => {
  const directory = await fixture.test.newDirectory();
  const { data } = await directory.send('POST', '/Users', user('old@example.com'));
  await directory.send('PUT', `/Users/${data.id}`, user('new@example.com'));
  const found = async (name: string) =>
    (await directory.send('GET', filtered('Users', `userName eq "${name}"`))).data.totalResults;
  expect([await found('new@example.com'), await found('old@example.com')]).toEqual([1, 0]);
  expect((await directory.send('POST', '/Users', user('old@example.com'))).status).toBe(201);
});

it.each([
  'externalId eq "00u1"',
  'userName eq "ann@example.com" and active eq true',
  'USERNAME EQ "ANN@EXAMPLE.COM"',
  'userName sw "ann"',
])('the filter %s works', async (filter) => {
  const directory = await fixture.test.newDirectory();
  const body = user('ann@example.com', { externalId: '00u1', active: true });
  await directory.send('POST', '/Users', body);
  await directory.send('POST', '/Users', user('bob@example.com', { externalId: '00u2' }));
  const { data } = await directory.send('GET', filtered('Users', filter));
  expect(data.Resources.map(({ userName }: Json) => userName)).toEqual(['ann@example.com']);
});

it('totalResults is the number of matches, not the size of the page', async () => {
  const directory = await fixture.test.newDirectory();
  for (const name of ['a', 'b', 'c']) await directory.send('POST', '/Users', user(name));
  const { data } = await directory.send('GET', '/Users?count=1');
  expect([data.totalResults, data.itemsPerPage]).toEqual([3, 1]);
});

it('members in POST, PUT and replace are stored, and operations in capitals work', async () => {
  const directory = await fixture.test.newDirectory();
  const [a = '', b = ''] = (
    await Promise.all(['a', 'b'].map((name) => directory.send('POST', '/Users', user(name))))
  ).map(({ data }) => data.id as string);
  const { data } = await directory.send('POST', '/Groups', group('devs', [a]));
  const path = `/Groups/${data.id}`;
  const members = async () =>
    (await directory.send('GET', path)).data.members.map(({ value }: Json) => value);
  expect(await members()).toEqual([a]);
  await directory.send('PUT', path, group('devs', [b]));
  expect(await members()).toEqual([b]);
  const steps = [
    { op: 'replace', path: 'members', value: [{ value: a }] },
    { op: 'Remove', path: 'members', value: [{ value: a }] },
    { op: 'Add', path: 'members', value: [{ value: b }] },
  ];
  const expected = [[a], [], [b]];
  for (const [index, step] of steps.entries()) {
    await directory.send('PATCH', path, patch(step));
    expect(await members()).toEqual(expected[index]);
  }
});

it('active "False" is stored as false', async () => {
  const directory = await fixture.test.newDirectory();
  const { data } = await directory.send('POST', '/Users', user('ann', { active: 'False' }));
  expect(data.active).toBe(false);
  const { data: found } = await directory.send('GET', filtered('Users', 'active eq false'));
  expect(found.totalResults).toBe(1);
  const records = fixture.test.sync.users.setTenantAndProduct(directory.tenant, directory.product);
  expect((await records.get(data.id as string)).data).toMatchObject({
    active: false,
    raw: { active: false },
  });
});

it('deleting a user ends its memberships', async () => {
  const directory = await fixture.test.newDirectory();
  const { data } = await directory.send('POST', '/Users', user('ann'));
  const devs = await directory.send('POST', '/Groups', group('devs', [data.id as string]));
  await directory.send('DELETE', `/Users/${data.id}`);
  const { data: after } = await directory.send('GET', `/Groups/${devs.data.id}`);
  expect([after.members, after.meta.version]).toEqual([[], 'W/"2"']);
  const groups = fixture.test.sync.groups.setTenantAndProduct(directory.tenant, directory.product);
  expect((await groups.getGroupMembers({ groupId: devs.data.id as string })).data).toEqual([]);
});

it('a workspace directory of an earlier version accepts no SCIM secret, not even an empty one', async () => {
  const directory = await fixture.test.newDirectory();
  await fixture.database.query(
    `UPDATE dsync.directories SET type = 'workspace', scim_secret_sealed = NULL,
      scim_secret_sha256 = NULL WHERE id = $1`,
    [directory.id],
  );
  const { data } = await fixture.test.sync.directories.get(directory.id);
  expect([data?.type, data?.scim.secret]).toEqual(['workspace', '']);
  for (const apiSecret of ['', 'null', 'undefined']) {
    expect((await directory.send('GET', '/Users', undefined, { apiSecret })).status).toBe(401);
  }
});
