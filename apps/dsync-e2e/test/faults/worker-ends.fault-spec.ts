/** Workers that end in the middle of their work: by SIGKILL, and by SIGTERM. */
import { type FaultStack, openFaultStack, UNRECORDED_MAX } from './fault-stack.js';

const DIRECTORIES = 5;
/** With the updates, 1,000 events in all. */
const USERS_EACH = 167;

let faults: FaultStack;
beforeAll(async () => {
  faults = await openFaultStack();
});
afterAll(() => faults.close());

it('loses nothing when a worker is killed in the middle of 1,000 events', async () => {
  const directories = await faults.newDirectories(DIRECTORIES);
  for (const directory of directories) faults.respondTo(directory, () => ({ delayMs: 5 }));
  const victim = await faults.worker();
  const heir = await faults.worker();
  const load = Promise.all(directories.map((each) => each.provision(USERS_EACH)));
  await faults.receiver.waitFor(300, 30_000);
  await victim.kill();
  await load;
  await faults.verify(directories, { repeatsMax: DIRECTORIES * UNRECORDED_MAX });
  await heir.stop();
});

it('loses and repeats nothing when workers are replaced one after another', async () => {
  const directories = await faults.newDirectories(DIRECTORIES);
  for (const directory of directories) faults.respondTo(directory, () => ({ delayMs: 5 }));
  const before = faults.receiver.received.length;
  let worker = await faults.worker();
  const load = Promise.all(directories.map((each) => each.provision(USERS_EACH)));
  for (const arrived of [100, 300, 500, 700, 900]) {
    await faults.receiver.waitFor(before + arrived, 30_000);
    const [next, code] = await Promise.all([faults.worker(), worker.stop()]);
    expect(code).toBe(0);
    worker = next;
  }
  await load;
  await faults.verify(directories);
  await worker.stop();
});
