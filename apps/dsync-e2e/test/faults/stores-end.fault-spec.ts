/** Redis and PostgreSQL end and come back while identity providers send changes. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type FaultStack, openFaultStack } from './fault-stack.js';
import { ownPostgres, ownRedis, type OwnStore } from './own-stores.js';
import { underLoad } from './under-load.js';

const OUTAGE_MS = 20_000;

let store: OwnStore | undefined;
let faults: FaultStack | undefined;
afterEach(async () => {
  await faults?.close();
  await store?.remove();
  [faults, store] = [undefined, undefined];
});

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
