/** The clocks of the processes are wrong, and step, while that of PostgreSQL is right. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually, ProcessClock } from '@gatehouse/testing';
import { type FaultDirectory, type FaultStack, openFaultStack } from './fault-stack.js';

const DAY = 86_400;
/** Receivers accept signatures that are five minutes off; those of a worker have its time. */
const WORKER_SECONDS = 240;
const DIRECTORIES = 4;
/** Webhooks that arrive between two steps. */
const ARRIVALS = 60;

let folder: string;
let apiClock: ProcessClock;
let faults: FaultStack;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-clocks-'));
  apiClock = new ProcessClock(folder, 'api', 0);
  faults = await openFaultStack({ settings: apiClock.settings });
});
afterAll(async () => {
  await faults.close();
  rmSync(folder, { recursive: true, force: true });
});

it('delivers everything once and in order while clocks are apart and step', async () => {
  const clocks = [WORKER_SECONDS, -WORKER_SECONDS].map(
    (seconds, n) => new ProcessClock(folder, `worker-${n}`, seconds),
  );
  const workers = await Promise.all(clocks.map(({ settings }) => faults.worker(settings)));
  const directories = await faults.newDirectories(DIRECTORIES);
  let isOver = false;
  const load = Promise.all(directories.map((each) => each.provision(Infinity, () => isOver)));
  const more = () => faults.receiver.waitFor(faults.receiver.received.length + ARRIVALS, 30_000);
  try {
    for (const sign of [1, -1, 1, -1]) {
      await more();
      apiClock.step(sign * DAY);
      await eventually(async () => {
        const { headers } = await faults.api.http.send('GET', '/health/alive');
        const seconds = (Date.parse(headers.get('date') ?? '') - Date.now()) / 1_000;
        expect(Math.abs(seconds - sign * DAY)).toBeLessThan(60);
      });
      for (const [n, clock] of clocks.entries()) {
        clock.step((n === 0 ? -sign : sign) * WORKER_SECONDS);
      }
    }
    await more();
  } finally {
    isOver = true;
    await load;
  }
  await faults.verify(directories);
  for (const worker of workers) expect(await worker.stop()).toBe(0);
});

it('tries a failing endpoint again in time when the clock of the worker is set back', async () => {
  const clock = new ProcessClock(folder, 'worker', 0);
  const worker = await faults.worker(clock.settings);
  const directory: FaultDirectory = await faults.newDirectory();
  faults.respondTo(directory, () => ({ status: 500 }));
  await directory.provision(1);
  await eventually(async () => expect((await faults.webhookOf(directory)).state).toBe('failing'));
  clock.step(-DAY);
  faults.respondTo(directory, undefined);
  await faults.untilDelivered([directory], 15_000);
  expect((await faults.webhookOf(directory)).state).toBe('healthy');
  expect(await worker.stop()).toBe(0);
});
