import { DomainError } from '@gatehouse/service-kit';

const TRIES_MAX = 60;
const PAUSE_MS_MAX = 50;

/**
 * Waits a random moment after a write that found another version than it was made from.
 * @throws DomainError `unavailable` once that has happened sixty times in a row
 */
export async function pauseBeforeRetry(attempt: number): Promise<void> {
  if (attempt >= TRIES_MAX) {
    throw new DomainError(
      'unavailable',
      'CONTENDED',
      'The resource is changed by too many at once.',
    );
  }
  const pauseMs = Math.random() * Math.min(4 * attempt, PAUSE_MS_MAX);
  await new Promise((resolve) => setTimeout(resolve, pauseMs));
}
