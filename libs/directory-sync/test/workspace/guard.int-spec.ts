import { WorkspaceError } from '@gatehouse/workspace-providers';
import { useWorkspaceFixture } from './fixture.js';

const fixture = useWorkspaceFixture();

async function filled(users = 10): Promise<void> {
  const { workspace } = fixture;
  workspace.pageSize = 100;
  for (let n = 0; n < users; n++) workspace.addUser(`u${n}`);
  workspace.addGroup('admins', ['u0']);
  workspace.addGroup('g1', ['u0', 'u1']);
  const { run } = await fixture.sync();
  expect(run.state).toBe('succeeded');
}

async function noticesOf(type: string): Promise<Record<string, unknown>[]> {
  const rows = await fixture.test.dataSource.query<{ data: Record<string, unknown> }[]>(
    `SELECT data FROM dsync.events WHERE type = $1 AND data ->> 'directory_id' = $2 ORDER BY sequence`,
    [type, fixture.directory.id],
  );
  return rows.map(({ data }) => data);
}

describe('the guard of a run', () => {
  it('lets a run delete a fifth of the users, and holds one that would delete more', async () => {
    await filled();
    const before = await fixture.storyOf();
    for (const id of ['u7', 'u8']) fixture.workspace.removeUser(id);
    expect((await fixture.sync()).run.state).toBe('succeeded');
    const after = [...before, 'user.deleted u7', 'user.deleted u8'];
    expect(await fixture.storyOf()).toEqual(after);
    for (const id of ['u5', 'u6']) fixture.workspace.removeUser(id);
    const { end, run } = await fixture.sync();
    expect({ end, run }).toMatchObject({
      end: 'ended',
      run: {
        state: 'held',
        error: '2 users would be deleted or deactivated; the limit is 20 % of 8.',
        holdReasons: [{ reason: 'too_many_deletions' }],
      },
    });
    expect(await fixture.storyOf()).toEqual(after);
    const { id, tenant, product, name } = fixture.directory;
    expect(await noticesOf('directory.sync_held')).toEqual([
      { directory_id: id, name, tenant, product, run_id: run.id, reason: run.error },
    ]);
  });

  it('counts users that a run would deactivate', async () => {
    await filled();
    for (const id of ['u1', 'u2', 'u3']) fixture.workspace.addUser(id, { active: false });
    expect((await fixture.sync()).run.state).toBe('held');
  });

  it('holds a run that would delete more than an absolute limit', async () => {
    await filled();
    await fixture.set({ max_deletes: 1, max_delete_ratio: 1 });
    for (const id of ['u7', 'u8']) fixture.workspace.removeUser(id);
    expect((await fixture.sync()).run).toMatchObject({
      state: 'held',
      error: '2 users would be deleted or deactivated; the limit is 1.',
    });
  });

  it('holds a run with an empty listing, but not the first one', async () => {
    expect((await fixture.sync()).run.state).toBe('succeeded');
    await filled();
    await fixture.set({ max_delete_ratio: 1 });
    fixture.workspace.users = [];
    expect((await fixture.sync()).run).toMatchObject({
      state: 'held',
      error: 'The provider listed no users, and the directory has 10.',
    });
  });

  it('holds a run that would delete or empty a protected group', async () => {
    await filled();
    await fixture.set({ protected_groups: ['Admins'] });
    fixture.workspace.addGroup('admins', []);
    const { run } = await fixture.sync();
    expect(run).toMatchObject({
      state: 'held',
      error: 'Protected groups would be deleted or emptied: admins.',
    });
  });

  it('holds a run whose listing repeats a page, and never deletes what that listing lacks', async () => {
    await filled();
    const { workspace } = fixture;
    workspace.pageSize = 2;
    workspace.addUser('new');
    const { users } = workspace;
    workspace.calls = 0;
    workspace.beforeCall = (call) => {
      // The second page has the users of the first.
      workspace.users = call === 2 ? [...users.slice(0, 2), ...users] : users;
    };
    const { run } = await fixture.sync();
    expect(run).toMatchObject({
      state: 'held',
      holdReasons: [{ reason: 'incomplete_listing' }],
    });
    await fixture.runs.decide(
      fixture.directory.id,
      run.id,
      { state: 'applying', phase: 'apply_users' },
      fixture.sql,
    );
    const { run: applied } = await fixture.goOn(run);
    expect(applied).toMatchObject({ state: 'succeeded', counts: { users_deleted: 0 } });
    expect((await fixture.storyOf()).filter((text) => text.includes('.deleted'))).toEqual([]);
  });

  it('holds a run whose listing comes back to the same page for ever', async () => {
    await filled();
    const session = fixture.workspace.session();
    const looping = {
      ...session,
      listUsers: async () => ({ ...(await session.listUsers(null)), next: 'again' }),
    };
    const runner = fixture.newRunner({ sessions: { open: () => Promise.resolve(looping) } });
    expect((await fixture.sync({ runner })).run).toMatchObject({
      state: 'held',
      holdReasons: [{ reason: 'incomplete_listing' }],
    });
  });
});

describe('a run that the provider refuses', () => {
  it('fails in the words of the provider, with one notice until a run succeeds', async () => {
    const refusal = 'Authorize the directory again: the grant was revoked.';
    const failing = fixture.newRunner({
      sessions: { open: () => Promise.reject(new WorkspaceError('needs_authorization', refusal)) },
    });
    for (let n = 0; n < 2; n++) {
      const { run } = await fixture.sync({ runner: failing });
      expect(run).toMatchObject({ state: 'failed', error: refusal });
    }
    expect(await noticesOf('directory.sync_failed')).toMatchObject([{ reason: refusal }]);
    await filled();
    await fixture.sync({ runner: failing });
    expect(await noticesOf('directory.sync_failed')).toHaveLength(2);
  });

  it('is put back with its page when the provider asks for a pause, and fails after many', async () => {
    const { workspace } = fixture;
    for (const id of ['ann', 'bob', 'cid']) workspace.addUser(id);
    workspace.beforeCall = (call) => {
      if (call > 1) throw new WorkspaceError('rate_limited', 'Too many requests.', 7_200);
    };
    const first = await fixture.sync();
    expect(first).toMatchObject({
      end: 'waiting',
      run: { state: 'listing', pages: 1, setbacks: 1, error: 'Too many requests.' },
    });
    const [{ pause }] = await fixture.test.dataSource.query(
      `SELECT extract(epoch FROM not_before - now())::integer AS pause
        FROM dsync.workspace_runs WHERE id = $1`,
      [first.run.id],
    );
    expect(pause).toBeGreaterThan(7_000);
    let { end, run } = first;
    for (let n = 0; end === 'waiting' && n < 20; n++) ({ end, run } = await fixture.goOn(run));
    expect(run).toMatchObject({ state: 'failed', error: 'Too many requests.', setbacks: 8 });
  });
});
