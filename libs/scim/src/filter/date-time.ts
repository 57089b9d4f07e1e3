/** xsd:dateTime (RFC 7643 section 2.3.5); also a date alone, as some clients send it. */

const DATE_TIME_PATTERN =
  /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})?)?$/i;
const EARLIEST_MS = Date.parse('0001-01-01T00:00:00Z');
const LATEST_MS = Date.parse('9999-12-31T23:59:59.999Z');
const DAY_LENGTH = 'YYYY-MM-DD'.length;

/**
 * Milliseconds since 1970, or undefined when the text is no instant of the years 1 to 9999. Without
 * an offset it is UTC.
 */
export function parseDateTime(text: string): number | undefined {
  if (!DATE_TIME_PATTERN.test(text)) {
    return undefined;
  }
  const upper = text.toUpperCase();
  const day = upper.slice(0, DAY_LENGTH);
  if (!isCalendarDay(day)) {
    return undefined;
  }
  const hasOffset = /(Z|[+-]\d{2}:\d{2})$/.test(upper) && upper.includes('T');
  const instant = Date.parse(hasOffset || !upper.includes('T') ? upper : `${upper}Z`);
  return instant >= EARLIEST_MS && instant <= LATEST_MS ? instant : undefined;
}

/** False for days such as 30 February, which `Date` reads as one of March. */
function isCalendarDay(day: string): boolean {
  const dayMs = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(dayMs) && new Date(dayMs).toISOString().startsWith(day);
}
