import { useFixture } from '../fixture.js';
import { group, type Json, openSync, type TestDirectory, type TestSync, user } from '../harness.js';
import { GuardedProvider } from './guarded-provider.js';

const fixture = useFixture();
const provider = new GuardedProvider(fixture);

describe('the guard of a SCIM directory', () => {
  it('holds what the provider removes beyond a ratio, and lets everything else pass', async () => {
    const ids = await provider.addUsers(10);
    await provider.guard({ max_delete_ratio: 0.2 });
    expect((await provider.remove(ids[0])).status).toBe(204);
    expect((await provider.deactivate(ids[1])).status).toBe(200);
    const refused = await provider.remove(ids[2]);
    const run = await provider.heldRun();
    const message = 'More than 2 users deleted or deactivated within 86400 seconds.';
    expect(refused).toMatchObject({ status: 403, data: { status: '403' } });
    expect(refused.data.detail).toBe(
      `This removal waits for the decision of an administrator in run ${run.id}: ${message}`,
    );
    expect((await provider.deactivate(ids[3])).status).toBe(403);
    expect((await provider.remove(ids[3])).status).toBe(403);
    expect(
      await provider.patch(`/Users/${ids[4]}`, { op: 'add', path: 'title', value: 'CTO' }),
    ).toMatchObject({ status: 200, data: { title: 'CTO', active: true } });
    expect((await provider.send('POST', '/Users', user('new'))).status).toBe(201);
    expect(await provider.userCount()).toBe(10);
    expect(await provider.heldRun()).toMatchObject({
      id: run.id,
      trigger: 'scim',
      state: 'held',
      error: message,
      hold_reasons: [{ reason: 'too_many_deletions', message }],
      plan: {
        counts: { users_deleted: 2, users_updated: 0 },
        users_deleted: [
          { external_id: 'x2', name: 'u2' },
          { external_id: 'x3', name: 'u3' },
        ],
      },
    });
    expect(await provider.runs()).toHaveLength(1);
  });

  it('sends one notice for a held run', async () => {
    const ids = await provider.addUsers(3);
    await provider.guard({ max_deletes: 0 });
    for (const id of ids) expect((await provider.remove(id)).status).toBe(403);
    const notices = await fixture.test.dataSource.query<{ data: Json }[]>(
      `SELECT data FROM dsync.events WHERE type = 'directory.sync_held' AND data ->> 'directory_id' = $1`,
      [fixture.directory.id],
    );
    const { id, tenant, product, name } = fixture.directory;
    const reason = 'More than 0 users deleted or deactivated within 86400 seconds.';
    const { id: run_id } = await provider.heldRun();
    expect(notices).toEqual([
      { data: { directory_id: id, tenant, product, name, run_id, reason } },
    ]);
  });

  it('removes what was held once it is approved, and what the provider sends within an hour', async () => {
    const ids = await provider.addUsers(6);
    const { data: team } = await provider.send('POST', '/Groups', group('team', ids));
    await provider.guard({ max_deletes: 0 });
    await provider.remove(ids[0]);
    await provider.deactivate(ids[1]);
    await provider.send('DELETE', `/Groups/${team.id}`);
    const before = (await fixture.test.eventsOf(fixture.directory)).length;
    expect(await provider.approve()).toMatchObject({
      state: 'succeeded',
      counts: { users_deleted: 1, users_updated: 1, groups_deleted: 1, failed: 0 },
    });
    const events = (await fixture.test.eventsOf(fixture.directory)).slice(before);
    expect(events.map(({ event }) => event)).toEqual([
      ...Array<string>(6).fill('group.user_removed'),
      'group.deleted',
      'user.deleted',
      'user.updated',
    ]);
    expect((await provider.remove(ids[2])).status).toBe(204);
    expect((await provider.remove(ids[3])).status).toBe(204);
    expect(await provider.userCount()).toBe(3);
  });

  it('forgets what was held once it is discarded, and holds the next removal again', async () => {
    const ids = await provider.addUsers(3);
    await provider.guard({ max_deletes: 1 });
    await provider.remove(ids[0]);
    await provider.remove(ids[1]);
    const { id } = await provider.heldRun();
    const { workspaceRuns } = fixture.test.sync;
    expect((await workspaceRuns.discard(fixture.directory.id, id)).data?.state).toBe('discarded');
    expect(await provider.userCount()).toBe(2);
    expect((await provider.remove(ids[2])).status).toBe(403);
    const run = await provider.heldRun();
    expect(run.id).not.toBe(id);
    expect(run.plan.users_deleted).toEqual([{ external_id: 'x2', name: 'u2' }]);
  });

  it('cannot be approved while the directory is deactivated', async () => {
    const [id] = await provider.addUsers(1);
    await provider.guard({ max_deletes: 0 });
    await provider.remove(id);
    const run = await provider.heldRun();
    const { directories, workspaceRuns } = fixture.test.sync;
    const directoryId = fixture.directory.id;
    await directories.update(directoryId, { deactivated: true });
    expect((await workspaceRuns.approve(directoryId, run.id)).error?.code).toBe(409);
    await directories.update(directoryId, { deactivated: false });
    expect(await provider.approve()).toMatchObject({ counts: { users_deleted: 1 } });
  });

  it('drops a held removal when the provider changes the resource after all', async () => {
    const ids = await provider.addUsers(3);
    await provider.guard({ max_deletes: 0 });
    for (const id of ids) await provider.deactivate(id);
    const resource = user('u0', { externalId: 'x0', active: true });
    expect((await provider.send('PUT', `/Users/${ids[0]}`, resource)).status).toBe(200);
    expect(
      (await provider.patch(`/Users/${ids[1]}`, { op: 'add', path: 'title', value: 'x' })).status,
    ).toBe(200);
    const { plan } = await provider.heldRun();
    expect(plan.users_updated).toEqual([{ external_id: 'x2', name: 'u2' }]);
  });

  it('counts again when a window is over', async () => {
    const ids = await provider.addUsers(3);
    await provider.guard({ max_deletes: 1, window_seconds: 60 });
    expect((await provider.remove(ids[0])).status).toBe(204);
    await fixture.test.dataSource.query(
      `UPDATE dsync.guard_windows SET started_at = now() - interval '61 seconds'
       WHERE directory_id = $1`,
      [fixture.directory.id],
    );
    expect((await provider.remove(ids[1])).status).toBe(204);
    expect((await provider.remove(ids[2])).status).toBe(403);
  });

  it('refuses single operations of a bulk request', async () => {
    const ids = await provider.addUsers(3);
    await provider.guard({ max_deletes: 1 });
    const { data } = await provider.send('POST', '/Bulk', {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'],
      Operations: ids.map((id) => ({ method: 'DELETE', path: `/Users/${id}` })),
    });
    const statuses = data.Operations.map(({ status }: Json) => status);
    expect(statuses).toEqual(['204', '403', '403']);
    expect((await provider.heldRun()).plan.counts.users_deleted).toBe(2);
  });

  it('gives no quota back for a removal that it refuses', async () => {
    const limited = await openSync(fixture.database.url, { quota: { users: 1 } });
    const directory = await limited.newDirectory();
    await limited.sync.guards.change(directory.id, { max_deletes: 0 });
    const { data } = await directory.send('POST', '/Users', user('u0'));
    expect((await directory.send('DELETE', `/Users/${data.id}`)).status).toBe(403);
    expect((await directory.send('POST', '/Users', user('u1'))).status).toBe(413);
    await limited.close();
  });
});

describe('two replicas', () => {
  let replica: TestSync;

  beforeAll(async () => {
    replica = await openSync(fixture.database.url);
  });
  afterAll(() => replica.close());

  const atReplica = (directory: TestDirectory, id?: string) =>
    replica.sync.requests.scim.respond({
      directoryId: directory.id,
      apiSecret: directory.scim.secret,
      method: 'DELETE',
      target: { kind: 'resource', resource: 'User', id: String(id) },
      query: {},
    });

  it('let exactly as many removals pass as are allowed', async () => {
    const ids = await provider.addUsers(20);
    await provider.guard({ max_deletes: 5 });
    const answers = await Promise.all(
      ids.map((id, n) => (n % 2 ? atReplica(fixture.directory, id) : provider.remove(id))),
    );
    const passed = answers.filter(({ status }) => status === 204);
    expect(passed).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 403)).toHaveLength(15);
    expect(await provider.runs()).toHaveLength(1);
    expect((await provider.heldRun()).plan.counts.users_deleted).toBe(15);
  });

  it('guard a directory that they have cached from before', async () => {
    const ids = await provider.addUsers(2);
    expect((await atReplica(fixture.directory, ids[0])).status).toBe(204);
    await provider.guard({ max_deletes: 0 });
    expect((await atReplica(fixture.directory, ids[1])).status).toBe(403);
  });
});

describe('the settings of a guard', () => {
  it('are off by default, keep what is not sent, and are off again without limits', async () => {
    const { guards } = fixture.test.sync;
    const { id } = fixture.directory;
    const off = {
      max_delete_ratio: null,
      max_deletes: null,
      protected_groups: [],
      protected_roles: [],
      window_seconds: 86_400,
    };
    expect((await guards.get(id)).data).toEqual(off);
    await guards.change(id, { max_deletes: 3 });
    await guards.change(id, { window_seconds: 600 });
    expect((await guards.get(id)).data).toEqual({ ...off, max_deletes: 3, window_seconds: 600 });
    await guards.change(id, { max_deletes: null });
    expect((await guards.get(id)).data).toEqual(off);
  });

  it('discard a held run once nothing is guarded, so that later changes are kept', async () => {
    const ids = await provider.addUsers(2);
    await provider.guard({ max_deletes: 0 });
    await provider.remove(ids[0]);
    const { id } = await provider.heldRun();
    await provider.guard({ max_deletes: null });
    expect((await provider.runs()).map(({ state }) => state as string)).toEqual(['discarded']);
    const { data } = await fixture.test.sync.auditEvents.getAll({ targetId: fixture.directory.id });
    expect(data?.map(({ type }) => type)).toContain('directory.sync_discarded');
    await provider.guard({ max_deletes: 0 });
    await provider.remove(ids[1]);
    const run = await provider.heldRun();
    expect(run.id).not.toBe(id);
    expect(run.plan.users_deleted).toEqual([{ external_id: 'x1', name: 'u1' }]);
  });

  it('are refused with all that is wrong', async () => {
    const input = { max_delete_ratio: 2, max_deletes: -1, window_seconds: 1, windows: 1 } as object;
    const { error } = await fixture.test.sync.guards.change(fixture.directory.id, input);
    expect(error?.code).toBe(400);
    for (const field of ['max_delete_ratio', 'max_deletes', 'window_seconds', 'windows']) {
      expect(error?.message).toContain(field);
    }
    const pulled = await fixture.test.newDirectory({ type: 'workspace' });
    expect((await fixture.test.sync.guards.get(pulled.id)).error?.code).toBe(400);
  });
});
