import { KeyRing } from './index.js';

const OLD = 'old-secret-text-that-is-long-enough-0';
const NEW = 'new-secret-text-that-is-long-enough-1';

describe('KeyRing', () => {
  it.each([
    ['KEY_RING_EMPTY', []],
    ['KEY_TOO_SHORT', [OLD, 'short']],
    ['KEY_DOUBLED', [OLD, OLD]],
  ])('refuses a ring with %s', (code, texts) => {
    expect(() => KeyRing.fromTexts(texts)).toThrow(expect.objectContaining({ code }));
  });

  it('names the bad secret by its place, never by its text', () => {
    expect(() => KeyRing.fromTexts([OLD, 'short'])).toThrow(/^secret 2 of the ring/);
  });

  it('derives other bytes for every purpose and the same bytes every time', () => {
    const ring = KeyRing.fromTexts([NEW, OLD]);
    const again = KeyRing.fromTexts([NEW]);
    expect(ring.forPurpose('a').current.key).toEqual(again.forPurpose('a').current.key);
    expect(ring.forPurpose('a').current.key).not.toEqual(ring.forPurpose('b').current.key);
    expect(ring.forPurpose('a').all.map(({ id }) => id)).toEqual(ring.ids);
  });

  it('finds a retired key by its id', () => {
    const old = KeyRing.fromTexts([OLD]);
    const rotated = KeyRing.fromTexts([NEW, OLD]);
    expect(rotated.forPurpose('a').find(old.currentId)?.key).toEqual(
      old.forPurpose('a').current.key,
    );
    expect(rotated.currentId).not.toBe(old.currentId);
  });

  it('prints as [secret]', () => {
    expect(JSON.stringify({ ring: KeyRing.fromTexts([OLD]) })).toBe('{"ring":"[secret]"}');
  });
});
