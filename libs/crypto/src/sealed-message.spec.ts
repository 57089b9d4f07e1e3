import { KeyRing, type MessagePlace, openMessage, sealMessage } from './index.js';

const ring = KeyRing.fromTexts(['n'.repeat(32), 'o'.repeat(32)]);
const place: MessagePlace = { direction: 'request', pattern: 'keys.verify', binding: 'id-1' };
const value = { credential: 'gate_sk_v1_secret' };

describe('sealed messages', () => {
  it('open in their place, also under the former key of the ring', () => {
    expect(openMessage(ring, place, sealMessage(ring, place, value))).toEqual(value);
    const former = KeyRing.fromTexts(['o'.repeat(32)]);
    expect(openMessage(ring, place, sealMessage(former, place, value))).toEqual(value);
  });

  it('show nothing of their content', () => {
    expect(sealMessage(ring, place, value)).not.toMatch(/credential|gate_sk|secret/);
  });

  it.each<[string, Partial<MessagePlace>]>([
    ['as a reply', { direction: 'reply' }],
    ['as an event', { direction: 'event' }],
    ['under another pattern', { pattern: 'forms.decode' }],
    ['for another request', { binding: 'id-2' }],
  ])('do not open %s', (_, other) => {
    const sealed = sealMessage(ring, place, value);
    expect(() => openMessage(ring, { ...place, ...other }, sealed)).toThrow(/belong/);
  });

  it('do not open with another ring, or when they were altered', () => {
    const sealed = sealMessage(ring, place, value);
    const other = KeyRing.fromTexts(['x'.repeat(32)]);
    expect(() => openMessage(other, place, sealed)).toThrow(/no key/);
    const altered = sealed.slice(0, -2) + (sealed.at(-2) === 'A' ? 'B' : 'A') + sealed.slice(-1);
    expect(() => openMessage(ring, place, altered)).toThrow();
    expect(() => openMessage(ring, place, '{"credential":"x"}')).toThrow(/not a sealed/);
  });
});
