import { randomBytes } from 'node:crypto';
import { csrfToken, isCsrfToken, isForeign } from './csrf.js';
import { PageCookie } from './page-cookie.js';

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
    const cookie = PageCookie.newValue();
    const token = csrfToken(key, cookie);
    expect(isCsrfToken(key, cookie, token)).toBe(true);
    expect(isCsrfToken(key, PageCookie.newValue(), token)).toBe(false);
    expect(isCsrfToken(randomBytes(32), cookie, token)).toBe(false);
    expect(isCsrfToken(key, cookie, '')).toBe(false);
    expect(isCsrfToken(key, cookie, `${token}a`)).toBe(false);
  });
});
