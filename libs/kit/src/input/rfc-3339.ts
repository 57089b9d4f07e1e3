const RFC_3339 = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/;

/** Milliseconds of an RFC 3339 time; NaN for any other text and for dates such as 30 February. */
export function millisecondsOf(text: string): number {
  const date = RFC_3339.exec(text)?.[1];
  const dayMs = Date.parse(`${date}T00:00:00Z`);
  const isDay = !Number.isNaN(dayMs) && new Date(dayMs).toISOString().startsWith(date as string);
  return isDay ? Date.parse(text) : NaN;
}
