import { changeGroup, memberIdsOf, membersOf, newGroup, newUsers } from '../groups.js';
import { filtered, group, GROUP_SCHEMA, type Json, user } from '../harness.js';
import { useFixture } from '../fixture.js';

const fixture = useFixture();

describe('members', () => {
  it('are accepted in POST, PUT and PATCH in all forms that providers send', async () => {
    const [a = '', b = '', c = ''] = await newUsers(fixture.directory, 'a', 'b', 'c');
    const id = await newGroup(fixture.directory, 'devs', [a]);
    expect(await membersOf(fixture.directory, id)).toEqual([a]);

    await fixture.directory.send('PUT', `/Groups/${id}`, group('devs', [b, c]));
    expect(await membersOf(fixture.directory, id)).toEqual([b, c]);
    expect(
      memberIdsOf(
        await changeGroup(fixture.directory, id, {
          op: 'Add',
          path: 'members',
          value: [{ value: a }],
        }),
      ),
    ).toEqual([a, b, c]);
    expect(
      memberIdsOf(
        await changeGroup(fixture.directory, id, {
          op: 'Remove',
          path: 'members',
          value: [{ $ref: null, value: a }],
        }),
      ),
    ).toEqual([b, c]);
    expect(
      memberIdsOf(
        await changeGroup(fixture.directory, id, {
          op: 'remove',
          path: `members[value eq "${b}"]`,
        }),
      ),
    ).toEqual([c]);
    expect(
      memberIdsOf(
        await changeGroup(fixture.directory, id, {
          op: 'replace',
          path: 'members',
          value: [{ value: a }],
        }),
      ),
    ).toEqual([a]);
    expect(
      memberIdsOf(
        await changeGroup(fixture.directory, id, { op: 'add', value: { members: [{ value: b }] } }),
      ),
    ).toEqual([a, b]);
    expect(
      memberIdsOf(await changeGroup(fixture.directory, id, { op: 'remove', path: 'members' })),
    ).toEqual([]);
  });

  it('stay when a PUT says nothing about them, unless the directory says that it means none', async () => {
    const [a = ''] = await newUsers(fixture.directory, 'a');
    const id = await newGroup(fixture.directory, 'devs', [a]);
    const put = async (body: object) => {
      const answer = await fixture.directory.send('PUT', `/Groups/${id}`, body);
      expect(answer.status).toBe(200);
      return memberIdsOf(answer.data);
    };
    const silent: Json = { ...group('renamed'), members: undefined };
    expect(await put(silent)).toEqual([a]);
    expect(await put({ ...silent, members: null })).toEqual([a]);
    expect(await put({ ...silent, members: [] })).toEqual([]);
    await put({ ...silent, [`${GROUP_SCHEMA}:members`]: [{ value: a }] });
    expect(await put(silent)).toEqual([a]);
    const { directories } = fixture.test.sync;
    const { data } = await directories.update(fixture.directory.id, { put_clears_members: true });
    expect(data?.put_clears_members).toBe(true);
    expect(await put(silent)).toEqual([]);
  });

  it.each<[string, unknown]>([
    ['a text', 'AAA'],
    ['an object without an id', {}],
    ['a list of these', [{}]],
    ['a number', [{ value: 0 }]],
    ['no list', 5],
    ['a list in a list', [['a']]],
    ['a name alone', [{ display: 'A' }]],
  ])('are refused when they cannot be read: %s', async (_name, members) => {
    const body = group('devs');
    const id = await newGroup(fixture.directory, 'devs');
    const answers = [
      await fixture.directory.send('POST', '/Groups', { ...body, members }),
      await fixture.directory.send('PUT', `/Groups/${id}`, { ...body, members }),
    ];
    for (const { status, data } of answers) {
      expect({ status, scimType: data.scimType }).toEqual({
        status: 400,
        scimType: 'invalidValue',
      });
      expect(data.detail).toContain('members');
    }
  });

  it('are added and removed by objects that repeat the name, and by a list without a path', async () => {
    const [a = '', b = ''] = await newUsers(fixture.directory, 'a', 'b');
    const id = await newGroup(fixture.directory, 'devs', [a]);
    const change = async (operation: object) =>
      memberIdsOf(await changeGroup(fixture.directory, id, operation));
    expect(await change({ op: 'add', value: [{ members: [{ value: b }] }] })).toEqual([a, b]);
    const value = { members: [{ value: a }] };
    expect(await change({ op: 'remove', path: 'members', value })).toEqual([b]);
  });

  it('have $ref, type and display, and appear as groups of the user', async () => {
    const [a = ''] = await newUsers(fixture.directory, 'ann');
    const child = await newGroup(fixture.directory, 'child', [a]);
    const parent = await newGroup(fixture.directory, 'parent', [child, a]);
    const { data } = await fixture.directory.send('GET', `/Groups/${parent}`);
    const base = fixture.directory.scim.endpoint;
    expect(data.members).toEqual([
      { value: a, $ref: `${base}/Users/${a}`, type: 'User', display: 'ann' },
      { value: child, $ref: `${base}/Groups/${child}`, type: 'Group', display: 'child' },
    ]);
    const ann = await fixture.directory.send('GET', `/Users/${a}`);
    expect(ann.data.groups.map(({ display, type }: Json) => [display, type])).toEqual([
      ['child', 'direct'],
      ['parent', 'direct'],
    ]);
    const children = await fixture.directory.send(
      'GET',
      filtered('Groups', 'members.type eq "Group"'),
    );
    expect(children.data.Resources.map(({ displayName }: Json) => displayName)).toEqual(['parent']);
  });

  it('that are unknown, or of another directory, are ignored and counted', async () => {
    const sibling = await fixture.test.newDirectory({ tenant: fixture.directory.tenant });
    const foreign = (await sibling.send('POST', '/Users', user('foreign'))).data.id as string;
    const id = await newGroup(fixture.directory, 'devs', [foreign, 'unknown', crypto.randomUUID()]);
    expect(await membersOf(fixture.directory, id)).toEqual([]);
    await changeGroup(fixture.directory, id, {
      op: 'add',
      path: 'members',
      value: [{ value: foreign }],
    });
    const status = await fixture.test.sync.directories.status(fixture.directory.id);
    expect(status.data?.ignored_members).toBe(4);
  });

  it('removed by a condition are those that match after the operations before it', async () => {
    const [a = '', b = ''] = await newUsers(fixture.directory, 'a', 'b');
    const child = await newGroup(fixture.directory, 'child');
    const id = await newGroup(fixture.directory, 'parent', [a, child]);
    const after = await changeGroup(
      fixture.directory,
      id,
      { op: 'remove', path: 'members[type eq "User"]' },
      { op: 'add', path: 'members', value: [{ value: b }] },
    );
    expect(memberIdsOf(after).sort()).toEqual([b, child].sort());
  });
});
