/**
 * Adds the zone that RFC 3339 requires and that `datetime-local` and `time` inputs do not send.
 * HTML standard: "local date and time string", "time string".
 */

const LOCAL_DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?$/;
const LOCAL_TIME = /^\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?$/;
const OFFSET = /^[+-](?:0\d|1[0-4]):[0-5]\d$/;
const MINUTE_MS = 60_000;
/** Before this every zone keeps its local mean time, and `Date.UTC` takes years for shortened ones. */
const EARLIEST_MS = Date.parse('0101-01-01T00:00:00Z');
/** Standard time of a zone is the smaller of its offsets in winter and summer. */
const WINTER_AND_SUMMER = [Date.UTC(2025, 0, 1), Date.UTC(2025, 6, 1)] as const;

/** Whether a text is a time zone: an IANA name, `UTC` or an offset such as `+02:00`. */
export function isTimeZone(zone: string): boolean {
  if (zone === 'UTC' || OFFSET.test(zone)) return true;
  try {
    formatter(zone);
    return true;
  } catch {
    return false;
  }
}

/** `2024-01-02T03:04` to `2024-01-02T03:04:00Z`; any other text unchanged. */
export function dateTimeWithZone(text: string, zone: string): string {
  if (!LOCAL_DATE_TIME.test(text)) return text;
  const full = withSeconds(text);
  const offset = offsetMinutes(zone, Date.parse(`${full.slice(0, 19)}Z`));
  return offset === null ? text : full + zoneText(offset);
}

/** `03:04` to `03:04:00Z`, in the standard time of the zone; any other text unchanged. */
export function timeWithZone(text: string, zone: string): string {
  if (!LOCAL_TIME.test(text)) return text;
  const offsets = WINTER_AND_SUMMER.map((moment) => offsetMinutes(zone, moment));
  const [winter, summer] = offsets;
  if (winter == null || summer == null) return text;
  return withSeconds(text) + zoneText(Math.min(winter, summer));
}

/** `03:04` to `03:04:00`; any other text unchanged. */
export function timeWithSeconds(text: string): string {
  return LOCAL_TIME.test(text) ? withSeconds(text) : text;
}

/**
 * The value of an input for a stored date-time: the local time of the zone to the millisecond,
 * without seconds if they are zero. Text that is not a date-time, or has a year that an input cannot
 * show, is returned unchanged.
 */
export function localDateTime(text: string, zone: string): string {
  const moment = Date.parse(text);
  if (Number.isNaN(moment) || !/(?:[Zz]|[+-]\d\d:\d\d)$/.test(text)) return text;
  const offset = zoneOffset(zone, moment);
  if (offset === null) return text;
  const local = new Date(moment + offset * MINUTE_MS).toISOString().replace(/(?:\.000)?Z$/, '');
  if (!LOCAL_DATE_TIME.test(local)) return text;
  return local.endsWith(':00') ? local.slice(0, 16) : local;
}

/**
 * The value of an input for a stored time: without its zone, and without seconds if they are zero.
 * A time of another zone or with a fraction would change on submission, so it is returned unchanged.
 */
export function localTime(text: string, zone: string): string {
  const local = text.slice(0, 8);
  if (timeWithZone(local, zone) !== text && timeWithSeconds(local) !== text) return text;
  return local.endsWith(':00') ? local.slice(0, 5) : local;
}

function withSeconds(text: string): string {
  const time = text.slice(text.indexOf('T') + 1);
  return time.length === 5 ? `${text}:00` : text;
}

/** Minutes east of UTC at a local time, given as if it were UTC. The earlier one where two fit. */
function offsetMinutes(zone: string, localMs: number): number | null {
  if (Number.isNaN(localMs)) return null;
  const first = zoneOffset(zone, localMs);
  if (first === null) return null;
  const before = zoneOffset(zone, localMs - Math.max(first, 0) * MINUTE_MS - 60 * MINUTE_MS);
  for (const offset of [before ?? first, first]) {
    if (zoneOffset(zone, localMs - offset * MINUTE_MS) === offset) return offset;
  }
  return before ?? first;
}

function zoneOffset(zone: string, at: number): number | null {
  const moment = Math.max(at, EARLIEST_MS);
  if (zone === 'UTC') return 0;
  if (OFFSET.test(zone)) {
    const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(4));
    return zone.startsWith('-') ? -minutes : minutes;
  }
  try {
    const parts = Object.fromEntries(
      formatter(zone)
        .formatToParts(moment)
        .map(({ type, value }) => [type, Number(value)]),
    ) as Record<'year' | 'month' | 'day' | 'hour' | 'minute' | 'second', number>;
    const { year, month, day, hour, minute, second } = parts;
    const local = Date.UTC(year, month - 1, day, hour, minute, second);
    return Math.round((local - moment) / MINUTE_MS);
  } catch {
    return null;
  }
}

/** The last one used: all times of a form share a zone, and creating a formatter is slow. */
let known: { zone: string; formatter: Intl.DateTimeFormat } | null = null;

/** Throws a RangeError for an unknown zone. */
function formatter(zone: string): Intl.DateTimeFormat {
  if (known?.zone !== zone) known = { zone, formatter: makeFormatter(zone) };
  return known.formatter;
}

function makeFormatter(zone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
}

function zoneText(minutes: number): string {
  if (minutes === 0) return 'Z';
  const size = Math.abs(minutes);
  const hours = String(Math.floor(size / 60)).padStart(2, '0');
  return `${minutes < 0 ? '-' : '+'}${hours}:${String(size % 60).padStart(2, '0')}`;
}
