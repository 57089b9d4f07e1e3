/**
 * A submission must come from our own page, in the browser that opened it. Two checks, both needed:
 * the origin that the browser reports (Origin, Sec-Fetch-Site), and a token in the form that only
 * the service can derive from the cookie (signed double submit, with a key for each flow).
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { type IncomingHttpHeaders } from 'node:http';

/** Over https with the prefix that plain http cannot set. `__Host-` would forbid the path. */
const COOKIE_NAMES = { secure: '__Secure-gatehouse_flow', plain: 'gatehouse_flow' };
const COOKIE_VALUE = /^[A-Za-z0-9_-]{43}$/;

export interface CookieScope {
  path: string;
  isSecure: boolean;
  expiresAt: Date;
}

/** The value of the flow's cookie; undefined when it is missing or malformed. */
export function flowCookie(headers: IncomingHttpHeaders, isSecure: boolean): string | undefined {
  for (const pair of (headers.cookie ?? '').split(';')) {
    const [name, value] = pair.trim().split('=', 2);
    if (name === nameOf(isSecure) && COOKIE_VALUE.test(value ?? '')) return value;
  }
  return undefined;
}

export function newFlowCookie(): string {
  return randomBytes(32).toString('base64url');
}

/** SameSite=Lax: links from e-mails send the cookie, forms on other sites do not. */
export function setCookieHeader(value: string, { path, isSecure, expiresAt }: CookieScope): string {
  const maxAgeSeconds = Math.max(1, Math.ceil((expiresAt.getTime() - Date.now()) / 1000));
  const secure = isSecure ? '; Secure' : '';
  return `${nameOf(isSecure)}=${value}; Path=${path}; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${secure}`;
}

function nameOf(isSecure: boolean): string {
  return isSecure ? COOKIE_NAMES.secure : COOKIE_NAMES.plain;
}

/** The CSRF token of a cookie in one flow. */
export function csrfToken(csrfKey: Buffer, cookie: string): string {
  return createHmac('sha256', csrfKey).update(cookie).digest('base64url');
}

export function isCsrfToken(csrfKey: Buffer, cookie: string, token: string): boolean {
  const expected = Buffer.from(csrfToken(csrfKey, cookie));
  const given = Buffer.from(token);
  return given.length === expected.length && timingSafeEqual(given, expected);
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
