/** What became of the deliveries of key events, and their repetition, with a worker that runs. */
import { describeEventDeliveries } from '@gatehouse/testing';
import { type KeyServiceStack, startKeyService } from './key-stack.js';
import { keyWebhooks } from './key-webhooks.js';

let service: KeyServiceStack;
beforeAll(async () => {
  service = await startKeyService({ WEBHOOK_ALLOW_PRIVATE: 'true' });
});
afterAll(() => service.close());

describeEventDeliveries(
  () => keyWebhooks(service),
  () => service.startWorker(),
);
