import { SearchSlots, type SlotLimits } from '../../searches/search-slots.js';

/** One that writes, and one that waits for its lock. */
const AT_ONCE = 2;
const LIMITS: SlotLimits = { waitMs: 10_000, waitingMax: 256, refusal: 'CONTENDED' };

/**
 * Turns of writes that a lock of their directory makes one after the other anyway: without them, a
 * directory with many requests at once would take all connections to wait for its lock.
 */
export class WriteTurns {
  private readonly slots = new Map<string, SearchSlots>();

  /** @throws DomainError `unavailable` after ten seconds of waiting, or if too many wait */
  async take<T>(directoryId: string, write: () => Promise<T>): Promise<T> {
    const slots = this.slots.get(directoryId) ?? new SearchSlots(AT_ONCE, LIMITS);
    this.slots.set(directoryId, slots);
    await slots.take();
    try {
      return await write();
    } finally {
      slots.release();
      if (slots.isIdle) this.slots.delete(directoryId);
    }
  }
}
