import {
  digestsEqual,
  hashImportedKey,
  hmacSha256,
  KeyRing,
  randomToken,
  sha256Base64,
} from './index.js';

const OLD = 'old-secret-text-that-is-long-enough-0';
const NEW = 'new-secret-text-that-is-long-enough-1';

describe('hashes', () => {
  it('are the standard ones (FIPS 180-4 example "abc")', () => {
    expect(sha256Base64('abc')).toBe('ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=');
  });

  it('compares texts and bytes of any length', () => {
    expect(digestsEqual('same', Buffer.from('same'))).toBe(true);
    expect(digestsEqual('same', 'sane')).toBe(false);
    expect(digestsEqual('short', 'shorter')).toBe(false);
    expect(digestsEqual('', '')).toBe(true);
  });

  it('makes random texts of the asked entropy', () => {
    expect(Buffer.from(randomToken(24), 'base64url')).toHaveLength(24);
    expect(randomToken()).not.toBe(randomToken());
  });
});

describe('imported keys', () => {
  const ring = KeyRing.fromTexts([NEW, OLD]);

  it('are hashed under each secret of the ring, the current one first', () => {
    const keys = ring.forPurpose('imported-key-lookup').all;
    expect(hashImportedKey(ring, 'raw')).toEqual(
      keys.map(({ id, key }) => ({ hash: hmacSha256(key, 'raw'), hashKeyId: id })),
    );
  });

  it('are found by a hash that was made with a retired secret', () => {
    const [stored] = hashImportedKey(KeyRing.fromTexts([OLD]), 'raw');
    expect(hashImportedKey(ring, 'raw')).toContainEqual(stored);
    expect(hashImportedKey(ring, 'ray')).not.toContainEqual(stored);
    expect(hashImportedKey(KeyRing.fromTexts([NEW]), 'raw')).not.toContainEqual(stored);
  });
});
