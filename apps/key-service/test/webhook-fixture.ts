/** A key service whose webhooks may go to a receiver on loopback, which is new for each test. */
import { verifyStandardWebhook } from '@gatehouse/crypto';
import { type Json, startWebhookReceiver, type WebhookReceiver } from '@gatehouse/testing';
import { type KeyServiceStack, startKeyService } from './key-stack.js';

export const HEADERS = {
  Authorization: 'Bearer the-token-of-the-receiver',
  'X-Team': 'checkout',
};

export interface WebhookFixture {
  service: KeyServiceStack;
  receiver: WebhookReceiver;
  /** Adds an endpoint for the receiver. */
  create(fields?: object): Promise<{
    answer: Awaited<ReturnType<KeyServiceStack['admin']>>;
    endpoint: Json;
    secret: string;
    path: string;
  }>;
  /** What the receiver got. */
  bodies(): Json[];
  isSignedBy(secret: string, index?: number): boolean;
}

export function useWebhooks(): WebhookFixture {
  const fixture = {} as WebhookFixture;
  beforeAll(async () => {
    fixture.service = await startKeyService({ WEBHOOK_ALLOW_PRIVATE: 'true' });
  });
  afterAll(() => fixture.service.close());
  beforeEach(async () => {
    fixture.receiver = await startWebhookReceiver();
  });
  afterEach(async () => {
    const { receiver, service } = fixture;
    await receiver.close();
    const { body } = await service.admin('GET', '/webhookEndpoints');
    for (const { endpoint_id: id } of body.webhook_endpoints) {
      await service.admin('DELETE', `/webhookEndpoints/${id}`);
    }
  });

  fixture.create = async (fields = {}) => {
    const { service, receiver } = fixture;
    const answer = await service.admin('POST', '/webhookEndpoints', {
      url: receiver.url,
      ...fields,
    });
    if (answer.status !== 201) throw new Error(answer.text);
    const { webhook_endpoint: endpoint, secret } = answer.body;
    return { answer, endpoint, secret, path: `/webhookEndpoints/${endpoint.endpoint_id}` };
  };
  fixture.bodies = () => fixture.receiver.received.map(({ body }) => JSON.parse(body));
  fixture.isSignedBy = (secret, index = 0) => {
    const { headers, body } = fixture.receiver.received[index] ?? { headers: {}, body: '' };
    return verifyStandardWebhook({ headers, body, secrets: [secret] });
  };
  return fixture;
}
