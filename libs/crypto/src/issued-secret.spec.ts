import { randomUUID } from 'node:crypto';
import { base58 } from '@scure/base';
import * as fc from 'fast-check';
import {
  credentialKind,
  hasIssuedSecretShape,
  hmacSha256,
  isSecretPrefix,
  IssuedSecretCodec,
  KeyRing,
  prefixOfPreview,
  previewOfIssuedSecret,
} from './index.js';

const OLD = 'old-secret-text-that-is-long-enough-0';
const NEW = 'new-secret-text-that-is-long-enough-1';
const ring = KeyRing.fromTexts([NEW, OLD]);
const codec = new IssuedSecretCodec(ring);
const uuid = fc.uuid();
const prefix = fc.constantFrom('gate_sk', 'gate_pk', 'acme', 'a_b_c9');

describe('IssuedSecretCodec', () => {
  it('reads back the prefix and the key id of every secret it makes', () => {
    fc.assert(
      fc.property(prefix, uuid, (words, keyId) => {
        const secret = codec.issue(words, keyId);
        expect(codec.parse(secret)).toEqual({ prefix: words, keyId });
        expect(hasIssuedSecretShape(secret)).toBe(true);
        expect(credentialKind(secret)).toBe('issued');
      }),
    );
  });

  it('is prefix, version, Base58 of id and 32 random bytes, Base58 of a 16-byte keyed checksum', () => {
    const keyId = randomUUID();
    const secret = codec.issue('gate_sk', keyId);
    const [payload, checksum] = secret.slice('gate_sk_v1_'.length).split('_') as [string, string];
    const bytes = Buffer.from(base58.decode(payload));
    expect(bytes).toHaveLength(48);
    expect(bytes.subarray(0, 16).toString('hex')).toBe(keyId.replaceAll('-', ''));
    const key = ring.forPurpose('issued-secret-checksum').current.key;
    expect(Buffer.from(base58.decode(checksum))).toEqual(
      hmacSha256(key, `gate_sk_v1_${payload}`).subarray(0, 16),
    );
  });

  it('makes two different secrets for one id', () => {
    const keyId = randomUUID();
    expect(codec.issue('gate_sk', keyId)).not.toBe(codec.issue('gate_sk', keyId));
  });

  it('refuses a secret with any one character changed', () => {
    const secret = codec.issue('gate_sk', randomUUID());
    fc.assert(
      fc.property(
        fc.nat(secret.length - 1),
        fc.constantFrom('1', '2', 'z', 'A', '_', 'é', '\0'),
        (at, character) => {
          fc.pre(secret[at] !== character);
          expect(codec.parse(secret.slice(0, at) + character + secret.slice(at + 1))).toBeNull();
        },
      ),
      { numRuns: 500 },
    );
  });

  it('never throws, whatever it is given', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => codec.parse(text) === null));
    expect(codec.parse(`gate_sk_v1_${'1'.repeat(66)}_${'1'.repeat(16)}`)).toBeNull();
    expect(codec.parse('x'.repeat(100_000))).toBeNull();
  });

  it('accepts the secrets of a retired HMAC secret until it leaves the ring', () => {
    const secret = new IssuedSecretCodec(KeyRing.fromTexts([OLD])).issue('gate_sk', randomUUID());
    expect(codec.parse(secret)).not.toBeNull();
    expect(new IssuedSecretCodec(KeyRing.fromTexts([NEW])).parse(secret)).toBeNull();
  });

  it('shows only the prefix and the last four characters of the payload', () => {
    const secret = codec.issue('gate_sk', randomUUID());
    expect(previewOfIssuedSecret(secret)).toBe(`gate_sk_v1_…${secret.slice(-4)}`);
    expect(prefixOfPreview(previewOfIssuedSecret(secret))).toBe('gate_sk');
    expect(prefixOfPreview('')).toBe('');
    expect(() => previewOfIssuedSecret('no secret')).toThrow(
      expect.objectContaining({ code: 'SECRET_INVALID' }),
    );
  });

  it.each(['', 'Gate', '_sk', 'gate__sk', 'gate-sk', 'a_b_c_d', 'x'.repeat(17), 'mc', 'mc_v1'])(
    'takes no %j for a prefix',
    (text) => {
      expect(isSecretPrefix(text)).toBe(false);
      expect(() => codec.issue(text, randomUUID())).toThrow(
        expect.objectContaining({ code: 'SECRET_INVALID' }),
      );
    },
  );
});

describe('credentialKind', () => {
  it.each([
    ['jwt', 'eyJhbGciOiJFZERTQSJ9.e30.c2ln'],
    ['imported', 'eyJhbGciOiJFZERTQSJ9.e30'],
    ['imported', 'eyJhbGciOiJFZERTQSJ9.e30.c2ln.more'],
    ['imported', 'eyJ.has spaces.inside'],
    ['macaroon', 'mc_v1_anything'],
    ['imported', 'sk_live_51Habc'],
    ['imported', 'gate_sk_v1_tooshort_tooshort'],
    ['imported', ''],
  ])('routes to %s: %s', (kind, credential) => {
    expect(credentialKind(credential)).toBe(kind);
  });
});
