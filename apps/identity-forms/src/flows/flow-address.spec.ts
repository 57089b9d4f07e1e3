import { IdentityFormsConfig } from '../config.js';
import { FlowAddress } from './flow-address.js';

function address(settings: Partial<IdentityFormsConfig>): FlowAddress {
  return new FlowAddress(Object.assign(new IdentityFormsConfig(), settings));
}

describe('FlowAddress', () => {
  it('prefixes paths with that of PUBLIC_URL', () => {
    const { basePath, isSecure } = address({ publicUrl: 'https://example.com/forms/' });
    expect({ basePath, isSecure }).toEqual({ basePath: '/forms', isSecure: true });
    expect(address({}).pathOf('abc')).toBe('/flows/abc');
  });

  describe('return_to', () => {
    const allowed = address({
      allowedReturnUrls: ['https://app.example.com/welcome', 'http://localhost:3000'],
    });

    it.each([
      'https://app.example.com/welcome',
      'https://app.example.com/welcome?from=sign-up#top',
      'https://app.example.com/welcome/home',
      'http://localhost:3000/anything',
      'HTTPS://APP.EXAMPLE.COM/welcome',
    ])('allows %s', (url) => {
      expect(allowed.checkReturnTo(url)).toBe(new URL(url).href);
    });

    it.each([
      'https://app.example.com/',
      'https://app.example.com/welcomes',
      'https://app.example.com/welcome/../admin',
      'https://app.example.com/welcome/%2e%2e/admin',
      'https://app.example.com/welcome/..%2fadmin',
      'https://app.example.com/welcome/%5c..',
      'https://app.example.com.evil.example/welcome',
      'https://app.example.com@evil.example/welcome',
      'https://user:pw@app.example.com/welcome',
      'http://app.example.com/welcome',
      'https://app.example.com:8443/welcome',
      '//app.example.com/welcome',
      '/welcome',
      'javascript:alert(1)',
      'data:text/html,x',
      '',
      `https://app.example.com/welcome?${'a'.repeat(2100)}`,
    ])('refuses %s', (url) => {
      expect(() => allowed.checkReturnTo(url)).toThrow(/return_to/);
    });

    it('allows nothing without ALLOWED_RETURN_URLS', () => {
      expect(() => address({}).checkReturnTo('https://example.com/')).toThrow(
        /ALLOWED_RETURN_URLS/,
      );
    });
  });
});
