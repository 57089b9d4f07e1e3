// Workers pull a workspace directory: on demand, two at a time, and while one of them ends.
import { eventually, type FakeGoogle, startFakeGoogle, type TestStack } from '@gatehouse/testing';
import { connectWorkspace, manage, openSyncStack, type Service } from './sync-stack.js';

const USERS = 2_000;
const GROUPS = 20;
const MEMBERS = 10;

let google: FakeGoogle;
let stack: TestStack;
let api: Service;

beforeAll(async () => {
  google = await startFakeGoogle({ users: USERS, groups: GROUPS, membersPerGroup: MEMBERS });
  stack = await openSyncStack({
    settings: {
      ...google.settings,
      DSYNC_SWEEP_INTERVAL: '1',
      WORKSPACE_SYNC_CRON: 'never',
      WORKSPACE_REQUESTS_PER_SECOND: '1000',
    },
  });
  api = await stack.start('dsync-api');
});
afterAll(async () => {
  await stack.close();
  await google.close();
});

const connected = () => connectWorkspace(api, google);

async function start(id: string): Promise<string> {
  const { status, body } = await manage(api, 'POST', `/${id}/sync`);
  expect(status).toBe(202);
  return body.data.id as string;
}

async function runOf(id: string, run: string) {
  const { body } = await manage(api, 'GET', `/${id}/runs/${run}`);
  return body.data as {
    state: string;
    error: string | null;
    pages: number;
    counts: Record<string, number>;
    plan: { counts: Record<string, number>; users_deleted: { name: string }[] } | null;
  };
}

const until = (id: string, run: string, state: string, timeoutMs = 60_000) =>
  eventually(
    async () => {
      const found = await runOf(id, run);
      expect(found).toMatchObject({ state });
      return found;
    },
    { timeoutMs },
  );

/** How often each user was created, and each membership added, by number. */
async function eventCounts(id: string) {
  const rows = await stack.database.query<{ type: string; count: number; resources: number }>(
    `SELECT type, count(*)::integer AS count, count(DISTINCT concat(data -> 'id', data #> '{group,id}'))::integer
      AS resources FROM dsync.events WHERE source_id = $1 GROUP BY type ORDER BY type`,
    [id],
  );
  return rows;
}

const WHOLE = [
  { type: 'group.created', count: GROUPS, resources: GROUPS },
  { type: 'group.user_added', count: GROUPS * MEMBERS, resources: GROUPS * MEMBERS },
  { type: 'user.created', count: USERS, resources: USERS },
];
const PAGES = USERS / 500 + 1 + GROUPS;

it('pulls a directory when it is asked, and holds what would delete too much', async () => {
  const worker = await stack.start('dsync-worker');
  const id = await connected();
  const first = await start(id);
  expect(await until(id, first, 'succeeded')).toMatchObject({ pages: PAGES, error: null });
  expect(await eventCounts(id)).toEqual(WHOLE);
  google.people.users.count = 1_000;
  try {
    const second = await start(id);
    const { plan } = await until(id, second, 'held');
    expect(plan?.counts).toMatchObject({ users_deleted: 1_000 });
    expect(plan?.users_deleted).toHaveLength(100);
    expect((await manage(api, 'POST', `/${id}/sync`)).status).toBe(409);
    expect(await eventCounts(id)).toEqual(WHOLE);
    const approval = await manage(api, 'POST', `/${id}/runs/${second}/approve`);
    expect(approval.status).toBe(200);
    const { counts } = await until(id, second, 'succeeded');
    expect(counts).toMatchObject({ users_deleted: 1_000 });
    expect((await manage(api, 'POST', `/${id}/runs/${second}/discard`)).status).toBe(409);
    expect((await manage(api, 'GET', `/${id}/runs`)).body.data).toMatchObject([
      { id: second, state: 'succeeded' },
      { id: first, state: 'succeeded' },
    ]);
  } finally {
    google.people.users.count = USERS;
  }
  expect(await worker.stop()).toBe(0);
});

it('ends a worker at a batch of a run, and goes on with another worker there', async () => {
  const worker = await stack.start('dsync-worker');
  const id = await connected();
  const run = await start(id);
  await eventually(async () =>
    expect((await runOf(id, run)).counts.users_created).toBeGreaterThan(0),
  );
  expect(await worker.stop()).toBe(0);
  const { state, counts } = await runOf(id, run);
  expect(state).toBe('applying');
  expect(counts.users_created).toBeLessThan(USERS);
  const next = await stack.start('dsync-worker');
  expect(await until(id, run, 'succeeded')).toMatchObject({ pages: PAGES });
  expect(await eventCounts(id)).toEqual(WHOLE);
  expect(await next.stop()).toBe(0);
});

it('lets a worker take over the run of one that was killed, without a second event', async () => {
  const first = await stack.start('dsync-worker');
  const id = await connected();
  const run = await start(id);
  await eventually(async () =>
    expect((await runOf(id, run)).counts.users_created).toBeGreaterThan(0),
  );
  await first.kill();
  const { counts } = await runOf(id, run);
  expect(counts.users_created).toBeLessThan(USERS);
  const second = await stack.start('dsync-worker');
  expect(await until(id, run, 'succeeded')).toMatchObject({ pages: PAGES });
  expect(await eventCounts(id)).toEqual(WHOLE);
  expect(await second.stop()).toBe(0);
});

it('carries out each run once with two workers', async () => {
  const workers = [await stack.start('dsync-worker'), await stack.start('dsync-worker')];
  google.people.users.count = 200;
  try {
    const ids = await Promise.all(Array.from({ length: 4 }, () => connected()));
    const { body } = await manage(api, 'POST', '/cron/sync-workspace');
    expect(body.data.directories).toBeGreaterThanOrEqual(ids.length);
    for (const id of ids) {
      const [{ id: run }] = (await manage(api, 'GET', `/${id}/runs`)).body.data;
      await until(id, run, 'succeeded');
      expect((await eventCounts(id)).find(({ type }) => type === 'user.created')).toEqual({
        type: 'user.created',
        count: 200,
        resources: 200,
      });
    }
  } finally {
    google.people.users.count = USERS;
  }
  for (const worker of workers) expect(await worker.stop()).toBe(0);
});
