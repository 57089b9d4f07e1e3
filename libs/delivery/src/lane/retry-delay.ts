/** Pauses between the attempts at a failing endpoint by default, about three days in total. */
export const RETRY_SCHEDULE_SECONDS: readonly number[] = [
  5, 30, 120, 600, 1_800, 3_600, 10_800, 21_600, 43_200, 86_400, 86_400,
];

const JITTER = 0.1;
const RETRY_AFTER_SECONDS_MAX = 86_400;

/**
 * Seconds until the next attempt; undefined after the last one.
 *
 * @param attempts the number of attempts made, at least 1
 * @param scheduleSeconds the pauses after the first, second, … attempt
 * @param retryAfter the `Retry-After` header: seconds or an HTTP date; capped at one day
 */
export function retryDelaySeconds(
  attempts: number,
  scheduleSeconds: readonly number[],
  retryAfter?: string,
  random: () => number = Math.random,
): number | undefined {
  const planned = scheduleSeconds[attempts - 1];
  if (planned === undefined) return undefined;
  return Math.max(
    jittered(planned, random),
    Math.min(wishSeconds(retryAfter), RETRY_AFTER_SECONDS_MAX),
  );
}

/** A time that varies by ten percent, so that lanes that failed together do not retry together. */
export function jittered(seconds: number, random: () => number = Math.random): number {
  return seconds * (1 + JITTER * (2 * random() - 1));
}

function wishSeconds(retryAfter: string | undefined): number {
  if (retryAfter === undefined) return 0;
  if (/^\d{1,9}$/.test(retryAfter.trim())) return Number(retryAfter);
  const until = Date.parse(retryAfter);
  return Number.isNaN(until) ? 0 : Math.max(0, (until - Date.now()) / 1000);
}
