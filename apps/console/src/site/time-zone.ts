import { type FastifyRequest } from 'fastify';

/** The cookie in which the module of the console keeps the time zone of the browser. */
const COOKIE = /(?:^|; )gatehouse_zone=([A-Za-z0-9_+/-]{1,64})(?:;|$)/;

/** The time zone of the reader; undefined if the browser has not said it, or it is not known here. */
export function timeZoneOf({ headers }: FastifyRequest): string | undefined {
  const zone = COOKIE.exec(headers.cookie ?? '')?.[1];
  if (zone === undefined) return undefined;
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return zone;
  } catch {
    return undefined;
  }
}
