import { DomainError } from '@gatehouse/kit/errors';
import { type FastifyRequest } from 'fastify';
import { PublicAddress, type PublicAddressOptions } from './public-address.js';

function address(options: Partial<PublicAddressOptions>): PublicAddress {
  return new PublicAddress({ allowedReturnUrls: [], ...options });
}

describe('PublicAddress', () => {
  it('has the path prefix of the public URL', () => {
    const { basePath, isSecure } = address({ publicUrl: 'https://example.com/forms/' });
    expect({ basePath, isSecure }).toEqual({ basePath: '/forms', isSecure: true });
    expect(address({}).basePath).toBe('');
  });

  describe('the origin', () => {
    const request = (host: string) => ({ protocol: 'http', host }) as FastifyRequest;

    it('is that of the public URL, whatever the Host is', () => {
      const forms = address({ publicUrl: 'https://example.com/forms' });
      expect(forms.originOf(request('a b'))).toBe('https://example.com');
    });

    it('is the host of the request without a public URL', () => {
      expect(address({}).originOf(request('localhost:8083'))).toBe('http://localhost:8083');
    });

    it.each(['a b', 'a/b', 'a?b', 'user@a', '[', ''])('refuses the Host "%s"', (host) => {
      expect(() => address({}).originOf(request(host))).toThrow(DomainError);
    });
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
      expect(allowed.checkReturnUrl('return_to', url)).toBe(new URL(url).href);
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
      expect(() => allowed.checkReturnUrl('return_to', url)).toThrow(/return_to/);
    });

    describe('with any port', () => {
      const local = address({
        allowedReturnUrls: ['http://localhost:*', 'http://127.0.0.1:*/app', 'https://*:*'],
      });

      it.each([
        'http://localhost/',
        'http://localhost:3000/welcome?a=b',
        'http://127.0.0.1:5173/app/here',
        'https://app.example.com/welcome',
        'https://localhost:8443/',
      ])('allows %s', (url) => {
        expect(local.checkReturnUrl('return_to', url)).toBe(new URL(url).href);
      });

      it.each([
        'http://localhost.evil.example:3000/',
        'http://localhost:3000@evil.example/',
        'http://evil.example/localhost:3000',
        'http://127.0.0.1:5173/application',
        'http://127.0.0.2:3000/app',
        'http://[::1]:3000/',
        'http://localhost:3000/..%2fadmin',
        'javascript:alert(1)',
      ])('refuses %s', (url) => {
        expect(() => local.checkReturnUrl('return_to', url)).toThrow(/return_to/);
      });
    });

    it('allows nothing without ALLOWED_RETURN_URLS', () => {
      expect(() => address({}).checkReturnUrl('return_to', 'https://example.com/')).toThrow(
        /ALLOWED_RETURN_URLS/,
      );
    });
  });
});
