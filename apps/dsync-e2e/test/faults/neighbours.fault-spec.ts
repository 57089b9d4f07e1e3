/** Many slow directories beside a healthy one. */
import { eventually } from '@gatehouse/testing';
import { type FaultDirectory, type FaultStack, openFaultStack } from './fault-stack.js';

const SLOW = 1_000;
/** Slow, and still in time. They differ, so that the answers do not arrive together. */
const ANSWER_MS = { min: 5_000, max: 12_000 };
/** Identity providers at once. */
const PROVIDERS = 10;
const LIMIT_MS = 300_000;
const P99_MS_MAX = 2_000;
/** For machines on which 2 s is little even without slow directories. */
const QUIET_MULTIPLE = 8;

let faults: FaultStack;
beforeAll(async () => {
  faults = await openFaultStack({ settings: { DSYNC_WEBHOOK_TIMEOUT: '20' } });
});
afterAll(() => faults.close());

/** The 99th percentile of the time from an accepted change to its arrival, in milliseconds. */
async function p99Of(directory: FaultDirectory, changes: number): Promise<number> {
  const arrivedAt: number[] = [];
  faults.respondTo(directory, ({ receivedAtMs }) => {
    arrivedAt.push(receivedAtMs);
    return {};
  });
  const known = directory.changes.length;
  const delays: number[] = [];
  while (delays.length < changes) {
    await directory.provision(1);
    const changedAt = Date.now();
    await eventually(() => expect(arrivedAt.length).toBe(directory.changes.length - known), {
      timeoutMs: 30_000,
      intervalMs: 5,
    });
    delays.push(...arrivedAt.slice(delays.length).map((at) => at - changedAt));
  }
  return delays.sort((a, b) => a - b)[Math.floor(delays.length * 0.99)] ?? Infinity;
}

it(
  '1,000 slow directories do not delay a healthy one by more than 2 s',
  async () => {
    const healthy = await faults.newDirectory();
    let worker = await faults.worker();
    const quietP99 = await p99Of(healthy, 50);
    expect(await worker.stop()).toBe(0);

    const slow = await faults.newDirectories(SLOW);
    for (const [index, directory] of slow.entries()) {
      const delayMs = ANSWER_MS.min + ((ANSWER_MS.max - ANSWER_MS.min) * index) / SLOW;
      faults.respondTo(directory, () => ({ delayMs }));
    }
    for (let start = 0; start < SLOW; start += PROVIDERS) {
      const part = slow.slice(start, start + PROVIDERS);
      await Promise.all(part.map((directory) => directory.provision(1)));
    }
    const before = faults.receiver.received.length;
    worker = await faults.worker();
    await faults.receiver.waitFor(before + SLOW, 60_000);
    const p99 = await p99Of(healthy, 150);
    expect(p99).toBeLessThan(Math.max(P99_MS_MAX, QUIET_MULTIPLE * quietP99));
    // Otherwise, nothing has been measured.
    const waiting = /^dsync_lanes_waiting{.*} (\d+)$/m.exec(await worker.metrics())?.[1];
    expect(Number(waiting)).toBeGreaterThan(SLOW / 10);

    for (const directory of slow) faults.respondTo(directory, undefined);
    await faults.verify([healthy, ...slow]);
    expect(await worker.stop()).toBe(0);
  },
  LIMIT_MS,
);
