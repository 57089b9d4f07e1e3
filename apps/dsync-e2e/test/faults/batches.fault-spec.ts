/** Batches: calls of the batch endpoint at once, and the mode turned on and off while events wait. */
import { manage } from '../sync-stack.js';
import { type FaultStack, openFaultStack } from './fault-stack.js';

const DIRECTORIES = 5;
const USERS_EACH = 40;
const CALLS = 20;
/** Only calls of the endpoint deliver. */
const BATCHES = { DSYNC_WEBHOOK_BATCH_SIZE: '7', DSYNC_WEBHOOK_BATCH_CRON_INTERVAL: '1h' };

let faults: FaultStack;
beforeAll(async () => {
  faults = await openFaultStack();
});
afterAll(() => faults.close());

const processEvents = () => manage(faults.api, 'POST', '/cron/process-events?wait=30');

it('delivers each event once, with two workers and 20 calls of the endpoint at once', async () => {
  const directories = await faults.newDirectories(DIRECTORIES);
  const workers = await Promise.all([faults.worker(BATCHES), faults.worker(BATCHES)]);
  await Promise.all(directories.map((each) => each.provision(USERS_EACH)));
  const answers = await Promise.all(Array.from({ length: CALLS }, processEvents));
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  await faults.verify(directories);
  for (const worker of workers) expect(await worker.stop()).toBe(0);
});

it('loses and doubles nothing when batches are turned on and off while events wait', async () => {
  const directories = await faults.newDirectories(DIRECTORIES);
  for (const directory of directories) faults.respondTo(directory, () => ({ delayMs: 20 }));
  const before = faults.receiver.received.length;
  let worker = await faults.worker(BATCHES);
  for (const [round, settings] of [{}, BATCHES, {}, BATCHES, {}].entries()) {
    await Promise.all(directories.map((each) => each.provision(USERS_EACH)));
    const calls = processEvents();
    await faults.receiver.waitFor(before + 5 * (round + 1), 30_000);
    expect(await worker.stop()).toBe(0);
    worker = await faults.worker(settings);
    await calls;
  }
  await faults.verify(directories);
  const bodies = faults.receiver.received.slice(before).map(({ body }) => body);
  expect(bodies.some((body) => body.startsWith('['))).toBe(true);
  expect(bodies.some((body) => body.startsWith('{'))).toBe(true);
  expect(await worker.stop()).toBe(0);
});
