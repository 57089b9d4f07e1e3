import { startWebhookReceiver, type WebhookReceiver } from '@gatehouse/testing';
import { createDelivery, type Delivery } from '../src/delivery.js';
import { silentLogger } from '../src/management/result.js';
import { ENCRYPTION_KEYS, type TestDirectory, user } from './harness.js';
import { type Stand, useStand } from './stand.js';

type Settings = Parameters<typeof createDelivery>[0]['settings'];

/** A stand with a receiver of webhooks, a new one for each test. */
export interface LaneStand extends Omit<Stand, 'directory'> {
  receiver: WebhookReceiver;
  /** One worker; it ends with the test. */
  newDelivery(settings?: Partial<Settings>, allowPrivate?: boolean): Delivery;
  /** A directory that sends to the receiver, with so many events. */
  directoryWith(events: number, input?: object): Promise<TestDirectory>;
  /** The userNames of what the receiver got. */
  namesReceived(): string[];
  /** The states of a directory's events, oldest first. */
  statesOf(directory: TestDirectory): Promise<string[]>;
}

export function useLaneStand(): LaneStand {
  const deliveries: Delivery[] = [];
  const stand = Object.assign(useStand() as Stand & { receiver: WebhookReceiver }, {
    newDelivery: (settings: Partial<Settings> = {}, allowPrivate = true): Delivery => {
      const delivery = createDelivery({
        dataSource: stand.test.dataSource,
        encryptionKeys: ENCRYPTION_KEYS,
        outbound: { allowPrivate },
        settings: { retryScheduleSeconds: [0, 0], timeoutSeconds: 2, ...settings },
        logger: silentLogger,
      });
      deliveries.push(delivery);
      return delivery;
    },
    directoryWith: async (events: number, input: object = {}): Promise<TestDirectory> => {
      const directory = await stand.test.newDirectory({
        webhook_url: `${stand.receiver.url}/hook`,
        webhook_secret: 'a-secret-of-the-receiver',
        ...input,
      });
      for (let n = 0; n < events; n++) await directory.send('POST', '/Users', user(`user-${n}`));
      return directory;
    },
    namesReceived: () =>
      stand.receiver.received.map(({ body }) => JSON.parse(body).data.raw.userName as string),
    statesOf: async ({ id }: TestDirectory): Promise<string[]> => {
      const { data } = await stand.test.sync.events.getAll({ directoryId: id });
      return (data ?? []).map(({ state }) => state);
    },
  });

  beforeEach(async () => {
    stand.receiver = await startWebhookReceiver();
  });
  afterEach(async () => {
    await stand.receiver.close();
    await Promise.all(deliveries.splice(0).map((delivery) => delivery.close()));
  });
  return stand;
}
