import { groupEvents, membersOf, newGroup, newUsers } from '../../test/groups.js';
import { filtered, patch, user } from '../../test/harness.js';
import { useStand } from '../../test/stand.js';

const stand = useStand();

describe('requests at once', () => {
  it('post one userName a hundred times: one wins in any letter case', async () => {
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        stand.directory.send(
          'POST',
          '/Users',
          user(index % 2 ? 'ann@example.com' : 'ANN@Example.com'),
        ),
      ),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(1);
    expect(statuses.filter((status) => status === 409)).toHaveLength(99);
    expect(answers.find(({ status }) => status === 409)?.data.scimType).toBe('uniqueness');
    expect(await stand.test.eventsOf(stand.directory)).toHaveLength(1);
  });

  it('change one user: nothing is lost', async () => {
    const [id = ''] = await newUsers(stand.directory, 'ann');
    const types = Array.from({ length: 40 }, (_, index) => `type-${index}`);
    const answers = await Promise.all(
      types.map((type) =>
        stand.directory.send(
          'PATCH',
          `/Users/${id}`,
          patch({ op: 'add', path: 'emails', value: [{ type, value: `${type}@x.example` }] }),
        ),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const { data } = await stand.directory.send('GET', `/Users/${id}`);
    expect((data.emails as { type: string }[]).map(({ type }) => type).sort()).toEqual(
      [...types].sort(),
    );
    expect(data.meta.version).toBe('W/"41"');
  });

  it('add members to one group: all are there, once, and counted', async () => {
    const names = Array.from({ length: 50 }, (_, index) => `user-${index}`);
    const ids = await newUsers(stand.directory, ...names);
    const id = await newGroup(stand.directory, 'devs');
    const add = (value: string) => patch({ op: 'add', path: 'members', value: [{ value }] });
    const answers = await Promise.all(
      [...ids, ...ids, ...ids, ...ids].map((each) =>
        stand.directory.send('PATCH', `/Groups/${id}`, add(each)),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await membersOf(stand.directory, id)).sort()).toEqual([...ids].sort());
    const rows = await stand.database.query('SELECT member_count FROM dsync.groups WHERE id = $1', [
      id,
    ]);
    expect(rows[0]?.member_count).toBe(50);
    const added = (await groupEvents(stand.test, stand.directory)).filter((event) =>
      event.startsWith('group.user_added'),
    );
    expect(added).toHaveLength(50);
  });
});

describe('ten tenants at once', () => {
  it('keep every row where it belongs through 200 mixed calls', async () => {
    const directories = await Promise.all(
      Array.from({ length: 10 }, (_, tenant) =>
        stand.test.newDirectory({ tenant: `mixed-${tenant}` }),
      ),
    );
    await Promise.all(
      directories.flatMap((each, tenant) =>
        Array.from({ length: 10 }, async (_, index) => {
          const userName = `user-${index}`;
          const { data } = await each.send(
            'POST',
            '/Users',
            user(userName, { title: `${tenant}` }),
          );
          const name = { op: 'add', path: 'displayName', value: `of ${tenant}` };
          await each.send('PATCH', `/Users/${data.id}`, patch(name));
        }),
      ),
    );
    for (const [tenant, each] of directories.entries()) {
      const { data } = await each.send('GET', filtered('Users', `displayName eq "of ${tenant}"`));
      expect(data.totalResults).toBe(10);
      expect(data.Resources.every(({ title }: { title: string }) => title === `${tenant}`)).toBe(
        true,
      );
      const users = stand.test.sync.users.setTenantAndProduct(`mixed-${tenant}`, 'product');
      expect((await users.getAll()).data).toHaveLength(10);
    }
  });
});
