// @ts-check

/**
 * Runs several tasks in parallel. If one fails, aborts the others and waits for them, so that every
 * process they started is on record before the stack is stopped; then throws the first failure.
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
