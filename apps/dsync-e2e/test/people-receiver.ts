/** Stands for the key service on the Redis of a stack: takes what becomes of people. */
import { type Exchange, redisExchange } from '@gatehouse/kit/exchange';
import { createLogger } from '@gatehouse/nest-kit/logging';
import { type ApplyPeopleRequest, MessagePatterns, type PersonChange } from '@gatehouse/schemas';
import { checkPayload, CONTROL_PLANE, type TestStack } from '@gatehouse/testing';

export interface PeopleReceiver {
  readonly received: ApplyPeopleRequest[];
  /** People of events, in the order in which they came. */
  changesOf(directoryId: string): PersonChange[];
  /** Throws to refuse a request. */
  onRequest: (request: ApplyPeopleRequest) => void;
  /** Answers no more. */
  close(): Promise<void>;
}

export function receivePeople({ redis }: TestStack): PeopleReceiver {
  const exchange: Exchange = redisExchange({
    redis,
    service: 'key-service',
    messageKeys: [CONTROL_PLANE.MESSAGE_KEYS],
    logger: createLogger('test', 'silent'),
  });
  const receiver: PeopleReceiver = {
    received: [],
    onRequest: () => undefined,
    changesOf: (directoryId) =>
      receiver.received
        .filter(({ source_id, snapshot }) => source_id === directoryId && snapshot === null)
        .flatMap(({ people }) => people),
    close: () => exchange.close(),
  };
  exchange.messages.serve(MessagePatterns.applyPeople, (data, sender) => {
    checkPayload(MessagePatterns.applyPeople, 'request', data);
    if (sender !== 'dsync-worker') throw new Error(`${sender} must not send people`);
    receiver.onRequest(data as ApplyPeopleRequest);
    receiver.received.push(data as ApplyPeopleRequest);
    return Promise.resolve({ is_done: true });
  });
  return receiver;
}
