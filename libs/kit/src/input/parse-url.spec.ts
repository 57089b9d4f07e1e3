import { parseUrl } from './parse-url.js';

describe('parseUrl', () => {
  it('accepts a non-ASCII host however often it is called', () => {
    for (let call = 0; call < 20_000; call += 1) {
      expect(parseUrl('https://é.com/')?.hostname).toBe('xn--9ca.com');
    }
  });

  it.each(['', 'example.com', '/path', 'http://', 'https://a b/'])('rejects %j', (text) => {
    expect(parseUrl(text)).toBeUndefined();
  });
});
