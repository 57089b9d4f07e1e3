import { setTimeout as sleep } from 'node:timers/promises';

export interface EventuallyOptions {
  timeoutMs?: number;
  intervalMs?: number;
  /** The time starts anew whenever this value has changed, for work whose length is not known. */
  progress?: () => unknown;
}

/**
 * Repeats an assertion until it holds.
 * @returns what the assertion returned
 * @throws its last failure when it did not hold within `timeoutMs` (default 10 s)
 */
export async function eventually<T>(
  assertion: () => T | Promise<T>,
  { timeoutMs = 10_000, intervalMs = 25, progress }: EventuallyOptions = {},
): Promise<T> {
  let deadline = performance.now() + timeoutMs;
  let reached = progress?.();
  for (;;) {
    try {
      return await assertion();
    } catch (error) {
      const now = progress?.();
      if (now !== reached) deadline = performance.now() + timeoutMs;
      reached = now;
      if (performance.now() > deadline) throw error;
      await sleep(intervalMs);
    }
  }
}
