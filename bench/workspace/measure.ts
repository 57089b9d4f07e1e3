/** Pulls a fake Google Workspace through a worker, and measures time, memory and events of each run. */
import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { type FakeGoogle, startFakeGoogle } from '@gatehouse/testing';
import { once, service } from '../../tools/bench/define.js';
import { type BenchContext, type MeasureTools } from '../../tools/bench/types.js';
import { API_KEY, DSYNC_ENV } from '../directory.js';

const POLL_MS = 100;
const RUN_MS_MAX = 600_000;
const UNDERWAY = new Set(['queued', 'listing', 'applying']);
const NO_LOAD = () => ({ requests: [], check: () => undefined });

interface MeasuredRun {
  seconds: number;
  /** The most resident memory of the worker, above that of an idle one. */
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
  unchanged: MeasuredRun;
  first: MeasuredRun;
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
    ...{ ...DSYNC_ENV, ...google.settings, DATABASE_URL, WEBHOOK_ALLOW_PRIVATE: 'true' },
    ...{ WORKSPACE_REQUESTS_PER_SECOND: '1000', WORKSPACE_SYNC_CRON: 'never' },
  });
  const api = await startServer(service('dsync-api', { env, prepare: NO_LOAD }));
  const worker = await startServer(service('dsync-worker', { env, prepare: NO_LOAD }));
  const idle = rssBytes(worker.pid);
  const measure = async (id: string): Promise<MeasuredRun> => {
    const eventsBefore = await eventsOf(api.url, id);
    const { id: run } = await manage<Run>(api.url, 'POST', `/${id}/sync`);
    let peak = idle;
    for (let passed = 0; passed < RUN_MS_MAX; passed += POLL_MS) {
      await delay(POLL_MS);
      peak = Math.max(peak, rssBytes(worker.pid));
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
    await measure(small);
    const unchanged = await measure(small);
    google.people.users.count = 50_000;
    google.people.groups.count = 0;
    const large = await connected(api.url, google);
    const first = await measure(large);
    google.people.users.change(777, { title: 'Manager' });
    return { unchanged, first, oneChange: await measure(large) };
  } finally {
    await worker.stop();
    await api.stop();
    await google.close();
  }
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
