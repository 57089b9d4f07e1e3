// @ts-check
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Polls until a condition holds; the one loop of the local stack that waits.
 * @param {() => boolean | Promise<boolean>} condition
 * @param {{ timeoutMs?: number, everyMs?: number, signal?: AbortSignal }} [options]
 * @returns {Promise<boolean>} false when the time was up or the signal aborted first
 */
export async function until(
  condition,
  { timeoutMs = Number.POSITIVE_INFINITY, everyMs = 50, signal } = {},
) {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    if (await condition()) return true;
    if (signal?.aborted || performance.now() > deadline) return false;
    await delay(everyMs);
  }
}
