import { useFixture } from '../fixture.js';
import { changeGroup, newGroup, newUsers } from '../groups.js';
import { group, type Json, patch, user } from '../harness.js';
import { mapRoles, replayedRoles, roleEvents, rolesOf } from './roles-of.js';

const fixture = useFixture();

const add = (...ids: string[]) => ({
  op: 'add',
  path: 'members',
  value: ids.map((value) => ({ value })),
});
const remove = (id: string) => ({ op: 'remove', path: `members[value eq "${id}"]` });

const ADMINS = { group: { display_name: 'Admins' }, role: 'admin' };

describe('roles of users', () => {
  const roles = () => rolesOf(fixture, fixture.directory);
  const events = async () =>
    ((await fixture.test.eventsOf(fixture.directory)) as Json[]).filter(
      ({ event }) => event === 'user.roles_changed',
    );
  let ada: string;
  let bob: string;

  beforeEach(async () => {
    const create = async (name: string) =>
      (await fixture.directory.send('POST', '/Users', user(name, { emails: [{ value: name }] })))
        .data.id as string;
    ada = await create('ada');
    bob = await create('bob');
  });

  it('follow the groups that rules name, with one event for each change', async () => {
    const admins = await newGroup(fixture.directory, 'Admins', [ada]);
    await mapRoles(fixture, fixture.directory, { default_role: 'member', rules: [ADMINS] });
    expect(await roles()).toEqual({ ada: ['admin'], bob: ['member'] });
    await changeGroup(fixture.directory, admins, add(bob));
    await changeGroup(fixture.directory, admins, remove(ada));
    expect(await roles()).toEqual({ ada: ['member'], bob: ['admin'] });
    expect(await roleEvents(fixture, fixture.directory)).toEqual([
      'ada:  -> admin',
      'bob:  -> member',
      'bob: member -> admin',
      'ada: admin -> member',
    ]);
    const [, , third, last] = await events();
    const Admins = { id: admins, name: 'Admins' };
    expect(third.data.because).toEqual([
      { role: 'admin', change: 'added', group: Admins },
      { role: 'member', change: 'removed', group: null },
    ]);
    expect(last.data).toEqual({
      id: ada,
      first_name: '',
      last_name: '',
      email: 'ada',
      active: true,
      previous: ['admin'],
      current: ['member'],
      because: [
        { role: 'member', change: 'added', group: null },
        { role: 'admin', change: 'removed', group: Admins },
      ],
    });
  });

  it('name the group that is gone', async () => {
    await mapRoles(fixture, fixture.directory, { rules: [ADMINS] });
    const admins = await newGroup(fixture.directory, 'Admins', [ada]);
    await fixture.directory.send('DELETE', `/Groups/${admins}`);
    const last = (await events()).at(-1);
    expect(last.data.because).toEqual([
      { role: 'admin', change: 'removed', group: { id: admins, name: 'Admins' } },
    ]);
    expect(await roles()).toEqual({ ada: [], bob: [] });
  });

  it('come with the group that a rule has waited for', async () => {
    const rules = [
      { group: { external_id: 'x-1' }, role: 'first' },
      { group: { display_name: 'LATER' }, role: 'second' },
    ];
    await mapRoles(fixture, fixture.directory, { rules });
    await fixture.directory.send('POST', '/Groups', {
      ...group('later', [ada]),
      externalId: 'x-1',
    });
    expect(await roles()).toEqual({ ada: ['first', 'second'], bob: [] });
  });

  it('follow the name of a group', async () => {
    const admins = await newGroup(fixture.directory, 'Admins', [ada, bob]);
    await mapRoles(fixture, fixture.directory, { rules: [ADMINS] });
    const rename = (value: string) => ({ op: 'replace', path: 'displayName', value });
    await changeGroup(fixture.directory, admins, rename('Others'));
    expect(await roles()).toEqual({ ada: [], bob: [] });
    await changeGroup(fixture.directory, admins, rename('admins'));
    expect(await roles()).toEqual({ ada: ['admin'], bob: ['admin'] });
  });

  it('reach users in groups inside a group, in circles too', async () => {
    const inner = await newGroup(fixture.directory, 'inner', [ada]);
    const middle = await newGroup(fixture.directory, 'middle', [inner]);
    const admins = await newGroup(fixture.directory, 'Admins', [middle]);
    await changeGroup(fixture.directory, inner, add(admins));
    await mapRoles(fixture, fixture.directory, { rules: [ADMINS] });
    expect(await roles()).toEqual({ ada: ['admin'], bob: [] });
    await changeGroup(fixture.directory, inner, add(bob));
    expect(await roles()).toEqual({ ada: ['admin'], bob: ['admin'] });
    await changeGroup(fixture.directory, middle, remove(inner));
    expect(await roles()).toEqual({ ada: [], bob: [] });
    await changeGroup(fixture.directory, admins, add(inner));
    expect(await roles()).toEqual({ ada: ['admin'], bob: ['admin'] });
    await fixture.directory.send('DELETE', `/Groups/${inner}`);
    expect(await roles()).toEqual({ ada: [], bob: [] });
  });

  it('are all that apply, or the one with the highest priority', async () => {
    await newGroup(fixture.directory, 'Admins', [ada]);
    await newGroup(fixture.directory, 'Editors', [ada, bob]);
    const rules = [
      { group: { display_name: 'Editors' }, role: 'editor', priority: 1 },
      { ...ADMINS, priority: 2 },
    ];
    await mapRoles(fixture, fixture.directory, { mode: 'all', rules });
    expect(await roles()).toEqual({ ada: ['admin', 'editor'], bob: ['editor'] });
    await mapRoles(fixture, fixture.directory, { mode: 'highest', rules });
    expect(await roles()).toEqual({ ada: ['admin'], bob: ['editor'] });
    expect((await events()).length).toBe(3);
  });

  it('are in the events of users, and leave those of the provider in raw', async () => {
    await mapRoles(fixture, fixture.directory, { default_role: 'member', rules: [ADMINS] });
    const sent = { roles: [{ value: 'chef' }] };
    const { data } = await fixture.directory.send('POST', '/Users', user('eve', sent));
    await newGroup(fixture.directory, 'Admins', [data.id as string]);
    const change = patch({ op: 'replace', path: 'title', value: 'Dr' });
    await fixture.directory.send('PATCH', `/Users/${data.id}`, change);
    await fixture.directory.send('DELETE', `/Users/${data.id}`);
    const about = ((await fixture.test.eventsOf(fixture.directory)) as Json[]).filter(
      (event) => event.data.id === data.id,
    );
    expect(about.map(({ event, data: { roles: shown } }) => [event, shown])).toEqual([
      ['user.created', ['member']],
      ['group.user_added', ['member']],
      ['user.roles_changed', undefined],
      ['user.updated', ['admin']],
      ['group.user_removed', ['admin']],
      ['user.deleted', ['admin']],
    ]);
    expect(about[0].data.raw.roles).toEqual([{ value: 'chef' }]);
    expect(about[3].previous.roles).toBeUndefined();
  });

  it('stay while a user is deactivated', async () => {
    await newGroup(fixture.directory, 'Admins', [ada]);
    await mapRoles(fixture, fixture.directory, { rules: [ADMINS] });
    const off = patch({ op: 'replace', path: 'active', value: false });
    await fixture.directory.send('PATCH', `/Users/${ada}`, off);
    expect(await roles()).toEqual({ ada: ['admin'], bob: [] });
  });

  it('find users, newest first', async () => {
    await newGroup(fixture.directory, 'Admins', [ada, bob]);
    await mapRoles(fixture, fixture.directory, { rules: [ADMINS] });
    const users = fixture.test.sync.users.inScope({ directoryId: fixture.directory.id });
    const named = async (role: string, more = {}) =>
      (await users.getAll({ role, ...more })).data?.map(({ id }) => id);
    expect(await named('admin')).toEqual([bob, ada]);
    expect(await named('admin', { pageOffset: 1, pageLimit: 1 })).toEqual([ada]);
    expect(await named('nothing')).toEqual([]);
    expect((await users.getAll({ role: '' })).error?.code).toBe(400);
  });

  it('change once for a request that changes members in several steps', async () => {
    const admins = await newGroup(fixture.directory, 'Admins', [ada]);
    await mapRoles(fixture, fixture.directory, { rules: [ADMINS] });
    await changeGroup(
      fixture.directory,
      admins,
      { op: 'remove', path: `members[value eq "${ada}" and type eq "User"]` },
      add(ada, bob),
    );
    expect(await roleEvents(fixture, fixture.directory)).toEqual([
      'ada:  -> admin',
      'bob:  -> admin',
    ]);
  });

  it('end with the mapping, with the events of it', async () => {
    await newGroup(fixture.directory, 'Admins', [ada]);
    await mapRoles(fixture, fixture.directory, { default_role: 'member', rules: [ADMINS] });
    const { roleMappings } = fixture.test.sync;
    expect((await roleMappings.delete(fixture.directory.id)).error).toBeNull();
    expect(await roles()).toEqual({ ada: undefined, bob: undefined });
    expect(await replayedRoles(fixture, fixture.directory)).toEqual({ [ada]: [], [bob]: [] });
    expect((await roleMappings.get(fixture.directory.id)).error?.code).toBe(404);
    expect((await roleMappings.delete(fixture.directory.id)).error?.code).toBe(404);
    await newUsers(fixture.directory, 'eve');
    expect((await fixture.test.eventsOf(fixture.directory)).at(-1)?.data).not.toHaveProperty(
      'roles',
    );
  });

  it('are not those of another directory', async () => {
    const other = await fixture.test.newDirectory();
    const admins = await newGroup(fixture.directory, 'Admins', [ada]);
    await newGroup(other, 'Admins', await newUsers(other, 'eve'));
    await mapRoles(fixture, other, { rules: [{ group: { id: admins }, role: 'thief' }, ADMINS] });
    expect(await rolesOf(fixture, other)).toEqual({ eve: ['admin'] });
    expect(await roles()).toEqual({ ada: undefined, bob: undefined });
    await fixture.test.sync.directories.delete(other.id);
    const left = await fixture.database.query(
      'SELECT FROM dsync.user_roles WHERE directory_id = $1',
      [other.id],
    );
    expect(left).toEqual([]);
  });
});
