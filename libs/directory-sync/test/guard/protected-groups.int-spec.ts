import { useFixture } from '../fixture.js';
import { group, type Json } from '../harness.js';
import { GuardedProvider } from './guarded-provider.js';

const fixture = useFixture();
const provider = new GuardedProvider(fixture);

describe('protected groups of a SCIM directory', () => {
  let admins: Json;
  let ids: string[];

  beforeEach(async () => {
    ids = await provider.addUsers(2);
    admins = (await provider.send('POST', '/Groups', group('Admins', ids))).data;
    await provider.guard({ protected_groups: ['admins'] });
  });

  const path = () => `/Groups/${admins.id}`;
  const members = async (): Promise<number> =>
    ((await provider.send('GET', path())).data?.members ?? []).length as number;

  it.each<[string, () => Promise<{ status: number }>]>([
    ['DELETE', () => provider.send('DELETE', path())],
    ['a PUT without members', () => provider.send('PUT', path(), group('Admins'))],
    ['a PATCH of all members', () => provider.patch(path(), { op: 'remove', path: 'members' })],
    [
      'a PATCH of each member',
      () =>
        provider.patch(path(), {
          op: 'remove',
          path: 'members',
          value: ids.map((value) => ({ value })),
        }),
    ],
    [
      'a PATCH with conditions',
      () =>
        provider.patch(
          path(),
          ...ids.map((id) => ({
            op: 'remove',
            path: `members[value eq "${id}" and type eq "User"]`,
          })),
        ),
    ],
  ])('are kept from %s until it is approved', async (_, write) => {
    expect((await write()).status).toBe(403);
    expect(await members()).toBe(2);
    expect((await provider.heldRun()).hold_reasons).toMatchObject([{ reason: 'protected_group' }]);
    await provider.approve();
    expect(await members()).toBe(0);
  });

  it('may lose some members, and other groups all of theirs', async () => {
    const removed = await provider.patch(path(), {
      op: 'remove',
      path: `members[value eq "${ids[0]}"]`,
    });
    expect(removed.status).toBeLessThan(300);
    const { data: other } = await provider.send('POST', '/Groups', group('other', ids));
    expect((await provider.send('DELETE', `/Groups/${other.id}`)).status).toBe(204);
    expect((await provider.remove(ids[0])).status).toBe(204);
  });

  it('keep their last member when the users are deleted', async () => {
    expect((await provider.remove(ids[0])).status).toBe(204);
    expect((await provider.remove(ids[1])).status).toBe(403);
    expect(await members()).toBe(1);
    const { hold_reasons, plan } = await provider.heldRun();
    expect(hold_reasons).toMatchObject([{ reason: 'protected_group' }]);
    expect(plan.counts).toMatchObject({ users_deleted: 1, groups_updated: 0 });
    await provider.approve();
    expect(await members()).toBe(0);
  });

  it('keep a group inside that is their last member', async () => {
    const { data: inner } = await provider.send('POST', '/Groups', group('inner'));
    await provider.send('PUT', path(), group('Admins', [inner.id as string]));
    expect((await provider.send('DELETE', `/Groups/${inner.id}`)).status).toBe(403);
    expect(await members()).toBe(1);
    await provider.approve();
    expect(await members()).toBe(0);
  });
});
