import { PageCookie } from './page-cookie.js';

const COOKIE = new PageCookie('gatehouse_flow');

describe('PageCookie', () => {
  it('is read from the cookie that was set', () => {
    const value = PageCookie.newValue();
    const header = COOKIE.header(value, {
      path: '/flows/x',
      isSecure: true,
      expiresAt: new Date(Date.now() + 60_000),
    });
    expect(header).toMatch(/; Path=\/flows\/x; Max-Age=60; HttpOnly; SameSite=Lax; Secure$/);
    expect(COOKIE.read({ cookie: `a=b; ${header.split(';')[0]}; c=d` }, true)).toBe(value);
  });

  it('is not read from a malformed or foreign cookie', () => {
    expect(COOKIE.read({ cookie: 'gatehouse_flow=short' }, false)).toBeUndefined();
    expect(
      COOKIE.read({ cookie: 'x_gatehouse_flow=' + PageCookie.newValue() }, false),
    ).toBeUndefined();
    expect(COOKIE.read({}, false)).toBeUndefined();
  });
});
