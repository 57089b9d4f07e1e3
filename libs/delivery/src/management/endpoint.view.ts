/** The JSON of endpoints and their deliveries. Neither a secret nor the value of a header is in it. */
import {
  type Endpoint,
  type EndpointState,
  type PoisonPolicy,
} from '../endpoints/endpoint.types.js';
import { type Sent } from '../lane/sender.js';
import {
  type AttemptRecord,
  type DeliveryCounts,
  type EventState,
  type LoggedAttempt,
  type ParkedRecord,
} from '../status/delivery-status.js';

export interface EndpointView {
  id: string;
  url: string;
  /** Null: all. */
  types: readonly string[] | null;
  header_names: readonly string[];
  logs_attempts: boolean;
  on_poison: PoisonPolicy;
  state: EndpointState;
  reason: string | null;
  failures: number;
  failing_since: string | null;
  last_success_at: string | null;
  next_attempt_at: string | null;
  created_at: string;
  updated_at: string;
}

/** An endpoint with its secret, which is shown when it is set and never again. */
export type EndpointSecretView = EndpointView & { secret: string };

/** The answer of a receiver. */
export interface OutcomeView {
  status_code: number | null;
  duration_ms: number;
  error: string | null;
}

export type TestView = OutcomeView & { delivered: boolean };

export type EventAttemptView = OutcomeView & { endpoint_id: string; at: string };

export interface AttemptView extends OutcomeView {
  id: string;
  event_id: string;
  at: string;
  url: string;
  /** The start of the response, if the endpoint logs its attempts. */
  response: string | null;
}

export interface AttemptList {
  attempts: AttemptView[];
  /** Empty on the last page. */
  next_page_token: string;
}

/** A parked event: its endpoint refused it while accepting others. */
export interface ParkedEventView {
  event_id: string;
  sequence: number;
  reason: string;
  attempts: number;
  parked_at: string;
}

export interface ParkedEventList {
  parked_events: ParkedEventView[];
  next_page_token: string;
}

/** The API calls parked events `dead`. */
export interface CountsView {
  pending: number;
  oldest_pending_age_seconds: number | null;
  dead: number;
}

export function endpointView(endpoint: Endpoint, headerNames: readonly string[]): EndpointView {
  return {
    id: endpoint.id,
    url: endpoint.url,
    types: endpoint.types,
    header_names: headerNames,
    logs_attempts: endpoint.logsAttempts,
    on_poison: endpoint.onPoison,
    state: endpoint.state,
    reason: endpoint.reason,
    failures: endpoint.failures,
    failing_since: endpoint.failingSince?.toISOString() ?? null,
    last_success_at: endpoint.lastSuccessAt?.toISOString() ?? null,
    next_attempt_at: endpoint.nextAttemptAt?.toISOString() ?? null,
    created_at: endpoint.createdAt.toISOString(),
    updated_at: endpoint.updatedAt.toISOString(),
  };
}

export function testView({ verdict, attempt }: Sent): TestView {
  return { delivered: verdict === 'delivered', ...outcomeView(attempt) };
}

export function eventAttemptView(attempt: LoggedAttempt): EventAttemptView {
  const { endpointId, at } = attempt;
  return { endpoint_id: endpointId, at: at.toISOString(), ...outcomeView(attempt) };
}

export function attemptView(attempt: AttemptRecord): AttemptView {
  const { id, eventId, at, url, response } = attempt;
  return {
    id,
    event_id: eventId,
    at: at.toISOString(),
    url,
    ...outcomeView(attempt),
    response,
  };
}

export function parkedEventView(parked: ParkedRecord): ParkedEventView {
  const { eventId, sequence, reason, attempts, parkedAt } = parked;
  return {
    event_id: eventId,
    sequence: Number(sequence),
    reason,
    attempts,
    parked_at: parkedAt.toISOString(),
  };
}

/** The state of an event, in the words of the API: `dead` is a parked event. */
export type EventStateView = Exclude<EventState, 'parked'> | 'dead';

export function eventStateView(state: EventState): EventStateView {
  return state === 'parked' ? 'dead' : state;
}

export function countsView({
  pending,
  oldestPendingAgeSeconds,
  parked,
}: DeliveryCounts): CountsView {
  return { pending, oldest_pending_age_seconds: oldestPendingAgeSeconds, dead: parked };
}

function outcomeView({
  statusCode,
  durationMs,
  error,
}: Pick<LoggedAttempt, 'statusCode' | 'durationMs' | 'error'>): OutcomeView {
  return { status_code: statusCode, duration_ms: durationMs, error };
}
