import { useFixture } from '../fixture.js';
import { group, type Json, openSync, patch, user } from '../harness.js';
import { GuardedProvider } from './guarded-provider.js';

const fixture = useFixture();
const provider = new GuardedProvider(fixture);
const rows = (text: string) => fixture.test.dataSource.query<Json[]>(text, [fixture.directory.id]);

async function countedUsers(): Promise<number> {
  const [window] = await rows('SELECT users FROM dsync.guard_windows WHERE directory_id = $1');
  return (window?.users ?? 0) as number;
}

async function statusesOf(ids: readonly string[], write: (id: string) => Promise<Json>) {
  const statuses: number[] = [];
  for (const id of ids) statuses.push((await write(id)).status as number);
  return statuses;
}

const remove = (id: string) => provider.remove(id);

describe('removals count only if they are written', () => {
  it('not one that is refused for another reason', async () => {
    const ids = await provider.addUsers(2);
    await provider.guard({ max_deletes: 1 });
    const taken = user('u1', { active: false });
    expect((await provider.send('PUT', `/Users/${ids[0]}`, taken)).status).toBe(409);
    expect(await countedUsers()).toBe(0);
  });

  it('once if the first try was based on a cached user', async () => {
    const replica = await openSync(fixture.database.url);
    const [id = ''] = await provider.addUsers(1);
    await provider.guard({ max_deletes: 10 });
    const change = { op: 'add', path: 'title', value: 'x' };
    await provider.patch(`/Users/${id}`, change);
    const target = { kind: 'resource', resource: 'User', id } as const;
    await replica.sync.requests.scim.respond({
      directoryId: fixture.directory.id,
      apiSecret: fixture.directory.scim.secret,
      method: 'PATCH',
      target,
      query: {},
      body: patch({ ...change, value: 'y' }),
    });
    expect((await provider.deactivate(id)).status).toBe(200);
    expect(await countedUsers()).toBe(1);
    await replica.close();
  });

  it('once if the provider sends it several times at once', async () => {
    const [id] = await provider.addUsers(1);
    await provider.guard({ max_deletes: 10 });
    await Promise.all(Array.from({ length: 10 }, () => provider.remove(id)));
    expect(await countedUsers()).toBe(1);
  });

  it('exactly, among hundreds of other changes at once', async () => {
    const ids = await provider.addUsers(100);
    const groups: string[] = [];
    for (let n = 0; n < 4; n++) {
      groups.push((await provider.send('POST', '/Groups', group(`g${n}`, ids))).data.id as string);
    }
    await provider.guard({ max_deletes: 40, protected_groups: ['g0', 'g1'] });
    const change = (id: string, n: number) =>
      provider.patch(`/Groups/${id}`, {
        op: n % 2 ? 'add' : 'remove',
        path: 'members',
        value: ids.slice(n * 10, n * 10 + 40).map((value) => ({ value })),
      });
    const answers = await Promise.all([
      ...ids.map((id, n) => (n % 2 ? provider.remove(id) : provider.deactivate(id))),
      ...groups.flatMap((id) => Array.from({ length: 8 }, (_, n) => change(id, n))),
      ...groups.map((id) => provider.patch(`/Groups/${id}`, { op: 'remove', path: 'members' })),
    ]);
    expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
    const query = `/Users?count=0&filter=${encodeURIComponent('active eq true')}`;
    expect((await provider.send('GET', query)).data.totalResults).toBe(60);
    expect(await countedUsers()).toBe(40);
  });
});

it('a removal of another kind is held by its own limit', async () => {
  const ids = await provider.addUsers(4);
  const { data: admins } = await provider.send('POST', '/Groups', group('Admins'));
  const { data: team } = await provider.send('POST', '/Groups', group('Team', ids));
  await provider.guard({ protected_groups: ['admins'], max_deletes: 2 });
  expect((await provider.send('DELETE', `/Groups/${admins.id}`)).status).toBe(403);
  expect(await statusesOf(ids, remove)).toEqual([204, 204, 403, 403]);
  expect((await provider.send('DELETE', `/Groups/${team.id}`)).status).toBe(204);
});

it('a window does not end while a run is held', async () => {
  const ids = await provider.addUsers(3);
  await provider.guard({ max_deletes: 1, window_seconds: 60 });
  expect(await statusesOf(ids.slice(0, 2), remove)).toEqual([204, 403]);
  await rows(`UPDATE dsync.guard_windows SET started_at = now() - interval '61 seconds'
    WHERE directory_id = $1`);
  expect(await statusesOf(ids.slice(2), remove)).toEqual([403]);
});

it('a share is of the users that are left after the hour of an approval', async () => {
  const ids = await provider.addUsers(20);
  await provider.guard({ max_delete_ratio: 0.25 });
  expect(await statusesOf(ids.slice(0, 6), remove)).toEqual([204, 204, 204, 204, 204, 403]);
  await provider.approve();
  expect(await statusesOf(ids.slice(6, 16), remove)).toEqual(Array(10).fill(204));
  await rows('UPDATE dsync.guard_windows SET open_until = now() WHERE directory_id = $1');
  expect(await statusesOf(ids.slice(16), remove)).toEqual([204, 403, 403, 403]);
});

it('a share is not rounded down by an error of floating point', async () => {
  const ids = await provider.addUsers(50);
  await provider.guard({ max_delete_ratio: 0.58 });
  const statuses = await statusesOf(ids.slice(0, 30), remove);
  expect(statuses.filter((status) => status === 204)).toHaveLength(29);
});
