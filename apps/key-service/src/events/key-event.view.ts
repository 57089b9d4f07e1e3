/** The JSON of events, and of what became of their delivery. */
import {
  type AttemptRecord,
  type DeliveryCounts,
  type EventRecord,
  type EventState,
  type LoggedAttempt,
  type ParkedRecord,
  plainEventBody,
} from '@gatehouse/delivery';
import { type DeliveryStateName } from '../api/enums.js';

const STATES: Readonly<Record<EventState, DeliveryStateName>> = {
  pending: 'DELIVERY_STATE_PENDING',
  delivered: 'DELIVERY_STATE_DELIVERED',
  dead: 'DELIVERY_STATE_DEAD',
  not_sent: 'DELIVERY_STATE_NOT_SENT',
};

export function keyEventRecordView({ event, state, attempts }: EventRecord): object {
  return {
    ...plainEventBody(event),
    state: STATES[state],
    attempts: attempts.map((attempt) => ({
      endpoint_id: attempt.endpointId,
      ...outcomeView(attempt),
    })),
  };
}

export function attemptView(attempt: AttemptRecord): object {
  const { id, eventId, url, response } = attempt;
  return { attempt_id: id, event_id: eventId, url, ...outcomeView(attempt), response };
}

export function parkedEventView(parked: ParkedRecord): object {
  const { eventId, sequence, reason, attempts, parkedAt } = parked;
  return {
    event_id: eventId,
    sequence: Number(sequence),
    reason,
    attempts,
    park_time: parkedAt.toISOString(),
  };
}

export function deliveryStatusView({ pending, oldestPendingAgeSeconds, dead }: DeliveryCounts) {
  return { pending, oldest_pending_age_seconds: oldestPendingAgeSeconds, dead };
}

function outcomeView({ at, statusCode, durationMs, error }: LoggedAttempt): object {
  return {
    attempt_time: at.toISOString(),
    status_code: statusCode,
    duration_ms: durationMs,
    error: error ?? '',
  };
}
