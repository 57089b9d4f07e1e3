/** The primary of a Redis group is killed while identity providers send changes. */
import { queuePrefix } from '@gatehouse/kit/exchange';
import {
  eventually,
  type RedisGroup,
  startRedisCluster,
  startSentinelGroup,
} from '@gatehouse/testing';
import { type FaultStack, openFaultStack } from './fault-stack.js';
import { underLoad } from './under-load.js';

const FAILOVER_LIMIT_MS = 20_000;

let group: RedisGroup | undefined;
let faults: FaultStack | undefined;
afterEach(async () => {
  await faults?.close();
  await group?.remove();
  [faults, group] = [undefined, undefined];
});

it.each([
  ['Redis under Sentinel', startSentinelGroup],
  ['a Redis Cluster', startRedisCluster],
])('with %s, no event is lost and a worker stops when a primary dies', async (_kind, start) => {
  group = await start();
  const { url, settings, killPrimary } = group;
  faults = await openFaultStack({ settings: { REDIS_URL: url, ...settings } });
  const { receiver, stack, worker } = faults;
  await underLoad(faults, async (accepted) => {
    const leaving = await worker();
    await killPrimary(queuePrefix(stack.redis.namespace));
    expect(await leaving.stop()).toBe(0);
    // The sweep delivers meanwhile.
    await receiver.waitFor(receiver.received.length + 100, 60_000);
    const notWoken = () => stack.services.map(({ logs }) => logs().split('lane not woken').length);
    // Afterwards, jobs on the promoted server do.
    await eventually(
      async () => {
        const [before, unwoken] = [accepted(), notWoken()];
        await eventually(() => expect(accepted()).toBeGreaterThan(before + 100));
        expect(notWoken()).toEqual(unwoken);
      },
      { timeoutMs: FAILOVER_LIMIT_MS },
    );
    await eventually(
      async () => {
        for (const { url: address } of stack.services.slice(0, 3)) {
          expect((await fetch(`${address}/health/ready`)).status).toBe(200);
        }
      },
      { timeoutMs: FAILOVER_LIMIT_MS },
    );
    for (const { logs } of stack.services) {
      expect(logs()).not.toMatch(/CROSSSLOT/);
    }
  });
});
