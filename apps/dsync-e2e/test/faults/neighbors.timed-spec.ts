/** Many slow directories beside a healthy one. */
import { eventually } from '@gatehouse/testing';
import { type FaultDirectory, type FaultStack, openFaultStack } from './fault-stack.js';

const SLOW = 1_000;
/** Slow, and still in time. They differ, so that the answers do not arrive together. */
const ANSWER_MS = { min: 5_000, max: 12_000 };
/** Identity providers at once. */
const PROVIDERS = 10;
const CHANGES = 150;
const P99_MS_MAX = 2_000;
/** For machines that are so busy that the API, which waits for no webhook, is slow too. */
const REQUEST_MULTIPLE = 8;
const LIMIT_MS = 300_000;

let faults: FaultStack;
beforeAll(async () => {
  const settings = { DSYNC_WEBHOOK_TIMEOUT: '20', DSYNC_SWEEP_INTERVAL: '5' };
  faults = await openFaultStack({ settings });
});
afterAll(() => faults.close());

const p99Of = (times: number[]) =>
  times.sort((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? Infinity;

/** 99th percentiles, in milliseconds: of requests, and from an accepted change to its arrival. */
async function measure(directory: FaultDirectory): Promise<{ request: number; delay: number }> {
  const arrivedAt: number[] = [];
  faults.respondTo(directory, ({ receivedAtMs }) => {
    arrivedAt.push(receivedAtMs);
    return {};
  });
  const requests: number[] = [];
  const delays: number[] = [];
  while (delays.length < CHANGES) {
    const startedAt = Date.now();
    await directory.provision(1);
    const changedAt = Date.now();
    requests.push(changedAt - startedAt);
    await eventually(() => expect(arrivedAt.length).toBe(directory.changes.length), {
      timeoutMs: 30_000,
      intervalMs: 5,
    });
    delays.push(...arrivedAt.slice(delays.length).map((at) => at - changedAt));
  }
  return { request: p99Of(requests), delay: p99Of(delays) };
}

it(
  '1,000 slow directories do not delay a healthy one by more than 2 s',
  async () => {
    const healthy = await faults.newDirectory();
    const slow = await faults.newDirectories(SLOW);
    for (const [index, directory] of slow.entries()) {
      const delayMs = ANSWER_MS.min + ((ANSWER_MS.max - ANSWER_MS.min) * index) / SLOW;
      faults.respondTo(directory, () => ({ delayMs }));
    }
    for (let start = 0; start < SLOW; start += PROVIDERS) {
      const part = slow.slice(start, start + PROVIDERS);
      await Promise.all(part.map((directory) => directory.provision(1)));
    }
    const worker = await faults.worker();
    await faults.receiver.waitFor(SLOW, 60_000);
    const { request, delay } = await measure(healthy);
    expect(delay).toBeLessThan(Math.max(P99_MS_MAX, REQUEST_MULTIPLE * request));
    // Otherwise, nothing has been measured.
    const waiting = /^dsync_lanes_waiting{.*} (\d+)$/m.exec(await worker.metrics())?.[1];
    expect(Number(waiting)).toBeGreaterThan(SLOW / 10);

    for (const directory of slow) faults.respondTo(directory, undefined);
    await faults.verify([healthy, ...slow]);
    expect(await worker.stop()).toBe(0);
  },
  LIMIT_MS,
);
