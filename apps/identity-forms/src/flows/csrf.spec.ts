import { randomBytes } from 'node:crypto';
import {
  csrfToken,
  flowCookie,
  isCsrfToken,
  isForeign,
  newFlowCookie,
  setCookieHeader,
} from './csrf.js';

const OWN = ['https://id.example.com'];

describe('isForeign', () => {
  it('allows our own pages and programs', () => {
    expect(isForeign({ origin: OWN[0], 'sec-fetch-site': 'same-origin' }, OWN)).toBe(false);
    expect(isForeign({}, OWN)).toBe(false);
    expect(isForeign({ 'sec-fetch-site': 'none' }, OWN)).toBe(false);
  });

  it.each([
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: 'https://id.example.com.evil.example' },
    { origin: 'http://id.example.com' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: OWN[0], 'sec-fetch-site': 'cross-site' },
  ])('refuses %j', (headers) => {
    expect(isForeign(headers, OWN)).toBe(true);
  });
});

describe('csrf token', () => {
  const key = randomBytes(32);

  it('belongs to one cookie and one flow', () => {
    const cookie = newFlowCookie();
    const token = csrfToken(key, cookie);
    expect(isCsrfToken(key, cookie, token)).toBe(true);
    expect(isCsrfToken(key, newFlowCookie(), token)).toBe(false);
    expect(isCsrfToken(randomBytes(32), cookie, token)).toBe(false);
    expect(isCsrfToken(key, cookie, '')).toBe(false);
    expect(isCsrfToken(key, cookie, `${token}a`)).toBe(false);
  });

  it('is read from the cookie that was set', () => {
    const value = newFlowCookie();
    const header = setCookieHeader(value, {
      path: '/flows/x',
      isSecure: true,
      expiresAt: new Date(Date.now() + 60_000),
    });
    expect(header).toMatch(/; Path=\/flows\/x; Max-Age=60; HttpOnly; SameSite=Lax; Secure$/);
    expect(flowCookie({ cookie: `a=b; ${header.split(';')[0]}; c=d` }, true)).toBe(value);
  });

  it('is not read from a malformed or foreign cookie', () => {
    expect(flowCookie({ cookie: 'gatehouse_flow=short' }, false)).toBeUndefined();
    expect(flowCookie({ cookie: 'x_gatehouse_flow=' + newFlowCookie() }, false)).toBeUndefined();
    expect(flowCookie({}, false)).toBeUndefined();
  });
});
