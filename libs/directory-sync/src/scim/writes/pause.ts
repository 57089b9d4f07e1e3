import { setTimeout as sleep } from 'node:timers/promises';
import { DomainError } from '@gatehouse/kit/errors';
import { SyncErrors } from '../../sync.errors.js';

const TRIES_MAX = 60;
const PAUSE_MS_MAX = 50;

/**
 * Waits a random time after a write that found a newer version than it was based on.
 *
 * @throws DomainError `unavailable` after the 60th attempt
 */
export async function pauseBeforeRetry(attempt: number): Promise<void> {
  if (attempt >= TRIES_MAX) {
    throw new DomainError(SyncErrors.CONTENDED);
  }
  const pauseMs = Math.random() * Math.min(4 * attempt, PAUSE_MS_MAX);
  await sleep(pauseMs);
}
