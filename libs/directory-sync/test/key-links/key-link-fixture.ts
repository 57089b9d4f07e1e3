/** Linked directories, and a stand-in for the key service that takes what a worker sends. */
import { KEY_SERVICE_ENDPOINT } from '@gatehouse/delivery';
import {
  type ApplyPeopleReply,
  type ApplyPeopleRequest,
  MessagePatterns,
} from '@gatehouse/schemas';
import { checkPayload } from '@gatehouse/testing';
import { createDelivery, type Delivery } from '../../src/delivery/create-delivery.js';
import { type KeyLinkInput } from '../../src/management/key-links/key-links.js';
import { silentLogger } from '../../src/sync-logger.js';
import { type Fixture, useFixture } from '../fixture.js';
import { ENCRYPTION_KEYS, type TestDirectory } from '../harness.js';

export interface KeyLinkParts {
  /** What the key service answers; new for each test. */
  answer: (request: ApplyPeopleRequest) => ApplyPeopleReply | Promise<ApplyPeopleReply>;
  /** Links the tenant and product of a directory, by the id of users unless the input says otherwise. */
  link(directory?: TestDirectory, input?: Partial<KeyLinkInput>): Promise<void>;
  /** Another worker. */
  newDelivery(batchSize?: number): Delivery;
  /** Sends the due people of all directories. */
  sendPeople(delivery?: Delivery): Promise<void>;
  /** Runs the lane of the key service. */
  runLane(directory?: TestDirectory): ReturnType<Delivery['runLane']>;
  /** The requests about a directory, in order. */
  requestsOf(directory?: TestDirectory): ApplyPeopleRequest[];
  /** The people in these requests, as `state actor ids`. */
  peopleOf(directory?: TestDirectory): string[];
  /** Forgets the requests until now. */
  forget(): void;
}

/** @param base what else the tests of the file share */
export function useKeyLinks<Base extends Pick<Fixture, 'test' | 'directory'> = Fixture>(
  base: Base = useFixture() as unknown as Base,
): Base & KeyLinkParts {
  const fixture = base as Base & KeyLinkParts;
  const deliveries: Delivery[] = [];
  let received: ApplyPeopleRequest[] = [];
  let worker: Delivery;

  fixture.newDelivery = (batchSize = 0) => {
    const delivery = createDelivery({
      dataSource: fixture.test.dataSource,
      encryptionKeys: ENCRYPTION_KEYS,
      outbound: { allowPrivate: true },
      settings: {
        retryScheduleSeconds: [60],
        timeoutSeconds: 2,
        turnSeconds: 20,
        eventAttempts: 3,
        batchSize,
      },
      logger: silentLogger,
      applyPeople: async (request) => {
        checkPayload(MessagePatterns.applyPeople, 'request', request);
        received.push(request);
        return fixture.answer(request);
      },
    });
    deliveries.push(delivery);
    return delivery;
  };
  fixture.link = async (directory = fixture.directory, input = {}) => {
    const { tenant, product } = directory;
    const link = { tenant, product, attribute: 'id', ...input };
    const { error } = await fixture.test.sync.keyLinks.put(link);
    if (error) throw new Error(error.message);
  };
  fixture.sendPeople = async (delivery = worker) => {
    delivery.sendPeople(new AbortController().signal);
    await delivery.peopleSent();
  };
  fixture.runLane = (directory = fixture.directory) =>
    worker.runLane({ id: KEY_SERVICE_ENDPOINT, sourceId: directory.id });
  fixture.requestsOf = ({ id } = fixture.directory) =>
    received.filter(({ source_id }) => source_id === id);
  fixture.peopleOf = (directory) =>
    fixture
      .requestsOf(directory)
      .flatMap(({ people }) => people)
      .map(({ state, actor_ids }) => [state, ...actor_ids].join(' '));
  fixture.forget = () => {
    received = [];
  };

  beforeAll(() => {
    worker = fixture.newDelivery();
  });
  beforeEach(() => {
    fixture.answer = () => ({ is_done: true });
    fixture.forget();
  });
  afterAll(async () => {
    await Promise.all(deliveries.map((delivery) => delivery.close()));
  });
  return fixture;
}
