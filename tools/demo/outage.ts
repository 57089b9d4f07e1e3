import assert from 'node:assert/strict';
import { eventually } from '@gatehouse/testing';
import { type Receiver } from './receiver.js';
import { type Story } from './story.js';

/** An outage of one webhook endpoint, and the events during it. */
export interface Outage {
  receiver: Receiver;
  /** Name of the changes. */
  what: string;
  /** Causes an event of each type, in this order. */
  types: readonly string[];
  change: () => Promise<void>;
  state: () => Promise<string>;
  /** Tries at once instead of after the pause of the schedule. */
  resume: () => Promise<unknown>;
  /** Sends the events again that were logged at or after a time. */
  replay: (fromTime: string) => Promise<unknown>;
}

/** The receiver fails and comes back; then it asks for what it has received already. */
export async function showOutage(story: Story, outage: Outage): Promise<void> {
  const { receiver, what, types, change, state, resume, replay } = outage;
  const startedAt = new Date().toISOString();

  await story.step(`The receiver is down; ${what} all the same`, async (note) => {
    receiver.isDown = true;
    await change();
    await eventually(async () => assert.equal(await state(), 'failing'), { timeoutMs: 15_000 });
    note('the endpoint is failing: it is tried again after 5 s, 30 s, 2 min …; its events wait');
  });

  const arrived = await story.step('It is back: every event arrives, in order', async (note) => {
    receiver.isDown = false;
    await resume();
    const webhooks = await receiver.next(types.length);
    assert.deepEqual(
      webhooks.map(({ event }) => event.event),
      types,
    );
    await eventually(async () => assert.equal(await state(), 'healthy'), { timeoutMs: 15_000 });
    note(types.join(', '));
    return webhooks.map(({ event }) => event.id);
  });

  await story.step('It asks for a replay, and gets the same events again', async (note) => {
    await replay(startedAt);
    const webhooks = await receiver.next(types.length);
    assert.deepEqual(
      webhooks.map(({ event }) => event.id),
      arrived,
    );
    note('in order, with the same ids: a receiver that stores the ids notices the repetition');
  });
}
