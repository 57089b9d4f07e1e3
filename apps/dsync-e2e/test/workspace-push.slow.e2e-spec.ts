// Providers notify of changes: a run follows without a schedule and without a request.
import {
  eventually,
  type FakeEntra,
  type FakeGoogle,
  freePort,
  startFakeEntra,
  startFakeGoogle,
  tcpProxy,
  type TestStack,
} from '@gatehouse/testing';
import {
  connectWorkspace,
  manage,
  newDirectory,
  openSyncStack,
  type Service,
} from './sync-stack.js';

const PATH = '/api/scim/workspace/notifications';

let google: FakeGoogle;
let entra: FakeEntra;
let stack: TestStack;
let api: Service;

beforeAll(async () => {
  google = await startFakeGoogle({ users: 3 });
  entra = await startFakeEntra({ users: 3 });
  const port = await freePort();
  stack = await openSyncStack({
    settings: {
      ...google.settings,
      ...entra.settings,
      EXTERNAL_URL: `http://127.0.0.1:${port}`,
      DSYNC_SWEEP_INTERVAL: '1',
      WORKSPACE_SYNC_CRON: 'never',
      WORKSPACE_PUSH: 'true',
    },
  });
  api = await stack.start('dsync-api', { PORT: String(port) });
});
afterEach(async () => {
  await stack.database.query('UPDATE dsync.directories SET deactivated = true', []);
  google.channels.channels.clear();
});
afterAll(async () => {
  await stack.close();
  await google.close();
  await entra.close();
});

const connectedToGoogle = () => connectWorkspace(api, google);

const untilActive = (id: string) =>
  eventually(async () => {
    const { status, body } = await manage(api, 'GET', `/${id}/status`);
    expect(status).toBe(200);
    expect(body.data.workspace.push).toMatchObject({ active: true, error: null });
  });

async function runsOf(id: string) {
  const { body } = await manage(api, 'GET', `/${id}/runs`);
  return body.data as { trigger: string; state: string; counts: Record<string, number> }[];
}

const untilRuns = (id: string, count: number) =>
  eventually(
    async () => {
      const runs = await runsOf(id);
      expect(runs).toHaveLength(count);
      for (const run of runs) expect(run).toMatchObject({ trigger: 'push', state: 'succeeded' });
      return runs;
    },
    { timeoutMs: 30_000 },
  );

it('stores a user who is added at Google, by a notification alone', async () => {
  const worker = await stack.start('dsync-worker');
  const id = await connectedToGoogle();
  await untilActive(id);
  google.people.users.count = 4;
  expect(await google.channels.notify('add', { id: 'new' })).toEqual([202]);
  const [run] = await untilRuns(id, 1);
  expect(run?.counts).toMatchObject({ users_created: 4 });
  // The directory has at most one such run a minute.
  await stack.database.query(
    `UPDATE dsync.workspace_push SET pushed_at = pushed_at - interval '1 minute'`,
    [],
  );
  google.people.users.count = 5;
  expect(await google.channels.notify('add', { id: 'newer' })).toEqual([202]);
  const [next] = await untilRuns(id, 2);
  expect(next?.counts).toMatchObject({ users_created: 1 });
  expect(await worker.stop()).toBe(0);
});

it('stores a user who is added at Entra ID, by a notification alone', async () => {
  const worker = await stack.start('dsync-worker');
  const { id } = await newDirectory(api, {
    type: 'workspace',
    workspace_provider: 'entra',
    workspace_domain: entra.tenant,
  });
  await untilActive(id);
  expect(entra.subscriptions.live()).toHaveLength(2);
  expect(await entra.subscriptions.notify('users', 'new')).toEqual([202]);
  const [run] = await untilRuns(id, 1);
  expect(run?.counts).toMatchObject({ users_created: 3 });
  expect(await worker.stop()).toBe(0);
});

it('opens each channel once with two workers, and renews it before it expires', async () => {
  google.channels.ttlSecondsMax = 4;
  google.channels.opened = 0;
  try {
    const workers = [await stack.start('dsync-worker'), await stack.start('dsync-worker')];
    const id = await connectedToGoogle();
    await untilActive(id);
    expect(google.channels.opened).toBe(4);
    const first = new Set(google.channels.channels.keys());
    await eventually(
      () => {
        const now = [...google.channels.channels.keys()];
        expect(now).toHaveLength(4);
        expect(now.filter((channel) => first.has(channel))).toEqual([]);
      },
      { timeoutMs: 20_000 },
    );
    await untilActive(id);
    for (const worker of workers) expect(await worker.stop()).toBe(0);
  } finally {
    google.channels.ttlSecondsMax = 21_600;
  }
});

it('keeps a notification that arrives while Redis is away', async () => {
  const proxy = await tcpProxy(stack.redis.url);
  const port = await freePort();
  const behind = { REDIS_URL: proxy.url, PORT: String(port) };
  const reached = await stack.start('dsync-api', behind);
  const settings = { REDIS_URL: proxy.url, EXTERNAL_URL: `http://127.0.0.1:${port}` };
  const worker = await stack.start('dsync-worker', settings);
  const id = await connectedToGoogle();
  await untilActive(id);
  await proxy.cut();
  expect(await google.channels.notify('update')).toEqual([202]);
  expect(await worker.stop()).toBe(0);
  expect(await reached.stop()).toBe(0);
  await proxy.close();
  const next = await stack.start('dsync-worker');
  await untilRuns(id, 1);
  expect(await next.stop()).toBe(0);
});

it('refuses what is forged, unknown or too large, and echoes a validation as plain text', async () => {
  const worker = await stack.start('dsync-worker');
  const id = await connectedToGoogle();
  await untilActive(id);
  const { id: entraId } = await newDirectory(api, {
    type: 'workspace',
    workspace_provider: 'entra',
    workspace_domain: entra.tenant,
  });
  await untilActive(entraId);
  expect(await worker.stop()).toBe(0);
  const [channel] = google.channels.live();
  const { pathname } = new URL(channel?.address ?? '');
  const send = (path: string, headers: Record<string, string> = {}, body = '') =>
    fetch(api.url + path, { method: 'POST', headers, body });
  const token = channel?.token ?? '';
  expect((await send(pathname)).status).toBe(404);
  expect((await send(pathname, { 'x-goog-channel-token': `${token}x` })).status).toBe(404);
  const unknown = `${PATH}/${crypto.randomUUID()}`;
  expect((await send(unknown, { 'x-goog-channel-token': token })).status).toBe(404);
  expect((await send(`${PATH}/x%00`)).status).toBe(404);
  expect((await send(pathname, {}, 'x'.repeat(300 * 1024))).status).toBe(413);
  expect((await fetch(api.url + pathname)).status).toBe(405);
  const [subscription] = entra.subscriptions.live().slice(-1);
  const address = new URL(subscription?.notificationUrl ?? '').pathname;
  const script = '<script>alert(1)</script>';
  const echo = await send(`${address}?validationToken=${encodeURIComponent(script)}`);
  expect(echo.status).toBe(200);
  expect(echo.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  expect(echo.headers.get('x-content-type-options')).toBe('nosniff');
  expect(await echo.text()).toBe(script);
  expect(await runsOf(id)).toEqual([]);
  expect(await runsOf(entraId)).toEqual([]);
});

it('keeps nothing of an address that no channel can have', async () => {
  const path = `${PATH}/${'x'.repeat(10_000)}`;
  const statuses = new Set<number>();
  for (let count = 0; count < 6; count += 1) {
    const send = () => fetch(api.url + path, { method: 'POST' });
    const answers = await Promise.all(Array.from({ length: 50 }, send));
    for (const { status } of answers) statuses.add(status);
  }
  expect([...statuses]).toEqual([404]);
});

it('limits the notifications of one channel, and counts them by outcome', async () => {
  const worker = await stack.start('dsync-worker');
  const id = await connectedToGoogle();
  await untilActive(id);
  expect(await worker.stop()).toBe(0);
  const answers = await Promise.all(
    Array.from({ length: 1_000 }, () => google.channels.notify('update')),
  );
  const statuses = new Set(answers.flat());
  expect([...statuses].sort()).toEqual([202, 503]);
  const metrics = await api.metrics();
  const countOf = (outcome: string) =>
    Number(
      new RegExp(`^dsync_workspace_notifications_total{outcome="${outcome}"} (\\d+)$`, 'm').exec(
        metrics,
      )?.[1] ?? NaN,
    );
  expect(countOf('limited')).toBeGreaterThan(0);
  expect(countOf('changed') + countOf('pending')).toBeGreaterThan(0);
  expect(countOf('forged')).toBeGreaterThan(0);
  const next = await stack.start('dsync-worker');
  await untilRuns(id, 1);
  expect(await next.stop()).toBe(0);
});
