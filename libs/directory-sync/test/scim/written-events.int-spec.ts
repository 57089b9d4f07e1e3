import { changeGroup, groupEvents, newGroup, newUsers } from '../groups.js';
import { ENTERPRISE, group, type Json, patch, user } from '../harness.js';
import { useFixture } from '../fixture.js';
import { type DirectoryEvent } from '../../src/events/event.types.js';

const fixture = useFixture();

describe('events of a user', () => {
  const shapeOf = ({ event, data, previous }: DirectoryEvent) => ({ event, data, previous });

  it('contain the record, and on updates the changed members with their previous values', async () => {
    const mapped = await fixture.test.newDirectory({
      attribute_mapping: { department: `${ENTERPRISE}:department` },
    });
    const body = user('ann@example.com', {
      name: { givenName: 'Ann', familyName: 'Zed' },
      [ENTERPRISE]: { department: 'R&D' },
    });
    const { data } = await mapped.send('POST', '/Users', body);
    const id = data.id as string;
    await mapped.send(
      'PATCH',
      `/Users/${id}`,
      patch({ op: 'replace', path: 'active', value: false }),
    );
    await mapped.send('DELETE', `/Users/${id}`);

    const events = await fixture.test.eventsOf(mapped);
    const record = {
      id,
      first_name: 'Ann',
      last_name: 'Zed',
      email: 'ann@example.com',
      custom_attributes: { department: 'R&D' },
    };
    expect(events.map(shapeOf)).toMatchObject([
      { event: 'user.created', data: { ...record, active: true } },
      {
        event: 'user.updated',
        data: { ...record, active: false, raw: { active: false, id } },
        previous: { active: true, raw: { userName: 'ann@example.com', id } },
      },
      { event: 'user.deleted', data: { ...record, active: false } },
    ]);
    expect(Object.keys(events[1]?.previous ?? {})).toEqual(['active', 'raw']);
    expect(Object.keys(events[1] ?? {}).slice(0, 9)).toEqual([
      'event',
      'tenant',
      'product',
      'directory_id',
      'data',
      'id',
      'sequence',
      'created_at',
      'previous',
    ]);
  });

  it('contain the previous custom attributes only if an update changes them', async () => {
    const mapped = await fixture.test.newDirectory({ attribute_mapping: { rank: 'title' } });
    const { data } = await mapped.send('POST', '/Users', user('ann', { title: 'Dr' }));
    for (const change of [
      { op: 'replace', path: 'title', value: 'Prof' },
      { op: 'replace', path: 'nickName', value: 'Annie' },
    ]) {
      await mapped.send('PATCH', `/Users/${data.id}`, patch(change));
    }
    const [, ranked, named] = await fixture.test.eventsOf(mapped);
    expect(ranked?.data.custom_attributes).toEqual({ rank: 'Prof' });
    expect(ranked?.previous?.custom_attributes).toEqual({ rank: 'Dr' });
    expect(Object.keys(named?.previous ?? {})).toEqual(['raw']);
  });

  it('contain the roles as texts if the provider sends any, and the groups that it has sent', async () => {
    const { directory } = fixture;
    const { data } = await directory.send('POST', '/Users', user('ann', { groups: [] }));
    const path = `/Users/${data.id}`;
    const sent = [{ value: 'g-1', display: 'Crew' }];
    const roles = ['viewer', { value: 'editor', display: 'Editor' }];
    await directory.send('PUT', path, user('ann', { groups: sent, roles }));
    await directory.send('PATCH', path, patch({ op: 'add', path: 'nickName', value: 'Annie' }));
    await directory.send('PUT', path, user('ann', { roles: 'viewer, owner' }));
    await directory.send('PATCH', path, patch({ op: 'remove', path: 'roles' }));
    await directory.send('POST', '/Groups', group('devs', [data.id as string]));
    const events = (await fixture.test.eventsOf(directory)).filter(({ data: { raw } }) => {
      return (raw as Json).userName === 'ann';
    });
    expect(
      events.map(({ event, data: { roles: now, raw }, previous }) => [
        event,
        now,
        (raw as Json).groups,
        previous?.roles,
      ]),
    ).toEqual([
      ['user.created', undefined, [], undefined],
      ['user.updated', ['viewer', 'editor'], sent, []],
      ['user.updated', ['viewer', 'editor'], [], undefined],
      ['user.updated', ['viewer', 'owner'], [], ['viewer', 'editor']],
      ['user.updated', undefined, [], ['viewer', 'owner']],
      ['group.user_added', undefined, [], undefined],
    ]);
    const { data: read } = await fixture.test.sync.users
      .inScope({ directoryId: directory.id })
      .get(data.id as string);
    expect(read).not.toHaveProperty('roles');
  });

  it('reach the callback after the commit, in order, and an error in the callback is harmless', async () => {
    const seen: string[] = [];
    const callback = async (event: DirectoryEvent) => {
      const { data } = await fixture.test.sync.events.get(event.id);
      seen.push(`${event.event} ${data?.sequence === event.sequence}`);
      throw new Error('the callback of the caller fails');
    };
    const { data } = await fixture.directory.send('POST', '/Users', user('ann'), { callback });
    const { status } = await fixture.directory.send('DELETE', `/Users/${data.id}`, undefined, {
      callback,
    });
    expect(status).toBe(204);
    expect(seen).toEqual(['user.created true', 'user.deleted true']);
  });

  it('wake the lane of a directory with a webhook, and are only logged without one', async () => {
    const sending = await fixture.test.newDirectory({ webhook_url: 'http://127.0.0.1:9/hook' });
    fixture.test.woken.length = 0;
    await sending.send('POST', '/Users', user('ann'));
    await sending.send('GET', '/Users');
    await fixture.directory.send('POST', '/Users', user('ann'));
    expect(fixture.test.woken).toEqual([sending.id]);
    const states = [sending, fixture.directory].map(async (each) => {
      const { data } = await fixture.test.sync.events.getAll({ directoryId: each.id });
      return data?.map(({ state }) => state);
    });
    expect(await Promise.all(states)).toEqual([['pending'], ['not_sent']]);
  });
});

describe('events of groups', () => {
  it('contain no members, and a change of members creates no group.updated', async () => {
    const [a = ''] = await newUsers(fixture.directory, 'a');
    const id = await newGroup(fixture.directory, 'devs', [a]);
    await changeGroup(fixture.directory, id, { op: 'remove', path: `members[value eq "${a}"]` });
    await changeGroup(fixture.directory, id, {
      op: 'replace',
      value: { id, displayName: 'developers' },
    });
    await changeGroup(fixture.directory, id, {
      op: 'replace',
      value: { id, displayName: 'developers' },
    });
    expect(await groupEvents(fixture.test, fixture.directory)).toEqual([
      'group.created devs',
      'group.user_added a devs',
      'group.user_removed a devs',
      'group.updated developers',
    ]);
    const events: Json[] = await fixture.test.eventsOf(fixture.directory);
    const updated = events.find(({ event }) => event === 'group.updated');
    expect(updated.previous).toMatchObject({ name: 'devs', raw: { displayName: 'devs', id } });
    expect(events.every(({ data }) => !('members' in data.raw))).toBe(true);
  });

  it('of memberships come before the deletion of the user or group', async () => {
    const [a = '', b = ''] = await newUsers(fixture.directory, 'a', 'b');
    const devs = await newGroup(fixture.directory, 'devs', [a, b]);
    await newGroup(fixture.directory, 'ops', [a]);
    await fixture.directory.send('DELETE', `/Users/${a}`);
    await fixture.directory.send('DELETE', `/Groups/${devs}`);
    const log = (await fixture.test.eventsOf(fixture.directory))
      .slice(-6)
      .map(({ event }) => event);
    expect(log).toEqual([
      'group.user_added',
      'group.user_removed',
      'group.user_removed',
      'user.deleted',
      'group.user_removed',
      'group.deleted',
    ]);
    expect(
      await fixture.database.query('SELECT FROM dsync.group_members WHERE user_id = $1', [a]),
    ).toEqual([]);
  });

  it('are passed to the callback as they are logged', async () => {
    const [a = ''] = await newUsers(fixture.directory, 'a');
    const seen: unknown[] = [];
    const callback = (event: unknown) => seen.push(event);
    const created = await fixture.directory.send('POST', '/Groups', group('devs', [a]), {
      callback,
    });
    await fixture.directory.send('DELETE', `/Groups/${created.data.id}`, undefined, { callback });
    const log = (await fixture.test.eventsOf(fixture.directory)).slice(1);
    expect(seen).toMatchObject(
      log.map(({ id, sequence, event, data, created_at }) => ({
        id,
        sequence,
        event,
        data,
        created_at,
      })),
    );
    expect(seen).toHaveLength(4);
  });
});
