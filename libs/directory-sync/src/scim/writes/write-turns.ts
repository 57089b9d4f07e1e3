import { DomainError } from '@gatehouse/kit/errors';
import { Semaphores } from '@gatehouse/kit/tasks';
import { SyncErrors } from '../../sync.errors.js';

/**
 * Turns of writes that a lock of their directory makes one after the other anyway: without them, a
 * directory with many requests at once would take all connections to wait for its lock. One writes, and
 * one waits for the lock. Others get `unavailable` after ten seconds of waiting, or if too many wait.
 */
export function writeTurns(): Semaphores {
  return new Semaphores({
    max: 2,
    waitMsMax: 10_000,
    waitingMax: 256,
    refusal: () => new DomainError(SyncErrors.CONTENDED, { retryAfterSeconds: 1 }),
  });
}
