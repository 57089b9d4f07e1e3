/** Times for people, relative to now, and durations. */

const UNITS = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;
const UNIT_SECONDS: Readonly<Record<string, number>> = {
  s: 1,
  m: 60,
  h: 3_600,
  d: 86_400,
  w: 604_800,
  mo: 30 * 86_400,
  y: 365 * 86_400,
};

/** `3 hours ago`, `now`, `in 5 days`; empty for null. */
export function relativeTime(time: string | null | undefined, nowMs = Date.now()): string {
  if (!time) return '';
  const seconds = Math.round((Date.parse(time) - nowMs) / 1000);
  if (seconds === 0) return 'now';
  const [unit, size] = UNITS.find(([, each]) => Math.abs(seconds) >= each) ?? ['second', 1];
  return new Intl.RelativeTimeFormat('en').format(Math.trunc(seconds / size), unit);
}

/** The time of day of an event, `14:03:27`, in the time zone of the reader. */
export function clockTime(time: string | number): string {
  return new Date(time).toTimeString().slice(0, 8);
}

/** The seconds of a duration such as `90s` or `1h30m`; undefined for any other text. */
export function secondsOf(text: string): number | undefined {
  if (!/^(\d{1,10}(mo|[smhdwy]))+$/.test(text)) return undefined;
  return [...text.matchAll(/(\d+)(\D+)/g)].reduce(
    (sum, [, count, unit = '']) => sum + Number(count) * (UNIT_SECONDS[unit] ?? 0),
    0,
  );
}

/** A time as RFC 3339 has it, of such a text or of how long ago it is: `24h`. */
export function timeOf(text: string, nowMs = Date.now()): string {
  const seconds = secondsOf(text);
  return seconds === undefined ? text : new Date(nowMs - seconds * 1000).toISOString();
}
