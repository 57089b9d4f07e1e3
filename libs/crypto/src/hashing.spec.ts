import {
  confirmImportedKey,
  constantTimeEqual,
  hashImportedKey,
  importedKeyId,
  KeyRing,
  randomToken,
  sha256Base64,
  sha512t256Hex,
} from './index.js';

const OLD = 'old-secret-text-that-is-long-enough-0';
const NEW = 'new-secret-text-that-is-long-enough-1';

describe('hashes', () => {
  it('are the standard ones (FIPS 180-4 example "abc")', () => {
    expect(sha256Base64('abc')).toBe('ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=');
    expect(sha512t256Hex('abc')).toBe(
      '53048e2681941ef99b2e29b76b4c7dabe4c2d0c634fc6d46e0e2f13107e7af23',
    );
  });

  it('compares texts and bytes of any length', () => {
    expect(constantTimeEqual('same', Buffer.from('same'))).toBe(true);
    expect(constantTimeEqual('same', 'sane')).toBe(false);
    expect(constantTimeEqual('short', 'shorter')).toBe(false);
    expect(constantTimeEqual('', '')).toBe(true);
  });

  it('makes random texts of the asked entropy', () => {
    expect(Buffer.from(randomToken(24), 'base64url')).toHaveLength(24);
    expect(randomToken()).not.toBe(randomToken());
  });
});

describe('imported keys', () => {
  const tenant = '00000000-0000-0000-0000-000000000000';

  it('have the SHA-512/256 of tenant, zero byte and raw key as id', () => {
    expect(importedKeyId(tenant, 'raw')).toBe(sha512t256Hex(`${tenant}\0raw`));
    expect(importedKeyId(tenant, 'raw')).toMatch(/^[0-9a-f]{64}$/);
    expect(importedKeyId('other', 'raw')).not.toBe(importedKeyId(tenant, 'raw'));
  });

  it('are confirmed by a keyed hash, also by one of a retired secret', () => {
    const id = importedKeyId(tenant, 'raw');
    const stored = hashImportedKey(KeyRing.fromTexts([OLD]), id, 'raw');
    expect(confirmImportedKey(KeyRing.fromTexts([NEW, OLD]), id, 'raw', stored)).toBe(true);
    expect(confirmImportedKey(KeyRing.fromTexts([NEW, OLD]), id, 'ray', stored)).toBe(false);
    expect(confirmImportedKey(KeyRing.fromTexts([NEW]), id, 'raw', stored)).toBe(false);
  });
});
