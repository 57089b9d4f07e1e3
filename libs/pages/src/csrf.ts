/**
 * A submission must come from our own page, in the browser that opened it. Two checks, both needed:
 * the origin that the browser reports (Origin, Sec-Fetch-Site), and a token in the form that only
 * the service can derive from the cookie (signed double submit, with a key for each flow).
 */
import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import { type IncomingHttpHeaders } from 'node:http';
import { attributes, type Html, markup } from './html.js';

/** The field of the token in forms. */
export const CSRF_FIELD = 'csrf_token';

export function csrfInput(token: string): Html {
  return markup`<input type="hidden"${attributes({ name: CSRF_FIELD, value: token })}>`;
}

/** The CSRF token of a cookie in one flow. */
export function csrfToken(csrfKey: Buffer, cookie: string): string {
  return createHmac('sha256', createSecretKey(csrfKey)).update(cookie).digest('base64url');
}

export function isCsrfToken(csrfKey: Buffer, cookie: string, token: string): boolean {
  const expected = Buffer.from(csrfToken(csrfKey, cookie));
  const given = Buffer.from(token);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** Whether a request says where it comes from, as browsers do that submit a form. */
export function isOfBrowser({ origin, 'sec-fetch-site': site }: IncomingHttpHeaders): boolean {
  return origin !== undefined || site !== undefined;
}

/**
 * Whether the browser reports that another site sent the request. Requests without Origin and
 * Sec-Fetch-Site come from programs, for which the token decides.
 *
 * @param ownOrigins origins of our own pages
 */
export function isForeign(headers: IncomingHttpHeaders, ownOrigins: readonly string[]): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;
  const { origin } = headers;
  return origin !== undefined && !ownOrigins.includes(origin);
}
