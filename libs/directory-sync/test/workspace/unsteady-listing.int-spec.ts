import { WorkspaceError } from '@gatehouse/workspace-providers';
import { useWorkspaceFixture } from './fixture.js';

const fixture = useWorkspaceFixture();

function fill(): void {
  const { workspace } = fixture;
  for (const id of ['ann', 'bob', 'cid', 'dan', 'eve']) workspace.addUser(id);
  workspace.addGroup('g1', ['ann', 'bob', 'cid']);
  workspace.addGroup('g2', ['dan']);
}

const expired = () => new WorkspaceError('page_expired', 'The page token is no longer known.');

describe('a listing whose page token expires', () => {
  it.each([
    ['users', 2],
    ['members', 6],
  ])('begins again with the %s, and deletes nothing', async (_, failing) => {
    fill();
    await fixture.sync();
    const story = await fixture.storyOf();
    fixture.workspace.calls = 0;
    fixture.workspace.beforeCall = (call) => {
      if (call === failing) throw expired();
    };
    const { run } = await fixture.sync();
    expect(run).toMatchObject({
      state: 'succeeded',
      error: null,
      counts: { users_listed: 5, groups_listed: 2, members_listed: 4 },
    });
    expect(await fixture.storyOf()).toEqual(story);
  });

  it('fails when that goes on', async () => {
    fill();
    fixture.workspace.beforeCall = (call) => {
      if (call % 2 === 0) throw expired();
    };
    const { run } = await fixture.sync();
    expect(run).toMatchObject({ state: 'failed', error: 'The page token is no longer known.' });
    expect(fixture.workspace.calls).toBeLessThan(20);
  });
});

describe('a listing that changes while it is read', () => {
  it('is complete when its last page has only users who moved there', async () => {
    fill();
    await fixture.sync();
    const { workspace } = fixture;
    const [ann, bob, cid, dan, eve] = workspace.users;
    workspace.calls = 0;
    workspace.beforeCall = (call) => {
      if (call === 3) workspace.users = [bob!, cid!, dan!, eve!, ann!];
    };
    const { run } = await fixture.sync();
    expect(run).toMatchObject({ state: 'succeeded', counts: { users_deleted: 0 } });
    expect(await fixture.storyOf()).not.toContain('user.deleted eve');
  });
});

describe('a directory that is deactivated while a run is under way', () => {
  it('gets no change after that, and the run fails', async () => {
    fill();
    const { id } = fixture.directory;
    fixture.workspace.beforeCall = async (call) => {
      if (call === 6) await fixture.test.sync.directories.update(id, { deactivated: true });
    };
    const { end, run } = await fixture.sync();
    expect({ end, state: run.state, error: run.error }).toEqual({
      end: 'ended',
      state: 'failed',
      error: 'The directory is not active.',
    });
    expect(await fixture.storyOf()).toEqual([]);
  });
});

describe('the guard of memberships', () => {
  function fillGroups(members: number): void {
    const ids = Array.from({ length: members }, (_, n) => `u${n}`);
    fixture.workspace.pageSize = 1_000;
    for (const id of ids) fixture.workspace.addUser(id);
    fixture.workspace.addGroup('all', ids);
    fixture.workspace.addGroup('other', ['u0', 'u1']);
  }

  it('holds a run that would remove more than half of many memberships', async () => {
    fillGroups(220);
    await fixture.sync();
    fixture.workspace.addGroup('all', ['u0']);
    const { run } = await fixture.sync();
    expect(run).toMatchObject({
      state: 'held',
      error: '219 memberships would be removed; the limit is 50 % of 222.',
      holdReasons: [{ reason: 'too_many_removals' }],
    });
  });

  it('lets a run remove few memberships, however many that are of all', async () => {
    fillGroups(20);
    await fixture.sync();
    fixture.workspace.addGroup('all', ['u0']);
    expect((await fixture.sync()).run.state).toBe('succeeded');
  });

  it('keeps to the ratio of the directory, for few memberships too', async () => {
    fillGroups(20);
    await fixture.set({ max_member_removal_ratio: 0.1 });
    await fixture.sync();
    fixture.workspace.addGroup('all', ['u0']);
    expect((await fixture.sync()).run.state).toBe('held');
    await fixture.set({ max_member_removal_ratio: 1 });
  });
});
