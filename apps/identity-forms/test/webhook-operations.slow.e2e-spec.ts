/** The endpoints of identity events, and the repetition of their deliveries, with a worker that runs. */
import { describeEventDeliveries, describeWebhookEndpoints } from '@gatehouse/testing';
import { type FormsClient } from './forms-client.js';
import { type FormsStack, openFormsStack } from './forms-stack.js';
import { identityWebhooks } from './identity-webhooks.js';

let stack: FormsStack;
let client: FormsClient;

beforeAll(async () => {
  stack = await openFormsStack();
  ({ client } = await stack.start());
  await client.schema('user', {
    properties: { email: { type: 'string' }, age: { type: 'integer' } },
  });
});
afterAll(() => stack.close());

const service = () => identityWebhooks(client, stack);
describeWebhookEndpoints(service);
describeEventDeliveries(service, () => stack.startWorker());

it('409 without ENCRYPTION_KEYS, but events are listed', async () => {
  const { client: other } = await stack.start({ ENCRYPTION_KEYS: '' });
  for (const [method, path] of [
    ['POST', ''],
    ['GET', ''],
    ['DELETE', '/x'],
  ] as const) {
    const json = method === 'POST' ? { url: 'https://example.com' } : undefined;
    const answer = await other.admin(method, `/v1/webhook-endpoints${path}`, json);
    expect([answer.status, answer.body.code]).toEqual([409, 'WEBHOOKS_NOT_CONFIGURED']);
  }
  expect((await other.admin('GET', '/v1/events')).status).toBe(200);
});
