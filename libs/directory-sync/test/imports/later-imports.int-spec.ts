import { sqlOf } from '@gatehouse/nest-kit/database';
import { DirectoryRepository } from '../../src/directories/directory.repository.js';
import { useFixture } from '../fixture.js';
import { patch, type TestDirectory, user } from '../harness.js';
import { mapRoles, rolesOf } from '../roles/roles-of.js';
import { importing, reasons } from './importing.js';
import { ScriptedSource } from './scripted-source.js';

const fixture = useFixture();
const { imports, run, send, viewOf } = importing(fixture);

describe('a later import', () => {
  let source: ScriptedSource;
  let ada: string;
  let bob: string;
  let team: string;
  beforeEach(async () => {
    source = new ScriptedSource();
    ada = source.user('ada');
    bob = source.user('bob');
    team = source.group('Team', [ada]);
    await run(source);
  });

  const versionOf = async (path: string) => (await send(source, 'GET', path)).data.meta.version;

  it('takes over what the source has created, changed and deleted', async () => {
    source.user('ada', { displayName: 'Ada L' }, ada);
    source.listedUsers.delete(bob);
    const eve = source.user('bob');
    source.group('Staff', [eve], team);
    const report = await run(source);
    expect(report).toMatchObject({
      outcome: 'compared',
      users: { created: 1, updated: 1, deleted: 1, unchanged: 0 },
      groups: { updated: 1 },
      members: { created: 1, deleted: 1 },
      conflictCount: 0,
    });
    expect((await send(source, 'GET', `/Users/${ada}`)).data.displayName).toBe('Ada L');
    expect((await send(source, 'GET', `/Users/${bob}`)).status).toBe(404);
    const { data } = await send(source, 'GET', `/Groups/${team}`);
    expect(data).toMatchObject({ displayName: 'Staff', members: [{ value: eve }] });
    expect(await run(source)).toMatchObject({ users: { unchanged: 2 }, groups: { unchanged: 1 } });
  });

  it('writes nothing where nothing has changed', async () => {
    const before = [await versionOf(`/Users/${ada}`), await versionOf(`/Groups/${team}`)];
    await run(source);
    expect([await versionOf(`/Users/${ada}`), await versionOf(`/Groups/${team}`)]).toEqual(before);
  });

  it('keeps what the provider has sent here since', async () => {
    await send(
      source,
      'PATCH',
      `/Users/${ada}`,
      patch({ op: 'replace', value: { active: false } }),
    );
    await send(source, 'DELETE', `/Users/${bob}`);
    const add = patch({ op: 'add', path: 'members', value: [{ value: ada }] });
    const other = await send(source, 'POST', '/Users', user('new'));
    await send(source, 'PATCH', `/Groups/${team}`, add);
    expect(await run(source)).toMatchObject({ conflictCount: 0, users: { unchanged: 2 } });
    expect((await send(source, 'GET', `/Users/${ada}`)).data.active).toBe(false);
    expect((await send(source, 'GET', `/Users/${bob}`)).status).toBe(404);
    expect((await send(source, 'GET', `/Users/${other.data.id}`)).status).toBe(200);
  });

  it('reports what was changed on both sides, and leaves it as it is here', async () => {
    await send(
      source,
      'PATCH',
      `/Users/${ada}`,
      patch({ op: 'replace', value: { active: false } }),
    );
    await send(source, 'DELETE', `/Users/${bob}`);
    source.user('ada', { displayName: 'Ada L' }, ada);
    source.user('bob', { displayName: 'Bob' }, bob);
    const report = await run(source);
    expect(reasons(report).sort()).toEqual(['changed_here', 'deleted_here']);
    const { data } = await send(source, 'GET', `/Users/${ada}`);
    expect(data).toMatchObject({ active: false });
    expect(data.displayName).toBeUndefined();
  });

  it('does not bring back a member that the provider has removed here', async () => {
    await send(
      source,
      'PATCH',
      `/Groups/${team}`,
      patch({ op: 'remove', path: `members[value eq "${ada}"]` }),
    );
    source.group('Team', [ada, bob], team);
    await run(source);
    const { data } = await send(source, 'GET', `/Groups/${team}`);
    expect(data.members).toMatchObject([{ value: bob }]);
  });

  it('lets users exchange their names where the order allows it, and reports the others', async () => {
    source.user('carl', {}, ada);
    source.user('ada', {}, bob);
    expect(await run(source)).toMatchObject({ users: { updated: 2 }, conflictCount: 0 });
    source.user('ada', {}, ada);
    source.user('carl', {}, bob);
    expect(reasons(await run(source))).toContain('name_taken');
  });

  it('takes over the settings of the directory, unless an administrator has changed them', async () => {
    source.directory.webhookSecret = 'another secret';
    await run(source);
    expect((await viewOf(source))?.webhook.secret).toBe('another secret');
    await fixture.test.sync.directories.update(source.directory.id, { name: 'Ours' });
    source.directory.name = 'Theirs';
    expect(reasons(await run(source))).toEqual(['directory_changed']);
    expect((await viewOf(source))?.name).toBe('Ours');
  });

  it('leaves out new directories in a delta', async () => {
    const fresh = new ScriptedSource();
    const delta = { isDryRun: false, isDelta: true };
    expect(await run(fresh, delta)).toMatchObject({ outcome: 'skipped', conflictCount: 0 });
    expect(await viewOf(fresh)).toBeNull();
    expect(await run(source, delta)).toMatchObject({ outcome: 'compared' });
  });

  it('has users given the roles of their groups anew', async () => {
    const { test } = fixture;
    const directory = source.directory as unknown as TestDirectory;
    await mapRoles(fixture, directory, { rules: [{ group: { id: team }, role: 'staff' }] });
    expect(await rolesOf(fixture, directory)).toEqual({ ada: ['staff'], bob: [] });
    source.group('Team', [bob], team);
    await run(source);
    await test.sync.roleJobs.run(source.directory.id, 60_000);
    expect(await rolesOf(fixture, directory)).toEqual({ ada: [], bob: ['staff'] });
  });

  describe('after the directory was deleted here', () => {
    const again = () => run(source);

    it('leaves it out, and says when it can be imported again', async () => {
      await fixture.test.sync.directories.delete(source.directory.id);
      const { conflicts } = await again();
      const [{ reason, detail } = { reason: '', detail: '' }] = conflicts;
      expect(reason).toBe('directory_deleted');
      const [time = ''] = /\d{4}-\S+Z/.exec(detail) ?? [];
      const minutes = (Date.parse(time) - Date.now()) / 60_000;
      expect(minutes).toBeGreaterThan(9);
      expect(minutes).toBeLessThanOrEqual(10);
    });

    it('purges it when that time has come, without a worker, and imports it again', async () => {
      const { directories } = fixture.test.sync;
      const { data } = await send(source, 'POST', '/Users', user('came after the import'));
      await mapRoles(fixture, source.directory as unknown as TestDirectory, {
        rules: [{ group: { id: team }, role: 'staff' }],
      });
      await directories.delete(source.directory.id);
      await fixture.database.query(
        `UPDATE dsync.directories SET deleted_at = now() - interval '11 minutes' WHERE id = $1`,
        [source.directory.id],
      );
      const dryRun = await run(source, { isDryRun: true, isDelta: false });
      expect(reasons(dryRun)).toEqual(['directory_deleted']);
      expect(await again()).toMatchObject({
        outcome: 'imported',
        conflictCount: 0,
        users: { created: 2 },
        groups: { created: 1 },
        members: { created: 1 },
      });
      expect((await send(source, 'GET', `/Users/${ada}`)).data.userName).toBe('ada');
      expect((await send(source, 'GET', `/Users/${data.id}`)).status).toBe(404);
      expect(await again()).toMatchObject({ outcome: 'compared', users: { unchanged: 2 } });
      expect((await directories.status(source.directory.id)).data?.pending).toBe(0);
    });
  });

  it('is safe from a process that still purges what was there before', async () => {
    const { dataSource } = fixture.test;
    await send(source, 'POST', '/Users', user('came after the import'));
    const repository = new DirectoryRepository(dataSource, sqlOf(dataSource));
    await repository.purge(source.directory.id, 10_000);
    expect((await send(source, 'GET', '/Users')).data.totalResults).toBe(3);
    expect((await viewOf(source))?.webhook.secret).toBe('short');
    expect(await run(source)).toMatchObject({ outcome: 'compared', users: { unchanged: 2 } });
    expect((await fixture.test.sync.directories.status(source.directory.id)).data?.pending).toBe(1);
  });
});

describe('discarding imports', () => {
  it('deletes the directories that were not activated, and no other', async () => {
    const { directories } = fixture.test.sync;
    const [waiting, active] = [new ScriptedSource(), new ScriptedSource()];
    const bystander = fixture.directory.id;
    const ids = [waiting, active].map(({ directory }) => directory.id);
    for (const source of [waiting, active]) {
      source.user('ada');
      await run(source);
      await send(source, 'POST', '/Users', user('came after the import'));
    }
    await imports().activate([active.directory.id]);
    const { id, tenant, product } = waiting.directory;
    const found = [{ id, tenant, product, events: 1 }];
    const wanted = [...ids, bystander];
    expect(await imports().discard(wanted, { isDryRun: true })).toEqual(found);
    expect((await send(waiting, 'GET', '/Users')).status).toBe(200);
    expect(await imports().discard(wanted, { isDryRun: false })).toEqual(found);
    expect((await send(waiting, 'GET', '/Users')).status).toBe(401);
    expect((await send(active, 'GET', '/Users')).status).toBe(200);
    expect((await directories.get(bystander)).error).toBeNull();
    expect(await imports().discard(wanted, { isDryRun: false })).toEqual([]);
    expect(await imports().activate([id])).toEqual([]);
    const rows = await fixture.database.query(
      `SELECT 1 FROM dsync.users WHERE directory_id = $1
        UNION ALL SELECT 1 FROM dsync.imported_resources WHERE directory_id = $1`,
      [id],
    );
    expect(rows).toEqual([]);
  });
});
