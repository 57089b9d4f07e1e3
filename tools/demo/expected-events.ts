import assert from 'node:assert/strict';
import { type Receiver, type SyncEvent } from './receiver.js';
import { type Story } from './story.js';

type ExpectedEvent = [type: string, check: (event: SyncEvent) => void];

/** The next webhooks are these, in this order, and signed. */
export async function expectEvents(
  story: Story,
  receiver: Receiver,
  expected: ExpectedEvent[],
): Promise<void> {
  const title = `${expected.length} signed webhooks arrive, in the order of the changes`;
  await story.step(title, async (note) => {
    const webhooks = await receiver.next(expected.length);
    assert.deepEqual(
      webhooks.map(({ event }) => event.event),
      expected.map(([type]) => type),
    );
    let sequence = 0;
    for (const [index, { event, id }] of webhooks.entries()) {
      expected[index]?.[1](event);
      assert.equal(id, event.id);
      assert.ok(sequence < event.sequence, 'the sequence must increase');
      sequence = event.sequence;
      note(`${event.event.padEnd(18)} sequence ${event.sequence}, signature verified`);
    }
    assert.ok(webhooks[0]?.refusesChange);
    note('a copy with one letter changed: rejected by the library');
  });
}

/** The name of the group of an event of a membership. */
export function groupNameOf({ data }: SyncEvent): string {
  return (data['group'] as { name: string }).name;
}
