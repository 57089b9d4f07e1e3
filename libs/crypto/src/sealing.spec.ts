import * as fc from 'fast-check';
import { KeyRing, needsResealing, open, openText, seal } from './index.js';

const OLD = 'old-secret-text-that-is-long-enough-0';
const NEW = 'new-secret-text-that-is-long-enough-1';
const ring = KeyRing.fromTexts([NEW, OLD]);

describe('sealing', () => {
  it('opens what it sealed, for any text and any place', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (text, aad) => {
        expect(openText(ring, seal(ring, text, aad), aad)).toBe(text);
      }),
    );
  });

  it('opens bytes as bytes', () => {
    const bytes = Uint8Array.of(0, 255, 128, 10);
    expect([...open(ring, seal(ring, bytes, 'x'), 'x')]).toEqual([...bytes]);
  });

  it('never seals the same text to the same bytes', () => {
    expect(seal(ring, 'text', 'x')).not.toBe(seal(ring, 'text', 'x'));
  });

  it('opens a text of a retired key and says that it wants sealing again', () => {
    const sealed = seal(KeyRing.fromTexts([OLD]), 'text', 'x');
    expect(openText(ring, sealed, 'x')).toBe('text');
    expect(needsResealing(ring, sealed)).toBe(true);
    expect(needsResealing(ring, seal(ring, 'text', 'x'))).toBe(false);
  });

  it('does not open a text that was moved to another place', () => {
    expect(() => open(ring, seal(ring, 'text', 'row:1'), 'row:2')).toThrow(
      expect.objectContaining({ code: 'SEALED_TAMPERED' }),
    );
  });

  it('does not open a text with any character changed', () => {
    const sealed = seal(ring, 'a secret of some length', 'x');
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: sealed.length - 1 }),
        fc.constantFrom('A', '0', 'f', '.'),
        (at, character) => {
          fc.pre(sealed[at] !== character);
          expect(() =>
            open(ring, sealed.slice(0, at) + character + sealed.slice(at + 1), 'x'),
          ).toThrow(expect.objectContaining({ code: expect.stringMatching(/^SEALED_/) }));
        },
      ),
    );
  });

  it('says when the key is not in the ring', () => {
    expect(() =>
      open(KeyRing.fromTexts([NEW]), seal(KeyRing.fromTexts([OLD]), 't', 'x'), 'x'),
    ).toThrow(expect.objectContaining({ code: 'SEALED_KEY_UNKNOWN' }));
  });

  it.each(['', 's1', 's1.00000000.', 's1.00000000.AAAA', 'plain text', 's2.00000000.AAAA'])(
    'refuses %j as no sealed text',
    (text) => {
      expect(() => open(ring, text, 'x')).toThrow(
        expect.objectContaining({ code: 'SEALED_MALFORMED' }),
      );
    },
  );
});
