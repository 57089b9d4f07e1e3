import { randomUUID } from 'node:crypto';
import { base58 } from '@scure/base';
import * as fc from 'fast-check';
import {
  credentialKind,
  hasIssuedSecretShape,
  hmacSha256,
  isSecretPrefix,
  IssuedSecretCodec,
  keyIdRange,
  KeyRing,
  parsePartialSecret,
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

describe('parsePartialSecret', () => {
  const nothing = { prefix: undefined, first: undefined, lastFour: undefined };

  it.each([
    ['…k3Zq', { ...nothing, lastFour: 'k3Zq' }],
    ['...k3Zq', { ...nothing, lastFour: 'k3Zq' }],
    ['gate_sk_v1_…k3Zq', { ...nothing, prefix: 'gate_sk', lastFour: 'k3Zq' }],
    ['gate_sk_v1_3mJr7A…', { ...nothing, prefix: 'gate_sk', first: '3mJr7A' }],
    ['gate_sk_v1_3mJr...k3Zq', { prefix: 'gate_sk', first: '3mJr', lastFour: 'k3Zq' }],
    [`a_v1_${'z'.repeat(24)}…`, { ...nothing, prefix: 'a', first: 'z'.repeat(24) }],
  ])('reads %s', (text, expected) => {
    expect(parsePartialSecret(text)).toEqual(expected);
  });

  it.each([
    '',
    '…',
    'k3Zq',
    'gate_sk_v1_…',
    '…k3Z',
    '…ak3Zq',
    '…k3Z0',
    '3mJr7A…',
    'gate_sk_v1_3mJ…',
    `gate_sk_v1_${'z'.repeat(25)}…`,
    'gate_sk_v1_3mJr7A',
    'gate_sk_v2_3mJr7A…',
    '…k3Zq…',
  ])('refuses %j', (text) => {
    expect(parsePartialSecret(text)).toBeNull();
  });

  it('reads every preview, and never a whole secret, with or without an ellipsis', () => {
    fc.assert(
      fc.property(prefix, uuid, (words, keyId) => {
        const secret = codec.issue(words, keyId);
        const lastFour = secret.slice(-4);
        const preview = { ...nothing, prefix: words, lastFour };
        expect(parsePartialSecret(previewOfIssuedSecret(secret))).toEqual(preview);
        for (const text of [secret, `${secret}…`, `${secret}…${lastFour}`]) {
          expect(parsePartialSecret(text)).toBeNull();
        }
      }),
    );
  });
});

describe('keyIdRange', () => {
  const years = { min: Date.UTC(2005, 0), max: Date.UTC(2901, 0) - 1 };
  const idAt = fc
    .tuple(fc.integer(years), fc.uint8Array({ minLength: 10, maxLength: 10 }))
    .map(([atMs, rest]) => {
      const hex = atMs.toString(16).padStart(12, '0') + Buffer.from(rest).toString('hex');
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-7${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
    });
  const payloadOf = (id: bigint, rest: bigint) =>
    base58.encode(Buffer.from(((id << 256n) | rest).toString(16).padStart(96, '0'), 'hex'));
  const numberOf = (id: string) => BigInt(`0x${id.replaceAll('-', '')}`);
  const REST_MAX = (1n << 256n) - 1n;

  it('contains the id of every secret that begins with the characters', () => {
    fc.assert(
      fc.property(idAt, fc.integer({ min: 1, max: 65 }), (keyId, count) => {
        const payload = codec.issue('a', keyId).slice('a_v1_'.length).split('_')[0] ?? '';
        expect(payload).toHaveLength(65);
        const [first, last] = keyIdRange(payload.slice(0, count));
        expect(first <= keyId && keyId <= last).toBe(true);
      }),
    );
  });

  it('contains no other id: its bounds have a secret with the characters, their neighbors none', () => {
    fc.assert(
      fc.property(idAt, fc.integer({ min: 4, max: 24 }), (keyId, count) => {
        const characters = payloadOf(numberOf(keyId), 0n).slice(0, count);
        const [first, last] = keyIdRange(characters).map(numberOf) as [bigint, bigint];
        if (first < last) {
          expect(payloadOf(first, REST_MAX).startsWith(characters)).toBe(true);
          expect(payloadOf(last, 0n).startsWith(characters)).toBe(true);
        }
        expect(payloadOf(first - 1n, REST_MAX).startsWith(characters)).toBe(false);
        expect(payloadOf(last + 1n, 0n).startsWith(characters)).toBe(false);
        if (last - first > 1n) {
          expect(payloadOf(first + 1n, 0n).startsWith(characters)).toBe(true);
          expect(payloadOf(last - 1n, REST_MAX).startsWith(characters)).toBe(true);
        }
      }),
    );
  });

  it('is a single id, or two, once the characters determine it', () => {
    fc.assert(
      fc.property(idAt, (keyId) => {
        const characters = payloadOf(numberOf(keyId), REST_MAX / 2n).slice(0, 24);
        const [first, last] = keyIdRange(characters).map(numberOf) as [bigint, bigint];
        expect(last - first).toBeLessThanOrEqual(1n);
      }),
    );
  });
});
