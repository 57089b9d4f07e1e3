import { errorCodes } from '@gatehouse/kit/errors';

/** Errors of events and of the endpoints of webhooks, in every service that has some. */
export const DeliveryErrors = errorCodes({
  WEBHOOK_ENDPOINT_NOT_FOUND: {
    kind: 'not_found',
    message: 'The webhook endpoint does not exist.',
  },
  WEBHOOK_ENDPOINT_LIMIT_REACHED: {
    kind: 'failed_precondition',
    message: 'The limit on webhook endpoints has been reached. Delete one first.',
  },
  REPLAY_LIMIT_REACHED: {
    kind: 'failed_precondition',
    message:
      'The limit on unfinished replays of a webhook endpoint has been reached. Wait until one ends.',
  },
  EVENT_NOT_FOUND: { kind: 'not_found', message: 'The event is not in the log.' },
  NO_WEBHOOK_ENDPOINT: {
    kind: 'failed_precondition',
    message: 'No enabled webhook endpoint receives this event.',
  },
});
