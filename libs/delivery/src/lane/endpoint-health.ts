/**
 * The effect of a delivery attempt on its endpoint and its event. The retry schedule belongs to the
 * endpoint: no event is parked because a receiver is away. Only a receiver that refuses one event and
 * accepts another shows that the event is the cause.
 */
import { type Received } from '@gatehouse/kit/outbound';
import { type EndpointHealth, type EndpointState } from '../endpoints/endpoint.types.js';
import { jittered, retryDelaySeconds } from './retry-delay.js';

/**
 * `delivered`: 2xx. `refused`: the receiver works and does not want this event (4xx). `aborted`: it
 * never wants it (`Webhook-Delivery: abort-message`). `gone`: it wants no events any more (410).
 * `down`: it did not answer, or answered 408, 429, 3xx or 5xx.
 */
export type Verdict = 'delivered' | 'refused' | 'aborted' | 'gone' | 'down';

/** A paused endpoint is probed once in this time. */
const PROBE_INTERVAL_SECONDS = 3_600;
const TEMPORARY = new Set([408, 429]);

/** @param answer undefined when none arrived */
export function verdictOf(answer: Received | undefined): Verdict {
  if (answer === undefined) return 'down';
  const { status, headers } = answer;
  if (status >= 200 && status < 300) return 'delivered';
  if (/^abort-message$/i.test(String(headers['webhook-delivery'] ?? '').trim())) return 'aborted';
  if (status === 410) return 'gone';
  return status >= 400 && status < 500 && !TEMPORARY.has(status) ? 'refused' : 'down';
}

export interface FailureHealth {
  state: Extract<EndpointState, 'failing' | 'paused'>;
  failures: number;
  nextAttemptAt: Date;
}

/**
 * The health of an endpoint after another failure.
 *
 * @param scheduleSeconds pauses after the first, second, … failure; after the last one, the endpoint
 *   is paused
 * @param retryAfter the `Retry-After` header of the response
 */
export function healthAfterFailure(
  { failures: before }: Pick<EndpointHealth, 'failures'>,
  scheduleSeconds: readonly number[],
  retryAfter?: string,
  nowMs = Date.now(),
): FailureHealth {
  const failures = before + 1;
  const planned = retryDelaySeconds(failures, scheduleSeconds, retryAfter);
  return {
    state: planned === undefined ? 'paused' : 'failing',
    failures,
    nextAttemptAt: new Date(nowMs + (planned ?? jittered(PROBE_INTERVAL_SECONDS)) * 1_000),
  };
}
