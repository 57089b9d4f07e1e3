import { groupEvents, membersOf, newGroup, newUsers } from '../groups.js';
import {
  filtered,
  group,
  type Json,
  openSync,
  patch,
  type TestDirectory,
  type TestSync,
  user,
} from '../harness.js';
import { useFixture } from '../fixture.js';
import { scimTarget } from '../../src/scim/requests/scim-target.js';

const fixture = useFixture();

describe('concurrent requests', () => {
  it('create one user when a hundred post the same userName in any letter case', async () => {
    // A write that waited too long for its turn, on a busy machine, is sent again.
    const post = async (userName: string) => {
      for (;;) {
        const answer = await fixture.directory.send('POST', '/Users', user(userName));
        if (answer.status !== 503) return answer;
      }
    };
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        post(index % 2 ? 'ann@example.com' : 'ANN@Example.com'),
      ),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(1);
    expect(statuses.filter((status) => status === 409)).toHaveLength(99);
    expect(answers.find(({ status }) => status === 409)?.data.scimType).toBe('uniqueness');
    expect(await fixture.test.eventsOf(fixture.directory)).toHaveLength(1);
  });

  it('that change one user lose no update', async () => {
    const [id = ''] = await newUsers(fixture.directory, 'ann');
    const types = Array.from({ length: 40 }, (_, index) => `type-${index}`);
    const answers = await Promise.all(
      types.map((type) =>
        fixture.directory.send(
          'PATCH',
          `/Users/${id}`,
          patch({ op: 'add', path: 'emails', value: [{ type, value: `${type}@x.example` }] }),
        ),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const { data } = await fixture.directory.send('GET', `/Users/${id}`);
    expect((data.emails as { type: string }[]).map(({ type }) => type).sort()).toEqual(
      [...types].sort(),
    );
    expect(data.meta.version).toBe('W/"41"');
  });

  it('that replace the members of a group leave exactly the members of one request', async () => {
    const ids = await newUsers(fixture.directory, ...Array.from({ length: 8 }, (_, n) => `u-${n}`));
    const pairs = [0, 2, 4, 6].map((first) => ids.slice(first, first + 2));
    for (let round = 0; round < 5; round++) {
      const id = await newGroup(fixture.directory, 'devs');
      const path = `/Groups/${id}`;
      await Promise.all(
        pairs.map((pair, index) => {
          const value = pair.map((member) => ({ value: member }));
          return index % 2
            ? fixture.directory.send('PUT', path, group('devs', pair))
            : fixture.directory.send(
                'PATCH',
                path,
                patch({ op: 'replace', path: 'members', value }),
              );
        }),
      );
      expect(pairs).toContainEqual(await membersOf(fixture.directory, id));
    }
  });

  it('that remove members of a deleted group by a condition do not exhaust the connection pool', async () => {
    const id = await newGroup(fixture.directory, 'devs');
    await fixture.directory.send('DELETE', `/Groups/${id}`);
    const remove = patch({ op: 'remove', path: 'members[type eq "User"]' });
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => fixture.directory.send('PATCH', `/Groups/${id}`, remove)),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404]));
  });

  it('that add members to one group add each exactly once', async () => {
    const names = Array.from({ length: 50 }, (_, index) => `user-${index}`);
    const ids = await newUsers(fixture.directory, ...names);
    const id = await newGroup(fixture.directory, 'devs');
    const add = (value: string) => patch({ op: 'add', path: 'members', value: [{ value }] });
    const answers = await Promise.all(
      [...ids, ...ids, ...ids, ...ids].map((each) =>
        fixture.directory.send('PATCH', `/Groups/${id}`, add(each)),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await membersOf(fixture.directory, id)).sort()).toEqual([...ids].sort());
    const rows = await fixture.database.query(
      'SELECT member_count FROM dsync.groups WHERE id = $1',
      [id],
    );
    expect(rows[0]?.member_count).toBe(50);
    const added = (await groupEvents(fixture.test, fixture.directory)).filter((event) =>
      event.startsWith('group.user_added'),
    );
    expect(added).toHaveLength(50);
  });
});

describe('users added to groups', () => {
  it('and deleted concurrently are members of no group, and no group counts them', async () => {
    const names = Array.from({ length: 30 }, (_, index) => `user-${index}`);
    const ids = await newUsers(fixture.directory, ...names);
    const groupIds = [
      await newGroup(fixture.directory, 'devs'),
      await newGroup(fixture.directory, 'ops'),
    ];
    const answers = await Promise.all(
      ids.flatMap((value) => [
        ...groupIds.map((id) => {
          const change = patch({ op: 'add', path: 'members', value: [{ value }] });
          return fixture.directory.send('PATCH', `/Groups/${id}`, change);
        }),
        fixture.directory.send('DELETE', `/Users/${value}`),
      ]),
    );
    expect([...new Set(answers.map(({ status }) => status))].sort()).toEqual([200, 204]);
    const rows = await fixture.database.query(
      `SELECT g.member_count AS counted,
          (SELECT count(*)::integer FROM dsync.group_members m WHERE m.group_id = g.id) AS members
        FROM dsync.groups g WHERE g.directory_id = $1`,
      [fixture.directory.id],
    );
    expect(rows).toEqual(groupIds.map(() => ({ counted: 0, members: 0 })));
    // The log agrees: every membership that started has ended.
    const events = await groupEvents(fixture.test, fixture.directory);
    const subjects = (type: string) =>
      events.filter((event) => event.startsWith(type)).map((event) => event.slice(type.length));
    expect(subjects('group.user_removed').sort()).toEqual(subjects('group.user_added').sort());
  });
});

describe('ten tenants on two replicas', () => {
  let other: TestSync;

  beforeAll(async () => {
    other = await openSync(fixture.database.url);
  });

  afterAll(() => other.close());

  /** Sends a request as the provider of a directory, through either replica. */
  const sendThrough = (sync: TestSync, { id, scim }: TestDirectory) => {
    return async (method: string, path: string, body?: unknown): Promise<Json> => {
      const call = { directoryId: id, apiSecret: scim.secret, method, query: {}, body };
      const answer = await sync.sync.requests.scim.respond({ ...call, target: scimTarget(path) });
      expect([method, path, answer.status < 300]).toEqual([method, path, true]);
      return answer.data;
    };
  };

  it('keep every row and event in its own directory during 200 mixed requests', async () => {
    const directories = await Promise.all(
      Array.from({ length: 10 }, (_, n) => fixture.test.newDirectory({ tenant: `mixed-${n}` })),
    );
    const work = directories.flatMap((directory, tenant) =>
      Array.from({ length: 10 }, async (_, index) => {
        const send = sendThrough(index % 2 ? other : fixture.test, directory);
        const mine = user(`user-${index}`, { title: `of ${tenant}` });
        const { id } = await send('POST', '/Users', mine);
        const path = `/Users/${id}`;
        const name = { displayName: `of ${tenant}` };
        if (index < 3) await send('PATCH', path, patch({ op: 'add', value: name }));
        else if (index < 5) await send('PUT', path, { ...mine, ...name });
        else if (index < 7) await send('DELETE', path);
        else if (index < 9) await send('POST', '/Groups', group(`of ${tenant}`, [id]));
        else await send('GET', path);
      }),
    );
    await Promise.all(work);

    for (const [tenant, directory] of directories.entries()) {
      const users = (await directory.send('GET', '/Users')).data;
      expect(users.totalResults).toBe(8);
      expect(new Set(users.Resources.map(({ title }: Json) => title))).toEqual(
        new Set([`of ${tenant}`]),
      );
      const named = filtered('Users', `displayName eq "of ${tenant}"`);
      expect((await directory.send('GET', named)).data.totalResults).toBe(5);
      const groups = (await directory.send('GET', '/Groups')).data.Resources;
      expect(groups.map(({ members }: Json) => members.length)).toEqual([1, 1]);
      const scoped = fixture.test.sync.users.setTenantAndProduct(`mixed-${tenant}`, 'product');
      expect((await scoped.getAll()).data).toHaveLength(8);

      const events = await fixture.test.eventsOf(directory);
      expect(counted(events.map(({ event }) => event))).toEqual({
        'user.created': 10,
        'user.updated': 5,
        'user.deleted': 2,
        'group.created': 2,
        'group.user_added': 2,
      });
      expect(new Set(events.map(({ directory_id }) => directory_id))).toEqual(
        new Set([directory.id]),
      );
    }
  });
});

function counted(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
