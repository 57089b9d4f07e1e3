const UNIT_SECONDS: Readonly<Record<string, number>> = {
  s: 1,
  m: 60,
  h: 3600,
  d: 86_400,
  w: 604_800,
  mo: 30 * 86_400,
  y: 365 * 86_400,
};

const PART = /(\d{1,10})(mo|[smhdwy])/y;

/** Thrown when a text is no duration; `message` says what a duration looks like. */
export class DurationError extends Error {
  override readonly name = 'DurationError';
}

/**
 * Reads a duration text: one or more `<integer><unit>` in a row, unit one of
 * `s m h d w mo y` (a month is 30 days, a year 365), such as `90s`, `24h` or `1h30m`.
 *
 * @returns whole seconds, at least 1
 * @throws DurationError for a bare number, an unknown or capital unit, zero, a negative
 *   value, or a sum beyond 2^53 - 1
 */
export function parseDuration(text: string): number {
  let seconds = 0;
  let position = 0;
  while (position < text.length && text.length <= 64) {
    PART.lastIndex = position;
    const match = PART.exec(text);
    if (!match) break;
    seconds += Number(match[1]) * (UNIT_SECONDS[match[2] as string] as number);
    position = PART.lastIndex;
  }
  if (position !== text.length || text.length === 0) {
    throw new DurationError('must be a duration such as "90s", "30m", "24h" or "1h30m"');
  }
  if (seconds < 1 || !Number.isSafeInteger(seconds)) {
    throw new DurationError('must be a duration of at least one second');
  }
  return seconds;
}

/** Writes whole seconds as a duration text in seconds, such as `"60s"`. */
export function formatDuration(seconds: number): string {
  return `${seconds}s`;
}
