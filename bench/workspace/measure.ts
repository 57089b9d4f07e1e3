/** Pulls a fake Google Workspace through a worker, and measures time, memory and events of each run. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type FakeGoogle, startFakeGoogle } from '@gatehouse/testing';
import { once, service } from '../runner/define.js';
import { type BenchContext, type MeasureTools } from '../runner/types.js';
import { API_KEY, DSYNC_ENV } from '../directory.js';

const POLL_MS = 100;
const COLLECT_MS = 2_000;
const LIVE_MS_MAX = 10_000;
const RUN_MS_MAX = 600_000;
const UNDERWAY = new Set(['queued', 'listing', 'applying']);
/** As in deploy/kubernetes. */
const HEAP = '--max-old-space-size=358 --max-semi-space-size=16';
const NO_LOAD = () => ({ requests: [], check: () => undefined });

interface MeasuredRun {
  seconds: number;
  /**
   * The most memory of the worker, above that of an idle one: resident, with garbage that V8 has not
   * collected yet, or live, after a collection every few seconds.
   */
  memoryMb: number;
  events: number;
}

interface Run {
  id: string;
  state: string;
  error: string | null;
  duration_seconds: number;
}

interface Runs {
  /** The run of 10,000 users; live memory. */
  smallFirst: MeasuredRun;
  unchanged: MeasuredRun;
  first: MeasuredRun;
  /** Live memory. */
  oneChange: MeasuredRun;
}

let tools: MeasureTools;
const measured = once((context) => measureRuns(context, tools));

export function runs(context: BenchContext, given: MeasureTools): Promise<Runs> {
  tools = given;
  return measured(context);
}

async function measureRuns(
  context: BenchContext,
  { startServer, rssBytes }: MeasureTools,
): Promise<Runs> {
  const google = await startFakeGoogle({ users: 10_000, groups: 500, membersPerGroup: 100 });
  const DATABASE_URL = await context.databaseUrl('workspace');
  await context.migrate('dsync-api', DATABASE_URL);
  const env = () => ({
    ...DSYNC_ENV,
    ...google.settings,
    DATABASE_URL,
    WEBHOOK_ALLOW_PRIVATE: 'true',
    WORKSPACE_REQUESTS_PER_SECOND: '1000',
    WORKSPACE_SYNC_CRON: 'never',
  });
  const api = await startServer(service('dsync-api', { env, prepare: NO_LOAD }));
  const liveFile = join(context.root, '.local', 'bench', 'live-memory');
  const preload = join(context.root, 'dist', 'bench', 'workspace', 'live-memory.js');
  const NODE_OPTIONS = `${HEAP} --expose-gc --import ${preload}`;
  const workerEnv = () => ({ ...env(), NODE_OPTIONS, LIVE_MEMORY_FILE: liveFile });
  const worker = await startServer(service('dsync-worker', { env: workerEnv, prepare: NO_LOAD }));
  const memories = {
    resident: () => Promise.resolve(rssBytes(worker.pid)),
    live: () => liveBytes(worker.pid, liveFile),
  };
  const idles = { resident: await memories.resident(), live: await memories.live() };
  const measure = async (id: string, memory: keyof typeof memories): Promise<MeasuredRun> => {
    const idle = idles[memory];
    const everyMs = memory === 'live' ? COLLECT_MS : POLL_MS;
    const eventsBefore = await eventsOf(api.url, id);
    const { id: run } = await manage<Run>(api.url, 'POST', `/${id}/sync`);
    let peak = idle;
    for (let passed = 0; passed < RUN_MS_MAX; passed += POLL_MS) {
      await delay(POLL_MS);
      if (passed % everyMs === 0) peak = Math.max(peak, await memories[memory]());
      const found = await manage<Run>(api.url, 'GET', `/${id}/runs/${run}`);
      if (UNDERWAY.has(found.state)) continue;
      assert.deepEqual([found.state, found.error], ['succeeded', null]);
      const events = (await eventsOf(api.url, id)) - eventsBefore;
      return { seconds: found.duration_seconds, memoryMb: (peak - idle) / 1_000_000, events };
    }
    throw new Error('the run took too long');
  };
  try {
    const small = await connected(api.url, google);
    const smallFirst = await measure(small, 'live');
    const unchanged = await measure(small, 'resident');
    google.people.users.count = 50_000;
    google.people.groups.count = 0;
    const large = await connected(api.url, google);
    const first = await measure(large, 'resident');
    google.people.users.change(777, { title: 'Manager' });
    return { smallFirst, unchanged, first, oneChange: await measure(large, 'live') };
  } finally {
    await worker.stop();
    await api.stop();
    await google.close();
  }
}

/** The memory of a process that is in use after a collection of garbage. */
async function liveBytes(pid: number, file: string): Promise<number> {
  rmSync(file, { force: true });
  process.kill(pid, 'SIGUSR2');
  for (let passed = 0; passed < LIVE_MS_MAX; passed += POLL_MS) {
    await delay(POLL_MS);
    if (existsSync(file)) return Number(readFileSync(file, 'utf8'));
  }
  throw new Error('the worker did not say what memory it uses');
}

async function connected(url: string, google: FakeGoogle): Promise<string> {
  const directory = { tenant: 'bench', product: `of-${Date.now()}`, type: 'workspace' };
  const { id } = await manage<Pick<Run, 'id'>>(url, 'POST', '', directory);
  const path = `/${id}/workspace/authorization-url`;
  const { authorizationUrl } = await manage<{ authorizationUrl: string }>(url, 'GET', path);
  const { pathname, search } = new URL(await google.consent(authorizationUrl));
  assert.equal((await fetch(url + pathname + search)).status, 200);
  return id;
}

/** The number of events of a directory, of pages of 1,000. */
async function eventsOf(url: string, id: string): Promise<number> {
  let count = 0;
  let after = '';
  for (;;) {
    const path = `/events?directoryId=${id}&limit=1000&after=${after}`;
    const page = await manage<{ id: string }[]>(url, 'GET', path);
    const last = page.at(-1);
    if (!last) return count;
    count += page.length;
    after = last.id;
  }
}

async function manage<Data>(
  url: string,
  method: string,
  path: string,
  body?: object,
): Promise<Data> {
  const response = await fetch(`${url}/api/v1/dsync${path}`, {
    method,
    headers: {
      authorization: `Api-Key ${API_KEY}`,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  assert.ok(response.ok, `${method} ${path}: ${response.status}`);
  return ((await response.json()) as { data: Data }).data;
}
