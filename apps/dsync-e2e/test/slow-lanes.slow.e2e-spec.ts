/** The places of slow endpoints: one slow answer does not send a healthy endpoint there. */
import { eventually } from '@gatehouse/testing';
import { type FaultStack, openFaultStack } from './faults/fault-stack.js';

/** Much longer than three deliveries take on a busy machine. */
const SLOW_MS = 20_000;
/** Longer than a run may take without being taken for a slow one. */
const HICCUP_MS = 400;

let faults: FaultStack;
beforeAll(async () => {
  const settings = { DSYNC_SLOW_LANES_MAX: '1', DSYNC_WEBHOOK_TIMEOUT: '40' };
  faults = await openFaultStack({ settings });
});
afterAll(() => faults.close());

it('an endpoint that was slow once does not wait for the endpoints that always are', async () => {
  const [slow, healthy] = [await faults.newDirectory(), await faults.newDirectory()];
  let isSlowAsked = false;
  faults.respondTo(slow, () => {
    isSlowAsked = true;
    return { delayMs: SLOW_MS };
  });
  const worker = await faults.worker();
  await slow.provision(1);
  await eventually(() => expect(isSlowAsked).toBe(true));

  let arrived = 0;
  faults.respondTo(healthy, () => ({ delayMs: arrived++ === 0 ? HICCUP_MS : 0 }));
  const startedAt = performance.now();
  for (let time = 0; time < 3; time += 1) {
    await healthy.provision(1);
    await faults.untilDelivered([healthy]);
  }
  expect(performance.now() - startedAt).toBeLessThan(SLOW_MS / 2);

  faults.respondTo(slow, undefined);
  await faults.verify([slow, healthy]);
  expect(await worker.stop()).toBe(0);
});
