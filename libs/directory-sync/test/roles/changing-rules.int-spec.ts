import { poolOf, sqlOf } from '@gatehouse/nest-kit/database';
import { DirectoryRepository } from '../../src/directories/directory.repository.js';
import { storeMapping } from '../../src/roles/role.repository.js';
import { RoleJobs } from '../../src/roles/role-jobs.js';
import { useFixture } from '../fixture.js';
import { changeGroup, newGroup, newUsers } from '../groups.js';
import { type Json } from '../harness.js';
import { MortalSql } from '../workspace/mortal-sql.js';
import { modelRoles, storedRoles } from './role-model.js';
import { mapRoles, replayedRoles, roleEvents, rolesOf } from './roles-of.js';

const fixture = useFixture();

const ADMINS = { group: { display_name: 'Admins' }, role: 'admin', priority: 0 };
const MAPPING = { default_role: 'member', mode: 'all' as const, rules: [ADMINS] };
const LONG_MS = 60_000;

function jobs(sql = sqlOf(fixture.test.dataSource), wakeLane = () => undefined): RoleJobs {
  const directories = new DirectoryRepository(fixture.test.dataSource, sql);
  return new RoleJobs({ sql, directories, wakeLane }, 3);
}

/** Stores a mapping without giving anyone a role. */
async function begin(mapping = MAPPING): Promise<void> {
  const sql = sqlOf(fixture.test.dataSource);
  const directories = new DirectoryRepository(fixture.test.dataSource, sql);
  const { id } = fixture.directory;
  await sql.transaction(async (transaction) => {
    await directories.lockForEndpoints(transaction, id);
    await storeMapping(transaction, id, mapping, 'applying');
  });
}

const progress = async (): Promise<Json> =>
  (await fixture.test.sync.roleMappings.get(fixture.directory.id)).data?.progress;

const expectModel = async (mapping = MAPPING) => {
  const stored = await storedRoles(fixture, fixture.directory);
  expect(stored).toEqual(await modelRoles(fixture, fixture.directory, mapping));
};

describe('a change of rules', () => {
  let ids: string[];

  beforeEach(async () => {
    ids = await newUsers(fixture.directory, ...'abcdefg'.split(''));
    await newGroup(fixture.directory, 'Admins', ids.slice(2, 4));
  });

  it('is exact after a process that is killed at any step', async () => {
    const { id } = fixture.directory;
    for (let step = 1, isKilled = true; isKilled; step++) {
      await begin();
      const sql = new MortalSql(poolOf(fixture.test.dataSource));
      sql.diesAt = step;
      isKilled = await jobs(sql)
        .run(id, LONG_MS)
        .then(
          () => false,
          () => true,
        );
      expect(await jobs().run(id, LONG_MS)).toBe(true);
      expect(await progress()).toMatchObject({ state: 'applied', users_processed: 7 });
      await expectModel();
      await begin({ ...MAPPING, rules: [] });
      expect(await jobs().run(id, LONG_MS)).toBe(true);
      expect((await progress()).users_changed).toBe(2);
    }
    expect(await replayedRoles(fixture, fixture.directory)).toEqual(
      await storedRoles(fixture, fixture.directory),
    );
  });

  it('is carried out once by two processes', async () => {
    await begin();
    const { id } = fixture.directory;
    const ends = await Promise.all([jobs().run(id, LONG_MS), jobs().run(id, LONG_MS)]);
    expect(ends).toEqual([true, true]);
    expect(await progress()).toMatchObject({
      state: 'applied',
      users_total: 7,
      users_processed: 7,
      users_changed: 7,
    });
    expect((await roleEvents(fixture, fixture.directory)).length).toBe(7);
    await expectModel();
  });

  it('meets changes of groups and users on its way', async () => {
    await begin();
    const running = jobs().run(fixture.directory.id, LONG_MS);
    const [, late] = await Promise.all([
      newGroup(fixture.directory, 'admins', [ids[6] as string]),
      newUsers(fixture.directory, 'z'),
      fixture.directory.send('DELETE', `/Users/${ids[0]}`),
    ]);
    await running;
    await expectModel();
    expect(await rolesOf(fixture, fixture.directory)).toMatchObject({
      g: ['admin'],
      z: ['member'],
    });
    expect(late.length).toBe(1);
    expect(await replayedRoles(fixture, fixture.directory)).toEqual(
      await storedRoles(fixture, fixture.directory),
    );
  });

  it('is continued by the worker, which finds it in the database', async () => {
    await begin();
    const { id } = fixture.directory;
    expect(await jobs().run(id, 0)).toBe(false);
    expect(await jobs().dueIds()).toContain(id);
    let woken = 0;
    await jobs(undefined, () => void woken++).run(id, LONG_MS);
    expect(woken).toBe(3);
    expect(await jobs().dueIds()).not.toContain(id);
  });

  it('also reaches a write that had begun without knowing of the first rules', async () => {
    const { id } = fixture.directory;
    await mapRoles(fixture, fixture.directory, MAPPING);
    // Such a write leaves a membership without its role.
    await fixture.database.query(
      `INSERT INTO dsync.group_members (directory_id, group_id, user_id)
        SELECT directory_id, id, $2 FROM dsync.groups WHERE directory_id = $1`,
      [id, ids[0]],
    );
    await fixture.database.query('DELETE FROM dsync.users WHERE id = $1', [ids[6]]);
    const later = `UPDATE dsync.role_mappings SET settles_at = settles_at - interval '10 minutes'`;
    await fixture.database.query(later);
    expect(await jobs().dueIds()).toContain(id);
    await jobs().run(id, LONG_MS);
    expect(await jobs().dueIds()).not.toContain(id);
    await expectModel();
    const left = 'SELECT DISTINCT user_id FROM dsync.user_roles WHERE directory_id = $1';
    expect((await fixture.database.query(left, [id])).length).toBe(6);
  });

  it('is shown by a preview, which changes nothing', async () => {
    const { sync } = fixture.test;
    const { id } = fixture.directory;
    await mapRoles(fixture, fixture.directory, MAPPING);
    const before = await fixture.test.eventsOf(fixture.directory);
    const { data } = await sync.roleMappings.preview(id, {
      default_role: 'member',
      rules: [
        { ...ADMINS, role: 'owner' },
        { group: { id: crypto.randomUUID() }, role: 'none' },
      ],
    });
    expect(data).toMatchObject({ users: 7, is_complete: true, users_changed: 2, groups: [1, 0] });
    expect(data?.roles).toEqual([
      { role: 'admin', gained: 0, lost: 2 },
      { role: 'owner', gained: 2, lost: 0 },
    ]);
    expect(
      data?.examples.map(({ user, previous, current }) => [user.id, previous, current]),
    ).toEqual(ids.slice(2, 4).map((user) => [user, ['admin'], ['owner']]));
    await expectModel();
    expect(await fixture.test.eventsOf(fixture.directory)).toEqual(before);
    const [row] = await fixture.database.query<{ count: string }>(
      'SELECT count(*) FROM dsync.role_mappings WHERE directory_id = $1',
      [id],
    );
    expect(Number(row?.count)).toBe(1);
  });

  it('is audited', async () => {
    await mapRoles(fixture, fixture.directory, MAPPING);
    await fixture.test.sync.roleMappings.delete(fixture.directory.id);
    const rows = await fixture.database.query<{ type: string }>(
      `SELECT type FROM dsync.audit_events WHERE target_id = $1 AND type LIKE '%role%'
        ORDER BY create_time, event_id`,
      [fixture.directory.id],
    );
    expect(rows.map(({ type }) => type)).toEqual([
      'directory.role_mapping_changed',
      'directory.role_mapping_deleted',
    ]);
  });

  it.each<[string, object, string]>([
    ['no rules', {}, 'rules: is required'],
    ['too many rules', { rules: Array(101).fill(ADMINS) }, 'rules: must have at most 100 entries'],
    ['a rule without a group', { rules: [{ role: 'a' }] }, 'rules[0].group: must have one of'],
    [
      'a group with two names',
      { rules: [{ role: 'a', group: { id: crypto.randomUUID(), display_name: 'b' } }] },
      'rules[0].group: must have one of',
    ],
    ['an id that is none', { rules: [{ role: 'a', group: { id: 'b' } }] }, 'rules[0].group.id'],
    ['no role', { rules: [{ group: { external_id: 'b' } }] }, 'rules[0].role: is required'],
    ['a wrong mode', { rules: [], mode: 'some' }, 'mode: must be one of all, highest'],
    ['an unknown field', { rules: [], defaultRole: 'a' }, 'defaultRole'],
  ])('is refused with %s', async (_, mapping, message) => {
    for (const operation of ['put', 'preview'] as const) {
      const { error } = await fixture.test.sync.roleMappings[operation](
        fixture.directory.id,
        mapping,
      );
      expect(error?.code).toBe(400);
      expect(error?.message).toContain(message);
    }
  });

  it('is not found for an unknown directory', async () => {
    const { roleMappings } = fixture.test.sync;
    for (const id of [crypto.randomUUID(), 'x']) {
      expect((await roleMappings.put(id, MAPPING)).error?.code).toBe(404);
      expect((await roleMappings.preview(id, MAPPING)).error?.code).toBe(404);
      expect((await roleMappings.get(id)).error?.code).toBe(404);
    }
  });

  it('keeps the roles of removed members while it goes on', async () => {
    const { id } = fixture.directory;
    await mapRoles(fixture, fixture.directory, MAPPING);
    const rules = [{ ...ADMINS, role: 'owner' }];
    await begin({ ...MAPPING, rules });
    const [row] = await fixture.database.query<{ id: string }>(
      'SELECT id FROM dsync.groups WHERE directory_id = $1',
      [id],
    );
    await changeGroup(fixture.directory, row!.id, { op: 'remove', path: 'members' });
    await jobs().run(id, LONG_MS);
    await expectModel({ ...MAPPING, rules });
    expect((await roleEvents(fixture, fixture.directory)).slice(-2)).toEqual([
      ': admin -> member',
      ': admin -> member',
    ]);
  });
});
