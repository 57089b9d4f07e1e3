import { type Attempt } from './lane.types.js';

/** Attempts with the events that they delivered. */
export type LoggedAttempt = Attempt & { eventId: string };

/** The columns of attempts, as arrays. */
export function columnsOf(attempts: readonly LoggedAttempt[]): unknown[] {
  return [
    attempts.map(({ eventId }) => eventId),
    attempts.map(({ at }) => at),
    attempts.map(({ statusCode }) => statusCode),
    attempts.map(({ durationMs }) => durationMs),
    attempts.map(({ error }) => error),
    attempts.map(({ payload }) => payload),
    attempts.map(({ response }) => response),
    attempts.map(({ url }) => url),
  ];
}
