const JITTER = 0.1;
const RETRY_AFTER_SECONDS_MAX = 86_400;

/**
 * How long to wait before the next attempt, in seconds; undefined when there is none any more.
 *
 * @param attempts how many were made, at least 1
 * @param scheduleSeconds the pauses after the first, second, … attempt
 * @param retryAfter the endpoint's own wish: seconds or an HTTP date; at most a day counts
 */
export function retryDelaySeconds(
  attempts: number,
  scheduleSeconds: readonly number[],
  retryAfter?: string,
  random: () => number = Math.random,
): number | undefined {
  const planned = scheduleSeconds[attempts - 1];
  if (planned === undefined) return undefined;
  const jittered = planned * (1 + JITTER * (2 * random() - 1));
  return Math.max(jittered, Math.min(wishSeconds(retryAfter), RETRY_AFTER_SECONDS_MAX));
}

function wishSeconds(retryAfter: string | undefined): number {
  if (retryAfter === undefined) return 0;
  if (/^\d{1,9}$/.test(retryAfter.trim())) return Number(retryAfter);
  const until = Date.parse(retryAfter);
  return Number.isNaN(until) ? 0 : Math.max(0, (until - Date.now()) / 1000);
}
