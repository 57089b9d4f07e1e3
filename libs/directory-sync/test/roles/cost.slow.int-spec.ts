import pg from 'pg';
import { useFixture } from '../fixture.js';
import { newGroup, newUsers } from '../groups.js';
import { type Json, patch } from '../harness.js';
import { mapRoles } from './roles-of.js';

const fixture = useFixture();

/** The statements that are sent to the database while `work` runs, without those of transactions. */
async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const sent: string[] = [];
  const query = jest.spyOn(pg.Client.prototype, 'query');
  try {
    await work();
    for (const [first] of query.mock.calls as Json[]) {
      const text = typeof first === 'string' ? first : (first.name ?? first.text);
      if (!/^(BEGIN|COMMIT|ROLLBACK)/.test(text as string)) sent.push(text as string);
    }
  } finally {
    query.mockRestore();
  }
  return sent;
}

/** Members by SQL, because creating users one by one would take long. */
async function fill(groupId: string, count: number): Promise<void> {
  await fixture.database.query(
    `WITH made AS (
        INSERT INTO dsync.users
          (directory_id, id, user_name, user_name_lower, emails_lower, active, raw)
        SELECT $1, dsync.uuid_v7(), 'filler-' || n, 'filler-' || n, '{}', true,
          jsonb_build_object('userName', 'filler-' || n, 'title', repeat('x', 500))
        FROM generate_series(1, $3::integer) n RETURNING id),
      joined AS (
        INSERT INTO dsync.group_members (directory_id, group_id, user_id)
        SELECT $1, $2, id FROM made)
      UPDATE dsync.groups SET member_count = member_count + $3::integer WHERE id = $2`,
    [fixture.directory.id, groupId, count],
  );
}

const add = (id: string) => ({ op: 'add', path: 'members', value: [{ value: id }] });

it('a directory without a mapping sends the same statements as before', async () => {
  const { directory } = fixture;
  const [ada = ''] = await newUsers(directory, 'ada');
  const staff = await newGroup(directory, 'Staff');
  const sent = await statementsOf(async () => {
    const [bob] = await newUsers(directory, 'bob');
    await directory.send('PATCH', `/Users/${bob}`, patch(op('title', 'Dr')));
    await directory.send('PATCH', `/Groups/${staff}?excludedAttributes=members`, patch(add(ada)));
    await directory.send('PATCH', `/Groups/${staff}`, patch(op('displayName', 'Others')));
    await directory.send('DELETE', `/Groups/${staff}`);
    await directory.send('DELETE', `/Users/${bob}`);
  });
  expect(sent).toEqual([
    'dsync_insert_user',
    'dsync_update_user_without_groups',
    'dsync_add_user_to_group',
    'dsync_find_group',
    'dsync_change_group_members',
    'dsync_members_of_groups',
    'dsync_directory_access',
    'dsync_find_group',
    'dsync_lock_parent_groups',
    'dsync_delete_group',
    'dsync_directory_access_with_user',
    'dsync_delete_user',
  ]);
});

const FOLLOW = 'dsync_follow_members_with_roles';
it.each([
  ['at once', 10_000, [FOLLOW]],
  ['by a job', 20_000, ['dsync_apply_roles_again', FOLLOW]],
])('the roles of a group follow its name %s for %i members', async (_, members, statements) => {
  const { directory, test } = fixture;
  const staff = await newGroup(directory, 'Staff');
  await fill(staff, members);
  await mapRoles(fixture, directory, {
    default_role: 'member',
    mode: 'highest',
    rules: [{ group: { display_name: 'Staff' }, role: 'staff' }],
  });
  const begun = performance.now();
  const sent = await statementsOf(() =>
    directory.send('PATCH', `/Groups/${staff}`, patch(op('displayName', 'Others')), {
      query: { excludedAttributes: 'members' },
    }),
  );
  expect(performance.now() - begun).toBeLessThan(10_000);
  expect(sent.filter((name) => /role/.test(name))).toEqual([
    'dsync_lock_role_mapping',
    'dsync_refresh_role_groups',
    'dsync_count_members_of_role_groups',
    ...statements,
  ]);
  expect(await test.sync.roleJobs.run(directory.id, 60_000)).toBe(true);
  const [row] = await fixture.database.query<{ roles: string; events: string }>(
    `SELECT (SELECT count(*) FROM dsync.user_roles WHERE directory_id = $1 AND role = 'member')
        AS roles,
      (SELECT count(*) FROM dsync.events WHERE source_id = $1 AND type = 'user.roles_changed')
        AS events`,
    [directory.id],
  );
  expect(row).toEqual({ roles: String(members), events: String(2 * members) });
});

it('one change of a huge group looks at one user', async () => {
  const { directory } = fixture;
  const staff = await newGroup(directory, 'Staff');
  await fill(staff, 20_000);
  const [ada = ''] = await newUsers(directory, 'ada');
  await mapRoles(fixture, directory, { rules: [{ group: { id: staff }, role: 'staff' }] });
  await directory.send('GET', '/Users?count=0');
  const begun = performance.now();
  const sent = await statementsOf(() =>
    directory.send('PATCH', `/Groups/${staff}`, patch(add(ada)), {
      query: { excludedAttributes: 'members' },
    }),
  );
  expect(performance.now() - begun).toBeLessThan(500);
  expect(sent).toEqual([
    'dsync_lock_role_mapping',
    'dsync_change_group_members',
    'dsync_follow_members_with_roles',
  ]);
});

const op = (path: string, value: string) => ({ op: 'replace', path, value });
