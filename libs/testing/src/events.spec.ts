import { checkEventsIn } from './events.js';
import { startWebhookReceiver } from './webhook-receiver.js';

const UUID = '01900000-0000-7000-8000-000000000000';
const ping = {
  event: 'webhook.ping',
  data: { endpoint_id: UUID },
  id: UUID,
  created_at: '2026-11-20T00:00:00.000Z',
};
const WRONG: [string, object][] = [
  ['an unknown type', { ...ping, event: 'webhook.pong' }],
  ['data that does not match its schema', { ...ping, data: {} }],
  ['a member that the catalog lacks', { ...ping, more: 1 }],
];

describe('the webhook receiver', () => {
  const post = async (body: unknown) => {
    const receiver = await startWebhookReceiver();
    await fetch(receiver.url, { method: 'POST', body: JSON.stringify(body) });
    return receiver;
  };

  it('takes an event, and a batch of them', async () => {
    for (const body of [ping, [ping, ping]]) {
      const receiver = await post(body);
      expect(await receiver.waitFor(1)).toHaveLength(1);
      await receiver.close();
    }
  });

  it.each(WRONG)('fails the test that receives %s, alone or in a batch', async (_what, wrong) => {
    for (const body of [wrong, [ping, wrong]]) {
      const receiver = await post(body);
      await expect(receiver.waitFor(1)).rejects.toThrow(/webhook\.p/);
      await expect(receiver.close()).rejects.toThrow(/webhook\.p/);
    }
  });
});

describe('the check of answers', () => {
  it('finds events wherever they are, without their state in the log', () => {
    const listed = { ...ping, state: 'delivered', attempts: [] };
    expect(() => checkEventsIn({ data: [listed], error: null })).not.toThrow();
    expect(() => checkEventsIn({ event: 'Gala', name: 'no event of a service' })).not.toThrow();
  });

  it.each(WRONG)('fails the test whose answer has %s', (_what, wrong) => {
    expect(() => checkEventsIn({ data: [ping, wrong], error: null })).toThrow(/webhook\.p/);
  });
});
