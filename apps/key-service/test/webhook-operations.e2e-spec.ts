/** Delivery status and replay of key events, with a running worker. */
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
