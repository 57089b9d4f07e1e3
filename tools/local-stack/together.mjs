// @ts-check

/**
 * Runs several works at once. When one fails the others are told to stop and waited for, so that
 * what they start meanwhile is on record before everything is taken down; then the first failure
 * is thrown.
 * @template {readonly unknown[]} T
 * @param {AbortSignal} signal
 * @param {(signal: AbortSignal) => readonly [...{ [K in keyof T]: Promise<T[K]> }]} begin
 * @returns {Promise<T>}
 */
export async function together(signal, begin) {
  const failure = new AbortController();
  /** @type {unknown} */
  let reason;
  const works = begin(AbortSignal.any([signal, failure.signal]));
  for (const work of works) {
    work.catch((error) => {
      if (failure.signal.aborted) return;
      reason = error;
      failure.abort();
    });
  }
  await Promise.allSettled(works);
  if (failure.signal.aborted) throw reason;
  return Promise.all(works);
}
