/** The delivery of key events to their endpoints, by a lane as the worker runs it. */
import { KeyRing } from '@gatehouse/crypto';
import { createDelivery, type Delivery, KEY_EVENTS, plainSystem } from '@gatehouse/delivery';
import { sqlOf } from '@gatehouse/nest-kit/database';
import { type DataSource } from 'typeorm';
import { createDataSource } from '../src/data-source.js';
import { deliverAll, describePlainDelivery, startWebhookReceiver } from '@gatehouse/testing';
import { ENCRYPTION_KEY, type KeyServiceStack, startKeyService } from './key-stack.js';
import { keyWebhooks } from './key-webhooks.js';

let service: KeyServiceStack;
let dataSource: DataSource;
let delivery: Delivery;

beforeAll(async () => {
  service = await startKeyService({ WEBHOOK_ALLOW_PRIVATE: 'true' });
  dataSource = await createDataSource(service.database.url).initialize();
  delivery = createDelivery({
    sql: sqlOf(dataSource),
    system: plainSystem(KEY_EVENTS.schema, KeyRing.fromTexts([ENCRYPTION_KEY])),
    outbound: { allowPrivate: true },
    settings: {
      retryScheduleSeconds: [5],
      timeoutSeconds: 2,
      turnSeconds: 20,
      eventAttempts: 2,
      batchSize: 0,
    },
    logger: { warn: () => undefined },
  });
});
afterAll(async () => {
  await delivery.close();
  await dataSource.destroy();
  await service.close();
});

const deliver = () => deliverAll(delivery, KEY_EVENTS.sourceId);

describePlainDelivery(() => keyWebhooks(service), deliver);

it('an exposed key is announced without its credential', async () => {
  const receiver = await startWebhookReceiver();
  const { key, secret } = await service.issue();
  const endpoint = { url: receiver.url, types: ['key.exposed'] };
  const { body } = await service.admin('POST', '/webhook-endpoints', endpoint);
  const requests = [{ credential: secret, url: `https://git.example.com/${secret}` }];
  await service.admin('POST', '/apiKeys:reportLeaks', { requests });
  await deliver();
  expect(receiver.received.map((each) => JSON.parse(each.body))).toMatchObject([
    { event: 'key.exposed', data: { key_id: key.key_id, url: 'https://git.example.com/…' } },
  ]);
  expect(receiver.received[0]?.body).not.toContain(secret);
  await service.admin('DELETE', `/webhook-endpoints/${body.id}`);
  await receiver.close();
});
