import { WorkspaceError } from '@gatehouse/workspace-providers';
import { syncAll } from '../../src/management/workspace/sync-all.js';
import { silentLogger } from '../../src/sync-logger.js';
import { RunRepository } from '../../src/workspace/runs/run.repository.js';
import { type TestDirectory } from '../harness.js';
import { useWorkspaceFixture } from './fixture.js';
import { ScriptedWorkspace } from './scripted-session.js';

const fixture = useWorkspaceFixture();
const NEVER = new AbortController().signal;

function workspaceOf(...ids: string[]): ScriptedWorkspace {
  const workspace = new ScriptedWorkspace();
  for (const id of ids) workspace.addUser(id);
  return workspace;
}

/** A directory with a held run that would delete two of three users. */
async function held(): Promise<string> {
  for (const id of ['ann', 'bob', 'cid']) fixture.workspace.addUser(id);
  fixture.workspace.addGroup('g1', ['ann', 'bob']);
  await fixture.sync();
  for (const id of ['bob', 'cid']) fixture.workspace.removeUser(id);
  fixture.workspace.addUser('dan');
  fixture.workspace.addGroup('g1', ['ann', 'dan']);
  const { run } = await fixture.sync();
  expect(run.state).toBe('held');
  return run.id;
}

describe('workspaceRuns', () => {
  it('starts one run of a directory, and returns the one under way after that', async () => {
    const { workspaceRuns } = fixture.test.sync;
    const { id } = fixture.directory;
    const first = await workspaceRuns.start(id);
    expect(first.data).toMatchObject({ directory_id: id, state: 'queued', trigger: 'demand' });
    expect((await workspaceRuns.start(id)).data?.id).toBe(first.data?.id);
    const { data } = await fixture.test.sync.auditEvents.getAll({ targetId: id });
    expect(data).toMatchObject([
      { type: 'directory.sync_started', details: { run_id: first.data?.id } },
      { type: 'directory.created' },
    ]);
  });

  it('starts a run when the one under way ends at that moment', async () => {
    const { workspaceRuns } = fixture.test.sync;
    const { id } = fixture.directory;
    const first = await workspaceRuns.start(id);
    jest.spyOn(RunRepository.prototype, 'findUnfinished').mockImplementationOnce(async () => {
      await fixture.test.dataSource.query(
        `UPDATE dsync.workspace_runs SET state = 'succeeded' WHERE id = $1`,
        [first.data?.id],
      );
      return undefined;
    });
    const { data } = await workspaceRuns.start(id);
    expect(data).toMatchObject({ state: 'queued' });
    expect(data?.id).not.toBe(first.data?.id);
  });

  it('starts a run of each workspace directory that has none', async () => {
    const { workspaceRuns } = fixture.test.sync;
    await workspaceRuns.startAll();
    const other = await fixture.newWorkspaceDirectory();
    expect((await workspaceRuns.startAll()).data).toEqual({ directories: 1 });
    expect((await workspaceRuns.list(other.id)).data?.items).toHaveLength(1);
  });

  it('shows what a held run would do, and applies it when it is approved', async () => {
    const runId = await held();
    const { workspaceRuns } = fixture.test.sync;
    const { id } = fixture.directory;
    const { data } = await workspaceRuns.get(id, runId);
    expect(data).toMatchObject({
      state: 'held',
      error: '2 users would be deleted or deactivated; the limit is 20 % of 3.',
      plan: {
        counts: {
          users_created: 1,
          users_updated: 0,
          users_deleted: 2,
          groups_updated: 0,
          members_added: 1,
          members_removed: 1,
        },
        users_created: [{ external_id: 'dan', name: 'dan@example.com' }],
        users_deleted: [
          { external_id: 'bob', name: 'bob@example.com' },
          { external_id: 'cid', name: 'cid@example.com' },
        ],
        members_added: [{ group: 'g1', group_name: 'g1', member: 'dan' }],
        members_removed: [{ group: 'g1', group_name: 'g1', member: 'bob' }],
      },
    });
    expect((await workspaceRuns.start(id)).error).toEqual({
      message: `Run ${runId} is held. Approve or discard it first.`,
      code: 409,
    });
    expect((await workspaceRuns.approve(id, runId)).data?.state).toBe('applying');
    expect(await fixture.newRunner().run(runId, { signal: NEVER })).toBe('ended');
    const after = await workspaceRuns.get(id, runId);
    expect(after.data).toMatchObject({
      state: 'succeeded',
      plan: null,
      counts: { users_created: 1, users_deleted: 2, members_added: 1, members_removed: 1 },
    });
    expect((await workspaceRuns.approve(id, runId)).error?.code).toBe(409);
  });

  it('changes nothing when a held run is discarded, and lets another one start', async () => {
    const runId = await held();
    const { workspaceRuns } = fixture.test.sync;
    const { id } = fixture.directory;
    const story = await fixture.storyOf();
    expect((await workspaceRuns.discard(id, runId)).data?.state).toBe('discarded');
    expect(await fixture.newRunner().run(runId, { signal: NEVER })).toBe('busy');
    expect(await fixture.storyOf()).toEqual(story);
    expect((await workspaceRuns.start(id)).data?.state).toBe('queued');
    const audited = await fixture.test.sync.auditEvents.getAll({
      type: 'directory.sync_discarded',
    });
    expect(audited.data).toMatchObject([{ target_id: id, details: { run_id: runId } }]);
  });

  it('names users that could not be stored, and why', async () => {
    fixture.workspace.addUser('ann');
    fixture.workspace.addUser('two', { userName: 'ann@example.com' });
    const { run } = await fixture.sync();
    const { data } = await fixture.test.sync.workspaceRuns.get(fixture.directory.id, run.id);
    expect(data?.failures).toEqual([
      {
        kind: 'user',
        external_id: 'two',
        reason: 'A user with this userName exists in the directory.',
      },
    ]);
  });

  it('shows the last run in the status, and when one last succeeded and failed', async () => {
    const statusOf = async () =>
      (await fixture.test.sync.directories.status(fixture.directory.id)).data?.last_sync;
    expect(await statusOf()).toBeNull();
    fixture.workspace.addUser('ann');
    await fixture.sync();
    const message = 'Switch on the Admin SDK API.';
    const open = () => Promise.reject(new WorkspaceError('forbidden', message));
    const { run } = await fixture.sync({ runner: fixture.newRunner({ sessions: { open } }) });
    expect(await statusOf()).toEqual({
      started_at: run.startedAt?.toISOString(),
      finished_at: run.finishedAt?.toISOString(),
      result: 'failed',
      error: message,
      counts: run.counts,
      last_success_at: expect.any(String),
      last_error_at: run.finishedAt?.toISOString(),
    });
  });

  it('keeps settings that are not sent, and sets one back with null', async () => {
    const { workspaceRuns } = fixture.test.sync;
    const { id } = fixture.directory;
    await workspaceRuns.changeSettings(id, { include_groups: [' g1 '], max_deletes: 7 });
    const changed = await workspaceRuns.changeSettings(id, { max_deletes: null });
    expect(changed.data).toMatchObject({ include_groups: ['g1'], max_deletes: null });
    expect((await workspaceRuns.settings(id)).data).toEqual(changed.data);
  });

  it.each([
    ['max_delete_ratio', 1.5],
    ['max_deletes', -1],
    ['include_groups', ['']],
    ['flatten_groups', 'yes'],
    ['max_delete_rato', 0.5],
  ])('refuses the setting %s: %j', async (field, value) => {
    const { id } = fixture.directory;
    const { error } = await fixture.test.sync.workspaceRuns.changeSettings(id, { [field]: value });
    expect(error?.code).toBe(400);
    expect(error?.message).toContain(field);
  });

  it('answers 404 for an unknown directory or run, and 400 for a directory of SCIM', async () => {
    const { workspaceRuns } = fixture.test.sync;
    const { id } = fixture.directory;
    const scim = await fixture.test.newDirectory();
    const unknown = '01983f6e-7c10-7000-8000-000000000000';
    const codes = await Promise.all([
      workspaceRuns.start(unknown),
      workspaceRuns.get(id, unknown),
      workspaceRuns.discard(id, 'x'),
      workspaceRuns.start(scim.id),
      workspaceRuns.settings(scim.id),
    ]);
    expect(codes.map(({ error }) => error?.code)).toEqual([404, 404, 404, 400, 400]);
  });
});

describe('sync(callback)', () => {
  it('runs every directory in turn, with awaited events in order, and one failure stops no other', async () => {
    const directories: TestDirectory[] = [fixture.directory];
    for (let n = 0; n < 2; n++) directories.push(await fixture.newWorkspaceDirectory());
    const [first, second, third] = directories.map(({ id }) => id) as [string, string, string];
    const sessions: Record<string, ScriptedWorkspace> = {
      [first]: workspaceOf('ann', 'bob'),
      [third]: workspaceOf('cid'),
    };
    const open = (id: string) => {
      const workspace = sessions[id];
      const refusal = new WorkspaceError('forbidden', 'Switch on the Admin SDK API.');
      return workspace ? Promise.resolve(workspace.session()) : Promise.reject(refusal);
    };
    const runner = fixture.newRunner({ sessions: { open } });
    const seen: string[] = [];
    let underway = 0;
    const entries = await syncAll(
      { runs: fixture.runs, runner, logger: silentLogger },
      async ({ event, directory_id, data: user }) => {
        underway += 1;
        expect(underway).toBe(1);
        await new Promise((resolve) => setImmediate(resolve));
        if (directories.some(({ id }) => id === directory_id)) {
          seen.push(`${event} ${(user.raw as { externalId: string }).externalId}`);
        }
        underway -= 1;
        if (event === 'user.created') throw new Error('the callback of a caller');
      },
    );
    expect(seen).toEqual(['user.created ann', 'user.created bob', 'user.created cid']);
    expect(
      entries.filter(({ directory_id }) => [first, second, third].includes(directory_id)),
    ).toMatchObject([
      { directory_id: first, state: 'succeeded', counts: { users_created: 2 }, error: null },
      { directory_id: second, state: 'failed', error: 'Switch on the Admin SDK API.' },
      { directory_id: third, state: 'succeeded', counts: { users_created: 1 }, error: null },
    ]);
  });

  it('leaves a directory alone whose run is held', async () => {
    const runId = await held();
    const context = { runs: fixture.runs, runner: fixture.newRunner(), logger: silentLogger };
    const entries = await syncAll(context);
    expect(entries.find(({ directory_id }) => directory_id === fixture.directory.id)).toMatchObject(
      {
        run_id: null,
        error: `Run ${runId} is held. Approve or discard it first.`,
      },
    );
  });
});
