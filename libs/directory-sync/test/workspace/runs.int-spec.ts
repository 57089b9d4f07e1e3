import { useWorkspaceFixture } from './fixture.js';

const fixture = useWorkspaceFixture();

/** Six users, of whom two are in each of three groups. */
function fill(): void {
  const { workspace } = fixture;
  for (const id of ['ann', 'bob', 'cid', 'dan', 'eve', 'fay']) workspace.addUser(id);
  workspace.addGroup('g1', ['ann', 'bob']);
  workspace.addGroup('g2', ['bob', 'cid']);
  workspace.addGroup('g3', ['ann', 'eve']);
}

describe('a run of a workspace directory', () => {
  it('creates users, then groups, then memberships, each with its event', async () => {
    fill();
    const { end, run } = await fixture.sync();
    expect({ end, state: run.state, error: run.error }).toEqual({
      end: 'ended',
      state: 'succeeded',
      error: null,
    });
    expect(await fixture.storyOf()).toEqual([
      ...['ann', 'bob', 'cid', 'dan', 'eve', 'fay'].map((id) => `user.created ${id}`),
      ...['g1', 'g2', 'g3'].map((id) => `group.created ${id}`),
      'group.user_added ann g1',
      'group.user_added bob g1',
      'group.user_added bob g2',
      'group.user_added cid g2',
      'group.user_added ann g3',
      'group.user_added eve g3',
    ]);
    expect(run.counts).toMatchObject({
      users_listed: 6,
      groups_listed: 3,
      members_listed: 6,
      users_created: 6,
      groups_created: 3,
      members_added: 6,
      failed: 0,
    });
    expect(run).toMatchObject({ pages: 8, apiCalls: 8 });
  });

  it('makes no event for what is unchanged', async () => {
    fill();
    await fixture.sync();
    const before = await fixture.storyOf();
    const { run } = await fixture.sync();
    expect(run.state).toBe('succeeded');
    expect(await fixture.storyOf()).toEqual(before);
    expect(run.counts).toMatchObject({ users_listed: 6, users_updated: 0, members_added: 0 });
  });

  it('applies deletions last: of members, of groups, of users', async () => {
    fill();
    await fixture.set({ max_delete_ratio: 1 });
    await fixture.sync();
    const before = (await fixture.storyOf()).length;
    const { workspace } = fixture;
    workspace.addUser('ann', { displayName: 'Ann' });
    workspace.addUser('gus');
    workspace.removeUser('bob');
    workspace.removeGroup('g3');
    workspace.addGroup('g2', ['cid', 'gus'], 'second');
    const { run } = await fixture.sync();
    expect((await fixture.storyOf()).slice(before)).toEqual([
      'user.updated ann',
      'user.created gus',
      'group.updated g2',
      'group.user_added gus second',
      'group.user_removed bob g1',
      'group.user_removed bob second',
      'group.user_removed ann g3',
      'group.user_removed eve g3',
      'group.deleted g3',
      'user.deleted bob',
    ]);
    expect(run.counts).toMatchObject({
      users_created: 1,
      users_updated: 1,
      users_deleted: 1,
      groups_updated: 1,
      groups_deleted: 1,
      members_added: 1,
      members_removed: 4,
    });
  });

  it('keeps a user that moved to a page read before', async () => {
    fill();
    await fixture.sync();
    const { workspace } = fixture;
    const [ann, bob, cid, dan, eve, fay] = workspace.users;
    workspace.calls = 0;
    workspace.beforeCall = (call) => {
      if (call === 2) workspace.users = [fay!, ann!, bob!, cid!, dan!, eve!];
    };
    const { run } = await fixture.sync();
    expect(run.pages).toBe(8 + 3);
    expect(run.counts).toMatchObject({ users_deleted: 0 });
    expect(await fixture.storyOf()).not.toContain('user.deleted fay');
  });

  it('replaces a user that was deleted and created again under its name', async () => {
    fill();
    await fixture.sync();
    const { workspace } = fixture;
    workspace.removeUser('bob');
    workspace.addUser('new', { userName: 'bob@example.com' });
    workspace.addGroup('g1', ['ann', 'new']);
    const { run } = await fixture.sync();
    expect(run).toMatchObject({ state: 'succeeded', error: null, counts: { failed: 0 } });
    expect((await fixture.storyOf()).slice(-4)).toEqual([
      'group.user_removed bob g2',
      'user.deleted bob',
      'user.created new',
      'group.user_added new g1',
    ]);
  });

  it('leaves out a user that cannot be stored, and says so', async () => {
    fill();
    fixture.workspace.addUser('two', { userName: 'ANN@example.com' });
    const { run } = await fixture.sync();
    expect(run).toMatchObject({
      state: 'succeeded',
      error: 'Users or groups that could not be stored: 1.',
      counts: { failed: 1, users_created: 6 },
    });
  });

  it('flattens nested groups if asked, also if they contain each other', async () => {
    const { workspace } = fixture;
    for (const id of ['ann', 'bob']) workspace.addUser(id);
    workspace.addGroup('inner', ['bob']);
    workspace.addGroup('outer', ['ann', 'inner']);
    await fixture.sync();
    expect(await fixture.stateOf()).toMatchObject([
      { name: 'ann@example.com', groups: ['outer'] },
      { name: 'bob@example.com', groups: ['inner'] },
      { name: 'inner', groups: ['outer'] },
      { name: 'outer', groups: null },
    ]);
    workspace.addGroup('inner', ['bob', 'outer']);
    await fixture.set({ flatten_groups: true });
    await fixture.sync();
    expect(await fixture.stateOf()).toMatchObject([
      { name: 'ann@example.com', groups: ['inner', 'outer'] },
      { name: 'bob@example.com', groups: ['inner', 'outer'] },
      { name: 'inner', groups: null },
      { name: 'outer', groups: null },
    ]);
  });

  it('takes over chosen groups and organizational units only', async () => {
    const { workspace } = fixture;
    workspace.addUser('ann', {}, '/Sales');
    workspace.addUser('bob', {}, '/Sales/North');
    workspace.addUser('cid', {}, '/Salespeople');
    workspace.addGroup('g1', ['ann', 'cid']);
    workspace.addGroup('g2', ['bob']);
    workspace.addGroup('g3', ['ann']);
    await fixture.set({
      organizational_units: ['/sales'],
      include_groups: ['g1', 'G2@groups.example.com'],
      exclude_groups: ['g2'],
    });
    await fixture.sync();
    expect(await fixture.stateOf()).toMatchObject([
      { name: 'ann@example.com', groups: ['g1'] },
      { name: 'bob@example.com', groups: null },
      { name: 'g1' },
    ]);
  });
});
