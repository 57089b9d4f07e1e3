/** Redis and PostgreSQL end and come back while identity providers send changes. */
import { setTimeout as sleep } from 'node:timers/promises';
import { orClose } from '@gatehouse/testing';
import { type FaultStack, openFaultStack } from './fault-stack.js';
import { ownPostgres, ownRedis, type OwnStore } from './own-stores.js';

const DIRECTORIES = 4;
const OUTAGE_MS = 20_000;
/** What a worker has delivered and not recorded at most, for each directory. */
const UNRECORDED_MAX = 51;

let store: OwnStore | undefined;
let faults: FaultStack | undefined;
afterEach(async () => {
  await faults?.close();
  await store?.remove();
  [faults, store] = [undefined, undefined];
});

/**
 * Two workers, and identity providers that send changes until the work is over. The comparison must
 * find no fault afterwards.
 *
 * @param work gets a function that counts the changes accepted so far
 */
async function underLoad(
  { newDirectories, worker, receiver, verify }: FaultStack,
  work: (accepted: () => number) => Promise<void>,
): Promise<void> {
  const directories = await newDirectories(DIRECTORIES);
  const workers = [await worker(), await worker()];
  let isOver = false;
  const load = Promise.all(directories.map((each) => each.provision(Infinity, () => isOver)));
  const end = () => {
    isOver = true;
    return load;
  };
  await orClose(end, async () => {
    await receiver.waitFor(50, 30_000);
    await work(() => directories.flatMap(({ changes }) => changes).length);
  });
  await end();
  await verify(directories, { repeatsMax: DIRECTORIES * UNRECORDED_MAX });
  for (const each of workers) expect(await each.stop()).toBe(0);
}

it('accepts changes while Redis is away, and delivers all of them once it is back, empty', async () => {
  const redis = (store = await ownRedis());
  faults = await openFaultStack({ settings: { REDIS_URL: redis.url } });
  await underLoad(faults, async (accepted) => {
    await redis.crash();
    const before = accepted();
    await sleep(OUTAGE_MS);
    // Faster than a change that waits for Redis to time out.
    expect(accepted() - before).toBeGreaterThan(OUTAGE_MS / 100);
    await redis.restartEmpty();
  });
});

it('loses and doubles nothing when PostgreSQL crashes and restarts', async () => {
  const postgres = (store = await ownPostgres());
  faults = await openFaultStack({ databaseServerUrl: postgres.url });
  const { receiver } = faults;
  await underLoad(faults, async () => {
    for (let time = 0; time < 3; time += 1) {
      await postgres.crash();
      await postgres.restart();
      await receiver.waitFor(receiver.received.length + 50, 30_000);
    }
  });
});
