import { type EndpointKey } from '@gatehouse/delivery';
import { startWebhookReceiver, type WebhookReceiver } from '@gatehouse/testing';
import { createDelivery, type Delivery } from '../src/delivery/create-delivery.js';
import { webhookOf } from '../src/directories/directory-webhook.js';
import { silentLogger } from '../src/sync-logger.js';
import { ENCRYPTION_KEYS, type TestDirectory, user } from './harness.js';
import { type Fixture, useFixture } from './fixture.js';

type Settings = Parameters<typeof createDelivery>[0]['settings'];

const SETTINGS: Settings = {
  retryScheduleSeconds: [0, 0],
  timeoutSeconds: 2,
  turnSeconds: 20,
  eventAttempts: 3,
  batchSize: 0,
};

/** A worker whose lanes are named by their endpoint, or by the directory whose webhook it is. */
export interface TestDelivery extends Omit<Delivery, 'runLane'> {
  runLane(endpoint: string | EndpointKey, signal?: AbortSignal): ReturnType<Delivery['runLane']>;
}

/** A fixture with a webhook receiver, new for each test. */
export interface LaneFixture extends Omit<Fixture, 'directory'> {
  receiver: WebhookReceiver;
  /** A worker, closed at the end of the test. */
  newDelivery(settings?: Partial<Settings>, allowPrivate?: boolean): TestDelivery;
  /** A directory that sends to the receiver, with the given number of events. */
  directoryWith(events: number, input?: object): Promise<TestDirectory>;
  /** The userNames in the received events. */
  namesReceived(): string[];
  /** The states of a directory's events, oldest first. */
  statesOf(directory: TestDirectory): Promise<string[]>;
}

export function useLaneFixture(): LaneFixture {
  const deliveries: Delivery[] = [];
  const fixture = Object.assign(useFixture() as Fixture & { receiver: WebhookReceiver }, {
    newDelivery: (settings: Partial<Settings> = {}, allowPrivate = true): TestDelivery => {
      const delivery = createDelivery({
        dataSource: fixture.test.dataSource,
        encryptionKeys: ENCRYPTION_KEYS,
        outbound: { allowPrivate },
        settings: { ...SETTINGS, ...settings },
        logger: silentLogger,
      });
      deliveries.push(delivery);
      return {
        ...delivery,
        runLane: (endpoint, signal) =>
          delivery.runLane(typeof endpoint === 'string' ? webhookOf(endpoint) : endpoint, signal),
      };
    },
    directoryWith: async (events: number, input: object = {}): Promise<TestDirectory> => {
      const directory = await fixture.test.newDirectory({
        webhook_url: `${fixture.receiver.url}/hook`,
        webhook_secret: 'a-secret-of-the-receiver',
        ...input,
      });
      for (let n = 0; n < events; n++) await directory.send('POST', '/Users', user(`user-${n}`));
      return directory;
    },
    namesReceived: () =>
      fixture.receiver.received.map(({ body }) => JSON.parse(body).data.raw.userName as string),
    statesOf: async ({ id }: TestDirectory): Promise<string[]> => {
      const { data } = await fixture.test.sync.events.getAll({ directoryId: id });
      return (data ?? []).map(({ state }) => state);
    },
  });

  beforeEach(async () => {
    fixture.receiver = await startWebhookReceiver();
  });
  afterEach(async () => {
    await fixture.receiver.close();
    await Promise.all(deliveries.splice(0).map((delivery) => delivery.close()));
  });
  return fixture;
}
