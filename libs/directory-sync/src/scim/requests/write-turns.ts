import { DomainError } from '@gatehouse/kit/errors';
import { SemaphorePerKey } from '@gatehouse/kit/tasks';
import { SyncErrors } from '../../sync.errors.js';

/**
 * Turns of writes that a lock of their directory makes one after the other anyway: without them, a
 * directory with many requests at once would take all connections to wait for its lock.
 */
export class WriteTurns {
  private readonly ofDirectories = new SemaphorePerKey({
    // One that writes, and one that waits for its lock.
    max: 2,
    waitMsMax: 10_000,
    waitingMax: 256,
    refusal: () => new DomainError(SyncErrors.CONTENDED, { retryAfterSeconds: 1 }),
  });

  /** @throws DomainError `unavailable` after ten seconds of waiting, or if too many wait */
  take<T>(directoryId: string, write: () => Promise<T>): Promise<T> {
    return this.ofDirectories.run(directoryId, write);
  }
}
