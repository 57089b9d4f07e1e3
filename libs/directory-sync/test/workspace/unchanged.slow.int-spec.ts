// Runs of a directory of Entra ID, whose provider says whether something has changed.
import { poolOf } from '@gatehouse/nest-kit/database';
import { ENTRA_FAULTS, type FakeEntra, startFakeEntra } from '@gatehouse/testing';
import {
  createWorkspaceSessions,
  type WorkspaceSessionSource,
} from '../../src/workspace/create-workspace-sessions.js';
import { type RunRow, type RunTrigger } from '../../src/workspace/runs/run.types.js';
import { runView } from '../../src/workspace/runs/run.view.js';
import { ENCRYPTION_KEYS, type TestDirectory } from '../harness.js';
import { useWorkspaceFixture } from './fixture.js';
import { MortalSql } from './mortal-sql.js';
import { entraOf } from './entra-fixture.js';

const NEVER = new AbortController().signal;
/** Users, groups, and the members of two groups. */
const PAGES = 4;
const CHECK = 2;

const fixture = useWorkspaceFixture();
let entra: FakeEntra;
let sessions: WorkspaceSessionSource;
let directory: TestDirectory;

beforeEach(async () => {
  entra = await startFakeEntra({ users: 10, groups: 2, membersPerGroup: 3 });
  const { tenant } = entra;
  sessions = createWorkspaceSessions({
    dataSource: fixture.test.dataSource,
    encryptionKeys: ENCRYPTION_KEYS,
    providers: {
      policy: { allowPrivate: true },
      requestsPerSecond: 1_000,
      retryDelayMs: 1,
      entra: entraOf(entra),
    },
  });
  directory = await fixture.test.newDirectory({
    type: 'workspace',
    workspace_provider: 'entra',
    workspace_domain: tenant,
  });
});
afterEach(async () => {
  await sessions.close();
  await entra.close();
});

type Parts = Parameters<typeof fixture.newRunner>[0];
const newRunner = (parts: Parts = {}) => fixture.newRunner({ sessions, ...parts });

async function sync(trigger: RunTrigger, parts?: Parts): Promise<RunRow> {
  const { id } = await fixture.start(directory, trigger);
  await newRunner(parts).run(id, { signal: NEVER });
  return find(id);
}

async function find(id: string): Promise<RunRow> {
  return (await fixture.runs.find(directory.id, id)) as RunRow;
}

async function expectListing(trigger: RunTrigger = 'schedule'): Promise<RunRow> {
  const run = await sync(trigger);
  expect(run).toMatchObject({ state: 'succeeded', unchangedSince: null, pages: PAGES });
  expect(run.counts).toMatchObject({ users_listed: 10, groups_listed: 2, members_listed: 6 });
  return run;
}

async function expectUnchanged(trigger: RunTrigger = 'schedule'): Promise<RunRow> {
  const before = entra.server.requestsOf('/v1.0/').length;
  const run = await sync(trigger);
  expect(run).toMatchObject({
    state: 'succeeded',
    error: null,
    pages: 0,
    apiCalls: CHECK,
    unchangedSince: expect.any(Date),
    counts: { users_listed: 0, groups_listed: 0, members_listed: 0, failed: 0 },
  });
  expect(entra.server.requestsOf('/v1.0/')).toHaveLength(before + CHECK);
  return run;
}

/** The events of a scheduled run. */
async function storyOfRun(): Promise<{ story: string[]; run: RunRow }> {
  const before = (await fixture.storyOf(directory)).length;
  const run = await sync('schedule');
  return { run, story: (await fixture.storyOf(directory)).slice(before) };
}

it('costs two requests while nothing has changed, by schedule or notification', async () => {
  const listed = await expectListing('demand');
  expect(listed.apiCalls).toBe(PAGES + CHECK);
  const state = await fixture.stateOf(directory);
  for (const trigger of ['schedule', 'push', 'schedule'] as const) {
    const run = await expectUnchanged(trigger);
    expect(runView(run).unchanged_since).toBe(listed.startedAt?.toISOString());
  }
  expect(await fixture.stateOf(directory)).toEqual(state);
});

it('lists on demand and for a callback, whatever has changed', async () => {
  for (const trigger of ['schedule', 'demand', 'callback'] as const) await expectListing(trigger);
  await expectUnchanged();
});

it.each<[string, (people: FakeEntra['people']) => void, string[]]>([
  ['a changed user', ({ users }) => users.change(1, { title: 'Manager' }), ['user.updated 1']],
  ['a deleted user', ({ users }) => users.remove(9), ['user.deleted 9']],
  [
    'an added member',
    (people) => {
      const members = [0, 1, 2, 9].map((number) => people.users.at(number));
      people.setMembers(
        'group-0',
        members.map(({ id, email }) => ({ id, email, kind: 'user' })),
      );
    },
    ['group.user_added 9 Group 0'],
  ],
  [
    'a deleted group',
    ({ groups }) => groups.remove(1),
    [...[3, 4, 5].map((number) => `group.user_removed ${number} Group 1`), 'group.deleted group-1'],
  ],
])('lists once for %s, with exactly its events', async (_, change, events) => {
  await fixture.set({ max_delete_ratio: 1 }, directory);
  await sync('schedule');
  await expectUnchanged();
  change(entra.people);
  let kept = '';
  entra.server.beforeAnswer = async ({ url }) => {
    if (!url.pathname.endsWith('/members')) return;
    const text = 'SELECT count(*) FROM dsync.workspace_members WHERE directory_id = $1';
    const [row] = await fixture.test.dataSource.query<{ count: string }[]>(text, [directory.id]);
    kept ||= row?.count ?? '';
  };
  const { run, story } = await storyOfRun();
  expect(run).toMatchObject({ state: 'succeeded', unchangedSince: null });
  expect(run.pages).toBeGreaterThanOrEqual(PAGES - 1);
  expect(story.map((line) => line.replace(/ 10*(\d)\b/, ' $1'))).toEqual(events);
  expect(kept).toBe('6');
  await expectUnchanged();
});

it('sees in the next run what changes while a listing is read', async () => {
  entra.server.beforeAnswer = ({ url }) => {
    if (!url.pathname.endsWith('/members')) return;
    entra.people.users.change(1, { title: 'Manager' });
    entra.server.beforeAnswer = () => undefined;
  };
  await expectListing();
  const { story } = await storyOfRun();
  expect(story).toEqual([expect.stringContaining('user.updated')]);
  await expectUnchanged();
});

it('lists if the provider no longer knows the token, or cannot say', async () => {
  await expectListing();
  entra.directory.deltas.forget();
  await expectListing();
  entra.server.fail('groups/delta', ENTRA_FAULTS.invalidRequest, 2);
  await expectListing();
  await expectListing();
  await expectUnchanged();
});

it('waits while the provider is not available, and asks again', async () => {
  await expectListing();
  entra.server.fail('users/delta', ENTRA_FAULTS.unavailable, 5);
  const waiting = await sync('schedule');
  expect(waiting).toMatchObject({ state: 'listing', setbacks: 1, pages: 0 });
  const { run } = await fixture.goOn(waiting, newRunner());
  expect(run).toMatchObject({ state: 'succeeded', apiCalls: CHECK, error: null });
  expect(run.unchangedSince).not.toBeNull();
});

it('lists after a run that failed, or that could not store all', async () => {
  await expectListing();
  entra.server.fail('users/delta', ENTRA_FAULTS.denied);
  expect(await sync('schedule')).toMatchObject({ state: 'failed' });
  await expectListing();
  entra.people.users.change(1, { email: 'user-2@example.com' });
  for (let times = 0; times < 2; times += 1) {
    const run = await expectListing();
    expect(run.counts.failed).toBe(1);
  }
});

it('lists after a run that was held, approved or discarded', async () => {
  await expectListing();
  const tokenOf = async (run: RunRow) => (await find(run.id)).changeToken;
  const before = await expectUnchanged();
  for (let number = 0; number < 3; number += 1) entra.people.users.remove(number);
  const held = await sync('schedule');
  expect(held.state).toBe('held');
  expect(await tokenOf(before)).toBe(before.changeToken);
  const { sql } = fixture;
  const end = { state: 'discarded', phase: 'finish' } as const;
  await fixture.runs.decide(directory.id, held.id, end, sql);
  const again = await sync('schedule');
  expect(again).toMatchObject({ state: 'held', unchangedSince: null });
  const next = { state: 'applying', phase: 'apply_users' } as const;
  await fixture.runs.decide(directory.id, again.id, next, sql);
  expect((await fixture.goOn(again, newRunner())).run.state).toBe('succeeded');
  expect(await sync('schedule')).toMatchObject({ state: 'succeeded', unchangedSince: null });
});

it('lists once after the settings or the tenant of the directory have changed', async () => {
  await expectListing();
  await fixture.set({ max_delete_ratio: 0.5 }, directory);
  await expectListing();
  await expectUnchanged();
  for (const workspace_domain of ['other.example.com', entra.tenant]) {
    const { error } = await fixture.test.sync.directories.update(directory.id, {
      workspace_domain,
    });
    expect(error).toBeNull();
  }
  await expectListing();
  await expectUnchanged();
});

it('lists once the last listing is a day old, or always', async () => {
  const [listed, unchanged] = [await expectListing(), await expectUnchanged()];
  await fixture.test.dataSource.query(
    `UPDATE dsync.workspace_runs SET started_at = started_at - interval '1 day',
      unchanged_since = unchanged_since - interval '1 day' WHERE id = ANY ($1)`,
    [[listed.id, unchanged.id]],
  );
  await expectListing();
  await expectUnchanged();
  const before = entra.server.requestsOf('latest').length;
  const run = await sync('schedule', { fullListingSeconds: 0 });
  expect(run).toMatchObject({ pages: PAGES, apiCalls: PAGES, changeToken: null });
  expect(entra.server.requestsOf('latest')).toHaveLength(before);
});

it('keeps one token only, and shows none', async () => {
  await expectListing();
  const run = await expectUnchanged();
  const text = `SELECT id FROM dsync.workspace_runs WHERE directory_id = $1
    AND change_token IS NOT NULL`;
  expect(await fixture.test.dataSource.query(text, [directory.id])).toEqual([{ id: run.id }]);
  expect(JSON.stringify(runView(run))).not.toContain('deltatoken');
});

it.each([
  ['finds no change', false],
  ['lists a change', true],
])(
  'a run that %s ends the same wherever its process is killed',
  async (_, isChange) => {
    await sync('schedule');
    for (let step = 1, isKilled = true; isKilled; step += 1) {
      if (isChange) entra.people.users.change(1, { title: `Title ${step}` });
      const before = (await fixture.storyOf(directory)).length;
      const sql = new MortalSql(poolOf(fixture.test.dataSource));
      sql.diesAt = step;
      const { id } = await fixture.start(directory, 'schedule');
      isKilled = await newRunner({ sql })
        .run(id, { signal: NEVER })
        .then(
          () => false,
          () => true,
        );
      const row = await find(id);
      const { run } = row.finishedAt ? { run: row } : await fixture.goOn(row, newRunner());
      const story = (await fixture.storyOf(directory)).slice(before);
      expect({ step, state: run.state, isListed: run.pages > 0, events: story.length }).toEqual({
        step,
        state: 'succeeded',
        isListed: isChange,
        events: isChange ? 1 : 0,
      });
    }
    await expectUnchanged();
  },
  60_000,
);
