import * as fc from 'fast-check';
import {
  attenuateMacaroon,
  checkMacaroonSignature,
  credentialKind,
  hmacSha256,
  MACAROON_PREFIX,
  mintMacaroon,
  readMacaroon,
} from './index.js';
import { decodeMacaroon, encodeMacaroon } from './macaroon-codec.js';
import { importMacaroon, newMacaroon } from './macaroon-package.js';

const rootKey = Buffer.alloc(32, 7);
const text = fc.string({ unit: 'grapheme', maxLength: 40 });
const content = fc.record({
  location: text,
  identifier: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 300 }),
  caveats: fc.array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 }), {
    maxLength: 32,
  }),
});

function oracle(parts: { location: string; identifier: string; caveats: readonly string[] }) {
  const macaroon = newMacaroon({ ...parts, rootKey, version: 2 });
  parts.caveats.forEach((caveat) => macaroon.addFirstPartyCaveat(caveat));
  return macaroon;
}

function binaryOf(token: string): Buffer {
  return Buffer.from(token.slice(MACAROON_PREFIX.length), 'base64url');
}

describe('macaroon codec, with the macaroon package as oracle', () => {
  it('is read by the package as the macaroon that the package itself made', () => {
    fc.assert(
      fc.property(content, (parts) => {
        const read = importMacaroon(binaryOf(mintMacaroon(parts, rootKey)));
        expect(read.exportJSON()).toEqual(oracle(parts).exportJSON());
        read.verify(rootKey, () => null);
      }),
      { numRuns: 60 },
    );
  });

  it('writes the very bytes of the package up to the three caveats that it can write', () => {
    fc.assert(
      fc.property(content, (parts) => {
        const few = { ...parts, caveats: parts.caveats.slice(0, 3).map((c) => c.slice(0, 20)) };
        const short = { ...few, identifier: few.identifier.slice(0, 20) };
        expect(Buffer.from(binaryOf(mintMacaroon(short, rootKey)))).toEqual(
          Buffer.from(oracle(short).exportBinary()),
        );
      }),
      // The package takes 60 ms to write a macaroon.
      { numRuns: 20 },
    );
  });

  it('decodes what it encodes, for any bytes', () => {
    const bytes = fc.uint8Array({ minLength: 1, maxLength: 300 });
    fc.assert(
      fc.property(
        text,
        bytes,
        fc.array(bytes, { maxLength: 32 }),
        fc.uint8Array({ minLength: 32, maxLength: 32 }),
        (location, identifier, caveats, signature) => {
          const decoded = decodeMacaroon(
            encodeMacaroon({ location, identifier, caveats, signature }),
          );
          expect(decoded.location).toBe(location);
          expect([...decoded.identifier]).toEqual([...identifier]);
          expect(decoded.caveats.map((c) => [...c])).toEqual(caveats.map((c) => [...c]));
          expect([...decoded.signature]).toEqual([...signature]);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('refuses with a code, never otherwise, whatever it is given', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const token = MACAROON_PREFIX + Buffer.from(bytes).toString('base64url');
        try {
          readMacaroon(token);
        } catch (error) {
          expect(error).toMatchObject({ code: expect.stringMatching(/^MACAROON_/) });
        }
      }),
    );
  });
});

describe('macaroons', () => {
  const minted = mintMacaroon(
    { location: 'gatehouse', identifier: 'id', caveats: ['time < 2030-01-01T00:00:00Z'] },
    rootKey,
  );

  it('can be narrowed by a holder who has no root key', () => {
    const narrowed = attenuateMacaroon(minted, ['scope = read', 'ip = 10.0.0.0/8']);
    checkMacaroonSignature(narrowed, rootKey);
    expect(readMacaroon(narrowed)).toEqual({
      location: 'gatehouse',
      identifier: 'id',
      caveats: ['time < 2030-01-01T00:00:00Z', 'scope = read', 'ip = 10.0.0.0/8'],
    });
    expect(credentialKind(narrowed)).toBe('macaroon');
  });

  it('follow the HMAC chain of the paper', () => {
    const start = hmacSha256(hmacSha256('macaroons-key-generator', rootKey), 'id');
    const end = hmacSha256(start, 'time < 2030-01-01T00:00:00Z');
    expect([...decodeMacaroon(minted).signature]).toEqual([...end]);
  });

  it('are read with Base64url padding too, if it is as long as it should be', () => {
    for (const identifier of ['i', 'id', 'idn']) {
      const token = mintMacaroon({ location: '', identifier, caveats: [] }, rootKey);
      const wanted = (4 - ((token.length - MACAROON_PREFIX.length) % 4)) % 4;
      for (let given = 0; given <= 4; given += 1) {
        const padded = token + '='.repeat(given);
        if (given === 0 || given === wanted) {
          checkMacaroonSignature(padded, rootKey);
          expect(attenuateMacaroon(padded, ['a'])).toBe(attenuateMacaroon(token, ['a']));
        } else {
          expect(() => readMacaroon(padded)).toThrow(
            expect.objectContaining({ code: 'MACAROON_MALFORMED' }),
          );
        }
      }
    }
  });

  it('do not verify with a caveat taken away, changed or reordered', () => {
    const parts = decodeMacaroon(attenuateMacaroon(minted, ['scope = read']));
    const forged = [
      { ...parts, caveats: parts.caveats.slice(1) },
      { ...parts, caveats: parts.caveats.slice(0, 1) },
      { ...parts, caveats: [...parts.caveats].reverse() },
      { ...parts, identifier: Buffer.from('ie') },
      { ...parts, signature: Buffer.alloc(32) },
    ];
    for (const forgery of forged) {
      expect(() => checkMacaroonSignature(encodeMacaroon(forgery), rootKey)).toThrow(
        expect.objectContaining({ code: 'MACAROON_SIGNATURE_INVALID' }),
      );
    }
  });

  it('hold at most 32 caveats and 8,192 characters', () => {
    const full = attenuateMacaroon(
      minted,
      Array.from({ length: 31 }, () => 'scope = a'),
    );
    expect(readMacaroon(full).caveats).toHaveLength(32);
    expect(() => attenuateMacaroon(full, ['scope = a'])).toThrow(
      expect.objectContaining({ code: 'MACAROON_TOO_MANY_CAVEATS' }),
    );
    expect(() => attenuateMacaroon(minted, ['x'.repeat(8_000)])).toThrow(
      expect.objectContaining({ code: 'MACAROON_TOO_LARGE' }),
    );
    expect(() => readMacaroon(MACAROON_PREFIX + 'A'.repeat(1_000_000))).toThrow(
      expect.objectContaining({ code: 'MACAROON_TOO_LARGE' }),
    );
  });

  it.each([
    ['an empty body', ''],
    [
      'a third-party caveat',
      Buffer.from('02020169000201690401760000', 'hex').toString('base64url'),
    ],
    [
      'a caveat with a location',
      Buffer.from('0202016900010161020169000006', 'hex').toString('base64url'),
    ],
    ['version 1', Buffer.from('0011location').toString('base64url')],
  ])('refuse %s', (_, body) => {
    expect(() => readMacaroon(MACAROON_PREFIX + body)).toThrow(
      expect.objectContaining({ code: 'MACAROON_MALFORMED' }),
    );
  });
});
