/** Hands events to a receiver within the stack, which is no HTTP server. */
import { type EndpointHealth } from '../endpoints/endpoint.types.js';
import { type InternalReceiver } from '../system.js';
import { type FailureHealth } from './endpoint-health.js';
import { type PendingEvent } from './lane.types.js';
import { jittered } from './retry-delay.js';
import { type Sent } from './sender.js';

/** The last pause repeats without end. */
const RETRY_SECONDS = [0.25, 0.5, 1, 2, 5] as const;

export async function deliverInternally(
  receiver: InternalReceiver | undefined,
  sourceId: string,
  events: readonly PendingEvent[],
): Promise<Sent> {
  const startedAt = performance.now();
  let error: string | null = null;
  try {
    if (!receiver) throw new Error('this process has no connection to the key service');
    await receiver.deliver(sourceId, events);
  } catch (thrown) {
    error = thrown instanceof Error ? thrown.message : String(thrown);
  }
  const attempt = {
    url: '',
    at: new Date(),
    statusCode: null,
    durationMs: Math.round(performance.now() - startedAt),
    error,
    payload: null,
    response: null,
  };
  return { verdict: error === null ? 'delivered' : 'down', attempt, retryAfter: undefined };
}

/** The health of an internal receiver after another failure. */
export function healthAfterInternalFailure({
  failures,
}: Pick<EndpointHealth, 'failures'>): FailureHealth {
  const seconds = jittered(RETRY_SECONDS[failures] ?? 5);
  return {
    state: 'failing',
    failures: failures + 1,
    nextAttemptAt: new Date(Date.now() + seconds * 1_000),
  };
}
