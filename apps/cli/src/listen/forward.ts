/** Posts an event to a receiver, signed as Gatehouse signs it, until the receiver accepts it. */
import { setTimeout as delay } from 'node:timers/promises';
import { type LogEvent } from '../events/event-log.js';
import { httpFetch } from '../http-fetch.js';
import { without } from '../without.js';
import { signed } from './signature.js';

export interface Receiver {
  readonly url: string;
  readonly secret: string;
}

export interface Attempt {
  /** Counts from one. */
  readonly number: number;
  /** The status of the response; undefined if there was none. */
  readonly status?: number;
  /** Why there was no response. */
  readonly error?: string;
  readonly durationMs: number;
  readonly isDelivered: boolean;
  /** When the next attempt follows; undefined after the last. */
  readonly nextInMs?: number;
}

const TIMEOUT_MS = 20_000;
/** What lies between the attempts: some 15 seconds in all, in which a receiver can start again. */
const PAUSES_MS = [250, 500, 1_000, 2_000, 4_000, 8_000];

/** Each attempt, until one is accepted (2xx), there were seven, or the signal aborts. */
export async function* attempts(
  event: LogEvent,
  receiver: Receiver,
  signal: AbortSignal,
): AsyncGenerator<Attempt> {
  // The log adds the state of the delivery to what a webhook has.
  const body = JSON.stringify(without(event, 'state', 'attempts'));
  for (let number = 1; !signal.aborted; number += 1) {
    const attempt = await post({ id: event.id, body }, receiver, signal);
    if (signal.aborted) return;
    const nextInMs = attempt.isDelivered ? undefined : PAUSES_MS[number - 1];
    yield { ...attempt, number, nextInMs };
    if (nextInMs === undefined) return;
    await delay(nextInMs, undefined, { signal }).catch(() => undefined);
  }
}

async function post(
  message: { id: string; body: string },
  { url, secret }: Receiver,
  signal: AbortSignal,
): Promise<Omit<Attempt, 'number'>> {
  const startedAt = performance.now();
  const took = () => Math.round(performance.now() - startedAt);
  try {
    const response = await httpFetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Gatehouse/1.0',
        ...signed(secret, message),
      },
      body: message.body,
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    return { status: response.status, durationMs: took(), isDelivered: response.ok };
  } catch (error) {
    const { name, message: text } = error as Error;
    const reason = name === 'TimeoutError' ? 'no response in 20 s' : text;
    return { error: reason, durationMs: took(), isDelivered: false };
  }
}
