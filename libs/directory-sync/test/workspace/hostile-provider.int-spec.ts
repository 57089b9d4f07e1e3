import { type Page, WorkspaceError, type WorkspaceSession } from '@gatehouse/workspace-providers';
import { useWorkspaceFixture } from './fixture.js';

const fixture = useWorkspaceFixture();
const YEAR_SECONDS = 31_536_000;
const DAY_SECONDS = 86_400;

function filled(): void {
  const { workspace } = fixture;
  for (let n = 0; n < 10; n++) workspace.addUser(`u${n}`);
  for (const id of ['g1', 'g2', 'g3', 'g4', 'g5']) workspace.addGroup(id, ['u0', 'u1']);
}

function runnerWith(parts: Partial<WorkspaceSession>, pagesMax?: number) {
  const session = { ...fixture.workspace.session(), ...parts };
  const sessions = { open: () => Promise.resolve(session) };
  return fixture.newRunner({ sessions, ...(pagesMax ? { pagesMax } : {}) });
}

describe('a run whose provider misbehaves', () => {
  it('takes a group that is deleted while members are listed for deleted', async () => {
    filled();
    await fixture.sync();
    const { listMembers } = fixture.workspace.session();
    const runner = runnerWith({
      listMembers: async (group, page) => {
        if (group === 'g3') {
          fixture.workspace.removeGroup('g3');
          throw new WorkspaceError('not_found', 'No such group.');
        }
        return listMembers(group, page);
      },
    });
    const { run } = await fixture.sync({ runner });
    expect(run).toMatchObject({ state: 'succeeded', error: null, counts: { groups_deleted: 1 } });
    expect((await fixture.storyOf()).slice(-3)).toEqual([
      'group.user_removed u0 g3',
      'group.user_removed u1 g3',
      'group.deleted g3',
    ]);
  });

  it.each([10 * YEAR_SECONDS, 8e12])('waits no longer than a day, if asked for %d s', async (s) => {
    filled();
    fixture.workspace.beforeCall = () => {
      throw new WorkspaceError('rate_limited', 'Too many requests.', s);
    };
    const { end, run } = await fixture.sync();
    expect(end).toBe('waiting');
    const [{ pause }] = await fixture.test.dataSource.query(
      `SELECT extract(epoch FROM not_before - now())::float AS pause
        FROM dsync.workspace_runs WHERE id = $1`,
      [run.id],
    );
    expect(pause).toBeLessThanOrEqual(DAY_SECONDS);
  });

  it('stores texts without the characters that PostgreSQL cannot store', async () => {
    filled();
    fixture.workspace.addUser('odd', { displayName: 'a\0b\ud800' });
    expect((await fixture.sync()).run).toMatchObject({
      state: 'succeeded',
      error: null,
      counts: { users_created: 11 },
    });
  });

  it.each(['a\0b', 'x'.repeat(10_000)])(
    'fails at once, in words, for an unusable id',
    async (id) => {
      filled();
      fixture.workspace.addUser(id, { externalId: 'short' });
      const { run } = await fixture.sync();
      expect(run).toMatchObject({ state: 'failed', error: expect.stringContaining('an id') });
    },
  );

  it('fails for a listing of empty pages that does not end', async () => {
    let page = 0;
    const empty = (): Promise<Page<never>> =>
      Promise.resolve({ items: [], next: `page-${(page += 1)}`, calls: 1 });
    const { run } = await fixture.sync({ runner: runnerWith({ listUsers: empty }, 50) });
    expect(run).toMatchObject({ state: 'failed', error: expect.stringContaining('pages') });
  }, 20_000);

  it('fails for a second listing that goes in a circle', async () => {
    filled();
    await fixture.sync();
    fixture.workspace.removeUser('u9');
    const { listUsers } = fixture.workspace.session();
    let isSecond = false;
    const runner = runnerWith(
      {
        listUsers: async (token) => {
          if (!isSecond) {
            const page = await listUsers(token);
            isSecond = page.next === null;
            return page;
          }
          return { ...(await listUsers('0')), next: token === 'a' ? 'b' : 'a' };
        },
      },
      100,
    );
    const { run } = await fixture.sync({ runner });
    expect(run).toMatchObject({ state: 'failed', error: expect.stringContaining('pages') });
  }, 20_000);
});

describe('the guard against odd listings', () => {
  it('sees that a protected group loses all members, though accounts that are not listed remain', async () => {
    filled();
    await fixture.set({ protected_groups: ['g1'] });
    await fixture.sync();
    fixture.workspace.members.set('g1', [{ id: 'elsewhere', kind: 'user' }]);
    expect((await fixture.sync()).run).toMatchObject({
      state: 'held',
      error: 'Protected groups would be deleted or emptied: g1.',
    });
  });

  it('sees that a protected group is emptied, though it is renamed as well', async () => {
    filled();
    await fixture.set({ protected_groups: ['Admins'] });
    fixture.workspace.addGroup('g1', ['u0'], 'Admins');
    await fixture.sync();
    fixture.workspace.addGroup('g1', [], 'Renamed');
    expect((await fixture.sync()).run).toMatchObject({
      state: 'held',
      holdReasons: [{ reason: 'protected_group' }],
    });
  });

  it('holds a listing without any member, if groups have members', async () => {
    filled();
    await fixture.sync();
    for (const { id } of fixture.workspace.groups) fixture.workspace.members.set(id, []);
    expect((await fixture.sync()).run).toMatchObject({
      state: 'held',
      holdReasons: [{ reason: 'empty_listing' }],
    });
  });
});

describe('settings and runs of a directory', () => {
  it('tries access of the service itself again at each time of the schedule', async () => {
    const own = { type: 'workspace', workspace_administrator: 'admin@example.com' };
    const { id } = await fixture.test.newDirectory(own);
    await fixture.test.dataSource.query(
      `UPDATE dsync.workspace_connections SET state = 'needs_authorization' WHERE directory_id = $1`,
      [id],
    );
    const since = new Date(Date.now() + 1_000);
    const started = await fixture.runs.insertAll('schedule', 0, since);
    expect(started.map(({ directoryId }) => directoryId)).toContain(id);
  });

  it('keeps the last runs of a schedule only', async () => {
    const { id } = fixture.directory;
    await fixture.test.dataSource.query(
      `INSERT INTO dsync.workspace_runs (id, directory_id, trigger, state, phase, position, counts)
        SELECT dsync.uuid_v7(), $1, 'schedule', 'succeeded', 'finish', '', '{}'
        FROM generate_series(1, 150)`,
      [id],
    );
    const [started] = (await fixture.runs.insertAll('schedule', 0, null)).filter(
      ({ directoryId }) => directoryId === id,
    );
    await fixture.newRunner().run(started!.id, { signal: new AbortController().signal });
    expect((await fixture.runs.list(id, 0, 1_000)).length).toBeLessThanOrEqual(101);
  });

  it('refuses names that cannot be stored', async () => {
    for (const name of ['a\0b', 'a\ud800b', 'a\nb']) {
      const { error } = await fixture.test.sync.workspaceRuns.changeSettings(fixture.directory.id, {
        include_groups: [name],
      });
      expect(error).toMatchObject({ code: 400 });
    }
  });

  it('chooses among a thousand organizational units in seconds', async () => {
    const { workspace } = fixture;
    workspace.pageSize = 500;
    for (let n = 0; n < 500; n++) workspace.addUser(`u${n}`, {}, '/nowhere');
    const units = Array.from({ length: 1_000 }, (_, n) => '/a'.repeat(250) + n);
    await fixture.set({ organizational_units: units, include_groups: units });
    const startedAt = performance.now();
    await fixture.sync();
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });

  it('applies a held plan with the settings of its listing', async () => {
    const { workspace } = fixture;
    filled();
    workspace.addGroup('outer', ['g1', 'u5']);
    await fixture.set({ flatten_groups: true });
    await fixture.sync();
    for (const id of ['u7', 'u8', 'u9']) workspace.removeUser(id);
    const { run } = await fixture.sync();
    expect(run.state).toBe('held');
    await fixture.set({ flatten_groups: false });
    await fixture.runs.decide(
      fixture.directory.id,
      run.id,
      { state: 'applying', phase: 'apply_users' },
      fixture.sql,
    );
    const { run: applied } = await fixture.goOn(run);
    expect(applied).toMatchObject({ state: 'succeeded', counts: { members_removed: 0 } });
  });
});
