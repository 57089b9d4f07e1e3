import { unstorable } from './storable.js';

const codes = (value: Parameters<typeof unstorable>[0]) =>
  unstorable(value).map(({ pointer, code }) => `${pointer} ${code}`);

describe('unstorable', () => {
  it('lets ordinary text through, emoji and all', () => {
    expect(codes({ name: 'Zoë 🙂', list: ['a', 1, null, true], deep: { x: '\t' } })).toEqual([]);
  });

  it('names the place of NUL, lone surrogates and reserved names', () => {
    const value = JSON.parse(
      '{"a":"x\\u0000y","b":["\\ud800"],"c/d":{"__proto__":1},"e\\u0000":1,"f":"\\udc00\\ud83d"}',
    ) as Parameters<typeof unstorable>[0];
    expect(codes(value)).toEqual([
      '/traits/a characters',
      '/traits/b/0 characters',
      '/traits/c~1d/__proto__ name.reserved',
      '/traits characters',
      '/traits/f characters',
    ]);
  });

  it('gives up on nesting without end instead of on the process', () => {
    let value: Parameters<typeof unstorable>[0] = 'x';
    for (let depth = 0; depth < 200; depth += 1) value = [value];
    expect(unstorable(value)).toHaveLength(1);
  });
});
