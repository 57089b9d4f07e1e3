import { changeGroup, memberIdsOf, membersOf, newGroup, newUsers } from '../groups.js';
import { filtered, group, type Json, user } from '../harness.js';
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
