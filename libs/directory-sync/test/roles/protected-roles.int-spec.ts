import { GuardedProvider } from '../guard/guarded-provider.js';
import { useFixture, useReplicas } from '../fixture.js';
import { fillGroup, membersOf, newGroup, newUsers } from '../groups.js';
import { group, type Json, patch } from '../harness.js';
import { mapRoles, rolesOf } from './roles-of.js';

const fixture = useFixture();
const provider = new GuardedProvider(fixture);
const replicas = useReplicas();

const ADMINS = { group: { display_name: 'Admins' }, role: 'admin' };
const removing = (...ids: (string | undefined)[]) => ({
  op: 'remove',
  path: 'members',
  value: ids.map((value) => ({ value })),
});

describe('a protected role', () => {
  let ids: string[];
  let path: string;
  let inner: string;

  beforeEach(async () => {
    ids = await provider.addUsers(4);
    inner = await newGroup(fixture.directory, 'inner', ids.slice(0, 2));
    const { data } = await provider.send('POST', '/Groups', group('Admins', [inner]));
    path = `/Groups/${data.id}`;
    await mapRoles(fixture, fixture.directory, { default_role: 'member', rules: [ADMINS] });
    await provider.guard({ protected_roles: ['admin'] });
  });

  const admins = async () =>
    Object.entries(await rolesOf(fixture, fixture.directory))
      .filter(([, roles]) => roles?.includes('admin'))
      .map(([name]) => name)
      .sort();

  it.each<[string, number, () => Promise<{ status: number }>, string[]]>([
    ['the last two users', 2, () => provider.patch(`/Groups/${inner}`, removing(...ids)), []],
    ['its group', 0, () => provider.send('DELETE', path), []],
    ['the group inside its group', 0, () => provider.send('DELETE', `/Groups/${inner}`), []],
    ['the membership of that', 1, () => provider.patch(path, removing(inner)), []],
    [
      'the name of its group, which the provider sends again',
      0,
      () => provider.patch(path, { op: 'replace', path: 'displayName', value: 'Others' }),
      ['u0', 'u1'],
    ],
    ['all members by PUT', 2, () => provider.send('PUT', `/Groups/${inner}`, group('inner')), []],
    [
      'members by a condition',
      2,
      () => provider.patch(`/Groups/${inner}`, { op: 'remove', path: 'members[type eq "User"]' }),
      [],
    ],
  ])('keeps %s until the removal is approved', async (_, members, write, left) => {
    expect((await write()).status).toBe(403);
    expect(await admins()).toEqual(['u0', 'u1']);
    const { hold_reasons, plan } = await provider.heldRun();
    expect(hold_reasons).toEqual([
      {
        reason: 'protected_role',
        message: 'The protected role admin would have no active user.',
      },
    ]);
    if (members === 2) {
      expect(plan.counts.members_removed).toBeGreaterThanOrEqual(2);
      expect(plan.members_removed[0]).toMatchObject({ group_name: 'inner', member: 'x0' });
    }
    expect(await provider.approve()).toMatchObject({ state: 'succeeded', counts: { failed: 0 } });
    expect(await admins()).toEqual(left);
    expect((await write()).status).not.toBe(403);
  });

  it.each<[string, (id?: string) => Promise<{ status: number }>]>([
    ['deleted', (id) => provider.remove(id)],
    ['deactivated', (id) => provider.deactivate(id)],
  ])('keeps its last user from being %s', async (_, write) => {
    expect((await write(ids[0])).status).toBeLessThan(300);
    expect((await write(ids[1])).status).toBe(403);
    expect((await write(ids[2])).status).toBeLessThan(300);
    expect((await provider.heldRun()).hold_reasons).toMatchObject([{ reason: 'protected_role' }]);
    await provider.approve();
    expect((await write(ids[1])).status).not.toBe(403);
  });

  it('is not taken away by a new group with a better rule', async () => {
    const better = { group: { display_name: 'Guests' }, role: 'guest', priority: 10 };
    await mapRoles(fixture, fixture.directory, { mode: 'highest', rules: [ADMINS, better] });
    const create = () => provider.send('POST', '/Groups', group('Guests', ids.slice(0, 2)));
    for (const { status } of [await create(), await create()]) expect(status).toBe(403);
    expect(await admins()).toEqual(['u0', 'u1']);
    const held = 'SELECT FROM dsync.held_removals WHERE directory_id = $1';
    expect(await fixture.database.query(held, [fixture.directory.id])).toHaveLength(1);
    expect(await provider.approve()).toMatchObject({ state: 'succeeded', counts: { failed: 0 } });
    expect((await create()).status).toBe(201);
  });

  it('keeps a large group whole, until its deletion is approved', async () => {
    await fillGroup(fixture, inner, 5_100);
    await mapRoles(fixture, fixture.directory, { default_role: 'member', rules: [ADMINS] });
    expect((await provider.send('DELETE', `/Groups/${inner}`)).status).toBe(403);
    expect(await membersOf(fixture.directory, inner)).toHaveLength(5_102);
    expect(await provider.approve()).toMatchObject({ state: 'succeeded', counts: { failed: 0 } });
    expect((await provider.send('GET', `/Groups/${inner}`)).status).toBe(404);
    expect(await admins()).toEqual([]);
  });

  it('does not count users that are not active', async () => {
    await provider.deactivate(ids[0]);
    expect((await provider.patch(`/Groups/${inner}`, removing(ids[1]))).status).toBe(403);
    expect((await provider.patch(`/Groups/${inner}`, removing(ids[0]))).status).toBe(200);
    expect((await provider.patch(`/Groups/${inner}`, removing(ids[1]))).status).toBe(403);
  });

  it('may be lost by one of two users, and taken over by another group', async () => {
    expect((await provider.patch(`/Groups/${inner}`, removing(ids[0]))).status).toBe(200);
    await newGroup(fixture.directory, 'admins', [ids[3] as string]);
    expect((await provider.send('DELETE', path)).status).toBe(204);
    expect(await admins()).toEqual(['u3']);
  });

  it('collects the members that are held, until the group changes', async () => {
    await provider.patch(`/Groups/${inner}`, removing(ids[0]));
    expect((await provider.patch(`/Groups/${inner}`, removing(ids[1]))).status).toBe(403);
    expect((await provider.patch(`/Groups/${inner}`, removing(ids[1], ids[2]))).status).toBe(403);
    const members = async () => (await provider.heldRun()).plan.counts.members_removed as number;
    expect(await members()).toBe(2);
    const add = { op: 'add', path: 'members', value: [{ value: ids[3] }] };
    expect((await provider.patch(`/Groups/${inner}`, add)).status).toBe(200);
    expect(await members()).toBe(0);
    expect(await admins()).toEqual(['u1', 'u3']);
  });

  it('is shown in the settings, also in those from before there were any', async () => {
    const { guards } = fixture.test.sync;
    await fixture.database.query(
      `UPDATE dsync.directories SET guard = guard - 'protected_roles', revision = revision + 1
        WHERE id = $1`,
      [fixture.directory.id],
    );
    expect((await guards.get(fixture.directory.id)).data?.protected_roles).toEqual([]);
    expect((await provider.send('DELETE', path)).status).toBe(204);
  });
});

it('two replicas never remove the last two administrators at once', async () => {
  const { answering, changing } = replicas;
  for (let round = 0; round < 5; round++) {
    const directory = await answering.newDirectory();
    const ids = await newUsers(directory, 'a', 'b');
    const admins = await newGroup(directory, 'Admins', ids);
    await answering.sync.roleMappings.put(directory.id, { rules: [ADMINS] });
    await answering.sync.guards.change(directory.id, { protected_roles: ['admin'] });
    const deletion = {
      directoryId: directory.id,
      apiSecret: directory.scim.secret,
      method: 'DELETE',
      query: {},
      target: { kind: 'resource', resource: 'User', id: ids[0] as string },
    } as const;
    const statuses = await Promise.all([
      changing.sync.requests.scim.respond(deletion).then(({ status }) => status),
      directory
        .send('PATCH', `/Groups/${admins}`, patch(removing(ids[1])))
        .then((a: Json) => a.status as number),
    ]);
    expect(statuses.filter((status) => status === 403).length).toBe(1);
  }
});
