/** Drives a system with one event a request, and follows each to its webhook. */
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Agent, request } from 'undici';
import {
  type BenchContext,
  type Round,
  type RunningSide,
  type SideSettings,
} from '../runner/types.js';
import { userBody } from '../scim/works.js';
import { nowMs } from './clock.js';
import { type Arrival } from './receiver.js';
import { type Settings, type System, type Target } from './sides.js';
import { openMeter, type Usage, usedByEach } from './usage.js';

export type Pace = { atOnce: number } | { perSecond: number };

interface Plan {
  system: (context: BenchContext, settings: Settings) => Promise<System>;
  directories: number;
  pace: Pace;
  /** Whether `CPU µs` leaves out the stores. */
  isOursOnly?: boolean;
}

interface Sent {
  lane: number;
  sentMs: number;
  answeredMs: number;
}

const RECEIVER = fileURLToPath(new URL('receiver.js', import.meta.url));
/** Directories that are created at once. */
const CREATED_TOGETHER = 25;
/** After the last webhook, for its attempt to be recorded. */
const REST_MS = 1_000;

export async function startSide(
  { system: start, directories, pace, isOursOnly = false }: Plan,
  context: BenchContext,
  settings: SideSettings,
): Promise<RunningSide> {
  const receiver = fork(RECEIVER);
  const answer = async <T>() => ((await once(receiver, 'message')) as [T])[0];
  const port = await answer<number>();
  const system = await start(context, settings);
  const meter = await openMeter(system, context);
  const dispatcher = new Agent();
  const targets: Target[] = [];
  while (targets.length < directories) {
    const added = Array.from({ length: CREATED_TOGETHER }, (_, index) =>
      system.add(`http://127.0.0.1:${port}/${targets.length + index}`),
    );
    targets.push(...(await Promise.all(added)));
  }
  let next = 0;
  const post = async (sent: Map<number, Sent>) => {
    const n = next++;
    const lane = n % targets.length;
    const { url, headers } = targets[lane]!;
    const body = JSON.stringify(userBody(`u${n}@bench.example`));
    const sentMs = nowMs();
    // Before the answer, which the webhook may overtake.
    sent.set(n, { lane, sentMs, answeredMs: Infinity });
    const response = await request(url, { method: 'POST', headers, body, dispatcher });
    await response.body.dump();
    assert.equal(response.statusCode, 201);
    sent.set(n, { lane, sentMs, answeredMs: nowMs() });
  };
  const arrivals = (count: number) => {
    receiver.send(count);
    return answer<Arrival[]>();
  };
  const drive = async (seconds: number) => {
    const sent = new Map<number, Sent>();
    await keepPace(pace, seconds, () => post(sent));
    return { sent, arrived: await arrivals(sent.size) };
  };
  const signal = (name: NodeJS.Signals) =>
    Object.values(system.pids).forEach((pid) => process.kill(pid, name));

  // The other side of the row stands still meanwhile, so that the stores work for this one alone.
  signal('SIGSTOP');
  return {
    run: async (seconds) => {
      signal('SIGCONT');
      const early = await drive(settings.options.warmupSeconds);
      checkArrivals(early.sent, early.arrived);
      const before = await meter.read();
      const { sent, arrived } = await drive(seconds);
      const after = await meter.read();
      const counted = isOursOnly ? Object.keys(system.pids) : meter.processes;
      const round = roundOf(sent, arrived, { before, after, counted });
      checkArrivals(sent, arrived);
      await delay(REST_MS);
      signal('SIGSTOP');
      return round;
    },
    check: async () => assert.deepEqual(await arrivals(0), [], 'webhooks that arrived twice'),
    stop: async () => {
      signal('SIGCONT');
      await Promise.all([system.stop(), dispatcher.close(), meter.close()]);
      receiver.disconnect();
    },
  };
}

async function keepPace(pace: Pace, seconds: number, post: () => Promise<void>): Promise<void> {
  const start = nowMs();
  const end = start + seconds * 1_000;
  if ('atOnce' in pace) {
    const postInTurn = async () => {
      while (nowMs() < end) await post();
    };
    await Promise.all(Array.from({ length: pace.atOnce }, postInTurn));
    return;
  }
  const posts: Promise<void>[] = [];
  for (let at = start; at < end; at = start + (posts.length * 1_000) / pace.perSecond) {
    await delay(Math.max(0, at - nowMs()));
    const posted = post();
    posted.catch(() => undefined);
    posts.push(posted);
  }
  await Promise.all(posts);
}

/** Each event arrived once, and none after one of its lane that was sent when it had been answered. */
function checkArrivals(sent: Map<number, Sent>, arrived: readonly Arrival[]): void {
  const left = new Map(sent);
  const latestSent = new Map<number, number>();
  for (const { n, lane } of arrived) {
    const event = left.get(n);
    assert.equal(event?.lane, lane, `event ${n} arrived twice or at the wrong endpoint`);
    left.delete(n);
    const latest = latestSent.get(lane) ?? 0;
    assert.ok(event.answeredMs >= latest, `event ${n} arrived after a later one`);
    latestSent.set(lane, Math.max(latest, event.sentMs));
  }
  assert.equal(left.size, 0, `${left.size} of ${sent.size} events did not arrive`);
}

function roundOf(
  sent: Map<number, Sent>,
  arrived: readonly Arrival[],
  { before, after, counted }: { before: Usage; after: Usage; counted: readonly string[] },
): Round {
  const times = arrived.map(({ n, atMs }) => atMs - (sent.get(n)?.sentMs ?? NaN));
  times.sort((a, b) => a - b);
  const part = (share: number) => times[Math.ceil(times.length * share) - 1] ?? NaN;
  const first = Math.min(...[...sent.values()].map(({ sentMs }) => sentMs));
  const last = Math.max(...arrived.map(({ atMs }) => atMs));
  const each = usedByEach(before, after, arrived.length);
  return {
    ratePerSecond: (arrived.length * 1_000) / (last - first),
    p50Ms: part(0.5),
    p99Ms: part(0.99),
    cpuMicrosPerUnit: counted.reduce((sum, name) => sum + (each[name] ?? NaN), 0),
    each,
  };
}
