import { errorCodes } from '@gatehouse/kit/errors';

/** Errors of events and of the endpoints of webhooks, in every service that has some. */
export const DeliveryErrors = errorCodes({
  WEBHOOK_ENDPOINT_NOT_FOUND: {
    kind: 'not_found',
    message: 'There is no such webhook endpoint.',
  },
  WEBHOOK_ENDPOINT_LIMIT_REACHED: {
    kind: 'failed_precondition',
    message: 'There are as many webhook endpoints as allowed. Delete one first.',
  },
  REPLAY_LIMIT_REACHED: {
    kind: 'failed_precondition',
    message: 'A webhook endpoint has as many unfinished replays as allowed. Wait until one ends.',
  },
  EVENT_NOT_FOUND: { kind: 'not_found', message: 'There is no such event in the log.' },
  NO_WEBHOOK_ENDPOINT: {
    kind: 'failed_precondition',
    message: 'No webhook endpoint that is in use takes this event.',
  },
});
